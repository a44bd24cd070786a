// SPDX-License-Identifier: Zlib
#include "osgPliant/BodyPass.h"

#include <algorithm>
#include <cmath>
#include <osg/BufferObject>
#include <osg/TextureBuffer>
#include <osg/Uniform>
#include <tuple>

#include "osgPliant/GivenBack.h"

namespace osgPliant {

namespace {

bool isPerspective(const osg::Matrixd& projection) {
    return projection(0, 3) != 0.0 || projection(1, 3) != 0.0 || projection(2, 3) != 0.0;
}

/// Pixels that a metre at distance 1 takes (perspective) or at any distance (parallel projection).
double pixelsPerMetre(osgUtil::CullVisitor& visitor) {
    const double height = visitor.getViewport() ? visitor.getViewport()->height() : 1080.0;
    const double scale = visitor.getModelViewMatrix()->getScale().y();
    const double pixels = 0.5 * height * std::abs((*visitor.getProjectionMatrix())(1, 1)) * scale;
    // In a sun's map an error of a texel is less than what shadows are looked up out of the surface by (body.frag): a
    // coarser level would shadow the surface that it stands for.
    return pixels;
}

double distanceTo(const osg::BoundingBoxd& box, const osg::Vec3d& eye) {
    osg::Vec3d outside;
    for (int axis = 0; axis < 3; ++axis) {
        outside[axis] = std::max({box._min[axis] - eye[axis], 0.0, eye[axis] - box._max[axis]});
    }
    return outside.length();
}

bool isCulled(osgUtil::CullVisitor& visitor, const osg::BoundingBoxd& box) {
    const osg::BoundingBox rounded(osg::Vec3f(box._min), osg::Vec3f(box._max));
    if (visitor.isCulled(rounded)) return true;
    const bool small = (visitor.getCurrentCullingSet().getCullingMask() & osg::CullingSet::SMALL_FEATURE_CULLING) != 0;
    return small && visitor.isCulled(osg::BoundingSphere(rounded));
}

}  // namespace

std::vector<SeenBody> seenBodies(osgUtil::CullVisitor& visitor, const BodyStates& states,
                                 const std::vector<osg::BoundingBoxd>& bounds) {
    const osg::Vec3d eye = visitor.getEyeLocal();
    const bool perspective = isPerspective(*visitor.getProjectionMatrix());
    const double pixels = pixelsPerMetre(visitor) / std::max(1e-9, static_cast<double>(visitor.getLODScale()));
    std::vector<SeenBody> seen;
    for (int i = 0; i < states.count(); ++i) {
        const osg::BoundingBoxd& box = bounds[static_cast<std::size_t>(i)];
        if (!states.drawn(i) || !box.valid() || isCulled(visitor, box)) continue;
        SeenBody body;
        body.body = i;
        body.depth = -(box.center() * *visitor.getModelViewMatrix()).z();
        body.distance = perspective ? distanceTo(box, eye) : body.depth;
        body.pixels = perspective ? pixels / std::max(body.distance, 1e-9) : pixels;
        seen.push_back(body);
    }
    std::sort(seen.begin(), seen.end(), [](const SeenBody& a, const SeenBody& b) {
        return std::tie(a.distance, a.depth, a.body) < std::tie(b.distance, b.depth, b.body);
    });
    return seen;
}

BodyTexels::BodyTexels() : _texels(new osg::FloatArray(4)) {
    osg::ref_ptr<osg::VertexBufferObject> buffer = new osg::VertexBufferObject;
    buffer->setTarget(GL_TEXTURE_BUFFER);
    buffer->setUsage(GL_DYNAMIC_DRAW);
    _texels->setBufferObject(buffer);
    _texture = new osg::TextureBuffer(_texels);
    _texture->setInternalFormat(GL_RGBA32F_ARB);
}

void BodyTexels::releaseGLObjects(osg::State* state) const {
    giveBack(*_texture, state);
}

void BodyTexels::addTo(osg::StateSet& state, unsigned int unit) const {
    state.setTextureAttribute(unit, _texture, osg::StateAttribute::ON | osg::StateAttribute::PROTECTED);
}

osg::StateSet* OneByOne::getState(int number) {
    while (static_cast<int>(_states.size()) <= number) {
        const osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
        state->addUniform(new osg::Uniform("pliantFirst", static_cast<int>(_states.size())),
                          osg::StateAttribute::ON | osg::StateAttribute::PROTECTED);
        _states.push_back(state);
    }
    return _states[static_cast<std::size_t>(number)];
}

}  // namespace osgPliant
