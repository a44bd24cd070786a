// SPDX-License-Identifier: Zlib
#include "osgPliant/GivenBack.h"

#include <osg/Geometry>
#include <osg/NodeVisitor>

namespace osgPliant {

namespace {

class DirtyArrays : public osg::NodeVisitor {
public:
    DirtyArrays() : osg::NodeVisitor(TRAVERSE_ALL_CHILDREN) { setNodeMaskOverride(~0u); }
    void apply(osg::Geometry& geometry) override {
        osg::Geometry::ArrayList arrays;
        geometry.getArrayList(arrays);
        for (const auto& array : arrays) array->dirty();
    }
};

}  // namespace

void giveBack(osg::Node& node, osg::State* state) {
    node.releaseGLObjects(state);
    DirtyArrays visitor;
    node.accept(visitor);
}

void giveBack(const osg::TextureBuffer& texture, osg::State* state) {
    texture.releaseGLObjects(state);
    if (texture.getBufferData()) texture.getBufferData()->releaseGLObjects(state);
}

}  // namespace osgPliant
