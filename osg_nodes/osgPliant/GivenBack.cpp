// SPDX-License-Identifier: Zlib
#include "osgPliant/GivenBack.h"

#include <osg/Geometry>
#include <osg/NodeVisitor>
#include <osg/State>
#include <osg/VertexArrayState>

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

/// The next geometry of this context tells OpenGL again where its arrays are.
void forgetArrays(osg::State& state) {
    osg::VertexArrayState* seen = state.getCurrentVertexArrayState();
    if (!seen) return;
    constexpr unsigned int never = ~0u;
    for (const auto& one : {seen->_vertexArray, seen->_normalArray, seen->_colorArray, seen->_secondaryColorArray,
                            seen->_fogCoordArray}) {
        if (one) one->modifiedCount = never;
    }
    for (const auto* several : {&seen->_texCoordArrays, &seen->_vertexAttribArrays}) {
        for (const auto& one : *several) {
            if (one) one->modifiedCount = never;
        }
    }
}

}  // namespace

void giveBack(osg::Node& node, osg::State* state) {
    node.releaseGLObjects(state);
    if (state) return forgetArrays(*state);
    DirtyArrays visitor;
    node.accept(visitor);
}

void giveBack(const osg::TextureBuffer& texture, osg::State* state) {
    texture.releaseGLObjects(state);
    if (texture.getBufferData()) texture.getBufferData()->releaseGLObjects(state);
}

}  // namespace osgPliant
