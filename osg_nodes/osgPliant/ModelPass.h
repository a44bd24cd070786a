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
    /// Bodies that follow each other in the order, from `firstNumber` on, all in the same detail.
    struct Level {
        std::vector<osg::ref_ptr<osg::Geometry>> opaque;
        std::vector<osg::ref_ptr<osg::Geometry>> transparent;  ///< drawn body by body
        std::vector<osg::Vec3d> middles;                       ///< of the transparent ones at rest
        osg::ref_ptr<osg::Uniform> first;
        std::vector<const SeenBody*> bodies;  ///< from near to far, for the time of a cull
        int firstNumber = 0;                  ///< of them in the order
    };

    Level createLevel(const ModelGeometry& geometry, int number, osg::Drawable::ComputeBoundingBoxCallback* bound);
    void order(const std::vector<SeenBody>& seen, double pixelError);
    void addOneByOne(osgUtil::CullVisitor& visitor, const BodyStates& states, const Level& level);
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
    OneByOne _single;
    std::vector<Level> _levels;
    std::vector<int> _order;
};

}  // namespace osgPliant
