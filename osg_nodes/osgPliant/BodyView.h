// SPDX-License-Identifier: Zlib
// What one camera draws of a BodyGroup: its own order of the bodies, near ones first and in full detail.
#pragma once

#include <osg/Geometry>
#include <osg/TextureBuffer>
#include <osg/Uniform>
#include <osgUtil/CullVisitor>
#include <vector>

#include "osgPliant/BodyStates.h"

namespace osgPliant {

/// A cull visitor has its own, so that cameras which cull at the same time share nothing. Everything is DYNAMIC: the
/// viewer does not let the next frame begin before it was drawn, so the cull traversal may write.
class BodyView {
public:
    BodyView(const ModelGeometry& geometry, osg::Drawable::ComputeBoundingBoxCallback* bound);

    /// Puts what this pass needs into the cull visitor's bins.
    /// @param revision changes with `states`
    /// @param bounds   of every body
    void cull(osgUtil::CullVisitor& visitor, const ModelGeometry& geometry, const BodyStates& states,
              const std::vector<osg::BoundingBoxd>& bounds, unsigned int revision, double pixelError);

    void dirtyBounds();
    void resizeGLObjectBuffers(unsigned int maxSize);
    void releaseGLObjects(osg::State* state) const;

private:
    struct Level {
        std::vector<osg::ref_ptr<osg::Geometry>> some;  ///< a range of the bodies, from `first` on
        std::vector<osg::ref_ptr<osg::Geometry>> all;
        osg::ref_ptr<osg::Uniform> first;
        int count = 0;
    };

    void sort(osgUtil::CullVisitor& visitor, const ModelGeometry& geometry, const BodyStates& states,
              const std::vector<osg::BoundingBoxd>& bounds, double pixelError);
    void packUnsorted(const ModelGeometry& geometry, const BodyStates& states);
    void setAllCounts();
    int levelForAll(osgUtil::CullVisitor& visitor, const ModelGeometry& geometry,
                    const std::vector<osg::BoundingBoxd>& bounds, double pixelError) const;

    osg::ref_ptr<osg::StateSet> _state;
    osg::ref_ptr<osg::FloatArray> _texels;
    std::vector<Level> _levels;
    std::vector<int> _order;
    unsigned int _revision = 0;  ///< of the packed states; 0 = none
    unsigned int _sortedFrame = 0;
    bool _sorted = false;
};

}  // namespace osgPliant
