// SPDX-License-Identifier: Zlib
#include "osgPliant/BodyView.h"

#include <algorithm>
#include <cmath>
#include <osg/BufferObject>
#include <tuple>

namespace osgPliant {

namespace {

bool isPerspective(const osg::Matrixd& projection) {
    return projection(0, 3) != 0.0 || projection(1, 3) != 0.0 || projection(2, 3) != 0.0;
}

/// Pixels that a metre at distance 1 takes (perspective) or at any distance (parallel projection).
double pixelsPerMetre(osgUtil::CullVisitor& visitor) {
    const double height = visitor.getViewport() ? visitor.getViewport()->height() : 1080.0;
    const double scale = visitor.getModelViewMatrix()->getScale().y();
    return 0.5 * height * std::abs((*visitor.getProjectionMatrix())(1, 1)) * scale;
}

double distanceTo(const osg::BoundingBoxd& box, const osg::Vec3d& eye) {
    osg::Vec3d outside;
    for (int axis = 0; axis < 3; ++axis) {
        outside[axis] = std::max({box._min[axis] - eye[axis], 0.0, eye[axis] - box._max[axis]});
    }
    return outside.length();
}

/// The coarsest level whose error is below `pixelError` pixels where a metre has `pixels`.
int coarsest(const ModelGeometry& geometry, double pixels, double pixelError) {
    int level = 0;
    while (level + 1 < geometry.getLevelCount() && geometry.getLevelError(level + 1) * pixels < pixelError) ++level;
    return level;
}

}  // namespace

BodyView::BodyView(const ModelGeometry& geometry, osg::Drawable::ComputeBoundingBoxCallback* bound)
    : _state(new osg::StateSet(*geometry.getSharedState())), _texels(new osg::FloatArray(4)) {
    _state->setDataVariance(osg::Object::DYNAMIC);
    osg::ref_ptr<osg::VertexBufferObject> buffer = new osg::VertexBufferObject;
    buffer->setTarget(GL_TEXTURE_BUFFER);
    buffer->setUsage(GL_DYNAMIC_DRAW);
    _texels->setBufferObject(buffer);
    osg::ref_ptr<osg::TextureBuffer> texture = new osg::TextureBuffer(_texels);
    texture->setInternalFormat(GL_RGBA32F_ARB);
    texture->setDataVariance(osg::Object::DYNAMIC);
    _state->setTextureAttribute(BodiesUnit, texture);

    for (int i = 0; i < geometry.getLevelCount(); ++i) {
        Level level;
        level.some = geometry.createParts(i);
        level.all = geometry.createParts(i);
        level.first = new osg::Uniform("pliantFirst", 0);
        level.first->setDataVariance(osg::Object::DYNAMIC);
        for (const auto& part : level.some) part->getStateSet()->addUniform(level.first);
        osg::ref_ptr<osg::Uniform> zero = new osg::Uniform("pliantFirst", 0);
        for (const auto& part : level.all) part->getStateSet()->addUniform(zero);
        for (const auto& parts : {level.some, level.all}) {
            for (const auto& part : parts) part->setComputeBoundingBoxCallback(bound);
        }
        _levels.push_back(level);
    }
}

void BodyView::cull(osgUtil::CullVisitor& visitor, const ModelGeometry& geometry, const BodyStates& states,
                    const std::vector<osg::BoundingBoxd>& bounds, unsigned int revision, double pixelError) {
    const unsigned int frame = visitor.getTraversalNumber();
    const bool fresh = _revision != revision || !_sorted || _sortedFrame != frame;
    // One order a frame: a later pass of this visitor (a shadow map, a mirror) finds the buffer already promised.
    const bool sorting = isPerspective(*visitor.getProjectionMatrix()) && fresh;
    if (sorting) {
        sort(visitor, geometry, states, bounds, pixelError);
        _sorted = true;
        _sortedFrame = frame;
    } else if (_revision != revision) {
        packUnsorted(geometry, states);
        _sorted = false;
    }
    _revision = revision;
    if (_order.empty()) return;

    visitor.pushStateSet(_state);
    if (sorting) {
        for (const Level& level : _levels) {
            if (level.count == 0) continue;  // no instances would mean one plain draw
            for (const auto& part : level.some) part->accept(visitor);
        }
    } else {
        const int level = levelForAll(visitor, geometry, bounds, pixelError);
        for (const auto& part : _levels[static_cast<std::size_t>(level)].all) part->accept(visitor);
    }
    visitor.popStateSet();
}

void BodyView::sort(osgUtil::CullVisitor& visitor, const ModelGeometry& geometry, const BodyStates& states,
                    const std::vector<osg::BoundingBoxd>& bounds, double pixelError) {
    const osg::Vec3d eye = visitor.getEyeLocal();
    const double pixels = pixelsPerMetre(visitor);
    const int unseen = geometry.getLevelCount();
    std::vector<std::tuple<int, double, int>>
        keys;  // level, distance, body: near ones hide far ones before these shade
    for (int i = 0; i < states.count(); ++i) {
        const osg::BoundingBoxd& box = bounds[static_cast<std::size_t>(i)];
        if (!states.drawn(i) || !box.valid()) continue;
        const osg::BoundingBox rounded(osg::Vec3f(box._min), osg::Vec3f(box._max));
        const double distance = distanceTo(box, eye);
        const int level =
            visitor.isCulled(rounded) ? unseen : coarsest(geometry, pixels / std::max(distance, 1e-9), pixelError);
        keys.emplace_back(level, distance, i);
    }
    std::sort(keys.begin(), keys.end());
    _order.clear();
    for (Level& level : _levels) level.count = 0;
    for (const auto& [level, distance, body] : keys) {
        _order.push_back(body);
        if (level < unseen) ++_levels[static_cast<std::size_t>(level)].count;
    }
    int first = 0;
    for (const Level& level : _levels) {
        level.first->set(first);
        for (const auto& part : level.some) part->getPrimitiveSet(0)->setNumInstances(level.count);
        first += level.count;
    }
    states.pack(geometry, _order, *_texels);
    setAllCounts();
}

void BodyView::packUnsorted(const ModelGeometry& geometry, const BodyStates& states) {
    _order.clear();
    for (int i = 0; i < states.count(); ++i) {
        if (states.drawn(i)) _order.push_back(i);
    }
    states.pack(geometry, _order, *_texels);
    setAllCounts();
}

void BodyView::setAllCounts() {
    for (const Level& level : _levels) {
        for (const auto& part : level.all) {
            part->getPrimitiveSet(0)->setNumInstances(static_cast<int>(_order.size()));
        }
    }
}

int BodyView::levelForAll(osgUtil::CullVisitor& visitor, const ModelGeometry& geometry,
                          const std::vector<osg::BoundingBoxd>& bounds, double pixelError) const {
    double pixels = pixelsPerMetre(visitor);
    if (isPerspective(*visitor.getProjectionMatrix())) {
        double nearest = 1e30;
        for (const int i : _order) {
            nearest = std::min(nearest, distanceTo(bounds[static_cast<std::size_t>(i)], visitor.getEyeLocal()));
        }
        pixels /= std::max(nearest, 1e-9);
    } else {
        pixels *= 0.5;  // a sun's map is read through a blur a few texels wide
    }
    return coarsest(geometry, pixels, pixelError);
}

void BodyView::dirtyBounds() {
    for (const Level& level : _levels) {
        for (const auto& part : level.some) part->dirtyBound();
        for (const auto& part : level.all) part->dirtyBound();
    }
}

void BodyView::resizeGLObjectBuffers(unsigned int maxSize) {
    _state->resizeGLObjectBuffers(maxSize);
    for (const Level& level : _levels) {
        for (const auto& part : level.some) part->resizeGLObjectBuffers(maxSize);
        for (const auto& part : level.all) part->resizeGLObjectBuffers(maxSize);
    }
}

void BodyView::releaseGLObjects(osg::State* state) const {
    _state->releaseGLObjects(state);
    for (const Level& level : _levels) {
        for (const auto& part : level.some) part->releaseGLObjects(state);
        for (const auto& part : level.all) part->releaseGLObjects(state);
    }
}

}  // namespace osgPliant
