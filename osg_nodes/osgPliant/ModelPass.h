// SPDX-License-Identifier: Zlib
// What one pass draws of bodies with a ModelGeometry: near ones first and in full detail.
#pragma once

#include <osg/Geometry>
#include <osg/Uniform>
#include <vector>

#include "osgPliant/BodyPass.h"
#include "osgPliant/ModelGeometry.h"

namespace osgPliant {

class ModelPass : public BodyPass {
public:
    ModelPass(const ModelGeometry& geometry, osg::Drawable::ComputeBoundingBoxCallback* bound);

    void cull(osgUtil::CullVisitor& visitor, const BodyStates& states, const std::vector<SeenBody>& seen,
              const PassSettings& settings) override;
    void dirtyBounds() override;
    void resizeGLObjectBuffers(unsigned int maxSize) override;
    void releaseGLObjects(osg::State* state) const override;

private:
    /// Bodies `first` to `first + count - 1` of the order, all in the same detail.
    struct Level {
        std::vector<osg::ref_ptr<osg::Geometry>> opaque;
        std::vector<osg::ref_ptr<osg::Geometry>> transparent;  ///< drawn from the last body to the first
        osg::ref_ptr<osg::Uniform> first;
        osg::ref_ptr<osg::Uniform> last;
        int count = 0;
        double depth = 0.0;  ///< of its nearest body, m
    };

    Level createLevel(const ModelGeometry& geometry, int number, osg::Drawable::ComputeBoundingBoxCallback* bound);
    void order(const std::vector<SeenBody>& seen, double pixelError);
    template <typename Visit>
    void forEachPart(Visit visit) const {
        for (const Level& level : _levels) {
            for (const auto& part : level.opaque) visit(*part);
            for (const auto& part : level.transparent) visit(*part);
        }
    }

    const osg::ref_ptr<const ModelGeometry> _geometry;
    osg::ref_ptr<osg::StateSet> _state;
    BodyTexels _texels;
    std::vector<Level> _levels;
    std::vector<int> _order;
};

}  // namespace osgPliant
