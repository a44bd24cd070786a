// SPDX-License-Identifier: Zlib
#include "osgPliant/BodyGroup.h"

#include <algorithm>
#include <osg/BufferObject>
#include <osgUtil/CullVisitor>
#include <osgUtil/IntersectionVisitor>
#include <osgUtil/Optimizer>

#include "osgPliant/BodyGroupData.h"
#include "osgPliant/Conversions.h"

namespace osgPliant {

namespace {

/// The parts' box: that of all instances, not that of the rest shape in the vertex array.
class InstancesBound : public osg::Drawable::ComputeBoundingBoxCallback {
public:
    osg::BoundingBox box;
    osg::BoundingBox computeBound(const osg::Drawable&) const override { return box; }
};

}  // namespace

BodyGroup::BodyGroup() : BodyGroup(nullptr, 0) {}

BodyGroup::BodyGroup(ModelGeometry* geometry, int bodyCount) : _geometry(geometry), _data(new Data) {
    _data->written.dimension = _data->shown.dimension = geometry ? geometry->getDimension() : 0;
    createDrawables();
    setBodyCount(bodyCount);
}

BodyGroup::BodyGroup(const BodyGroup& other, const osg::CopyOp& copyop)
    : osg::Group(other, copyop), _geometry(other._geometry), _data(new Data) {
    if (_geometry && (copyop.getCopyFlags() & osg::CopyOp::DEEP_COPY_OBJECTS)) {
        _geometry = static_cast<ModelGeometry*>(_geometry->clone(copyop));
    }
    {
        const std::lock_guard<std::mutex> lock(other._data->mutex);
        _data->written = other._data->written;
    }
    _data->shown.dimension = _data->written.dimension;
    createDrawables();
    setBodyCount(_data->written.count());
}

BodyGroup::~BodyGroup() {
    for (const auto& pick : _data->picks) pick->release();
}

void BodyGroup::createDrawables() {
    setNumChildrenRequiringUpdateTraversal(getNumChildrenRequiringUpdateTraversal() + 1);
    if (!_geometry || !_geometry->getModel()) return;
    _data->state = new osg::StateSet(*_geometry->getSharedState());
    _data->state->setDataVariance(osg::Object::DYNAMIC);
    _data->texels = new osg::FloatArray(4);
    osg::ref_ptr<osg::VertexBufferObject> buffer = new osg::VertexBufferObject;
    buffer->setTarget(GL_TEXTURE_BUFFER);
    buffer->setUsage(GL_DYNAMIC_DRAW);
    _data->texels->setBufferObject(buffer);
    osg::ref_ptr<osg::TextureBuffer> texture = new osg::TextureBuffer(_data->texels);
    texture->setInternalFormat(GL_RGBA32F_ARB);
    texture->setDataVariance(osg::Object::DYNAMIC);
    _data->state->setTextureAttribute(BodiesUnit, texture);

    _data->parts = _geometry->createParts();
    for (const auto& part : _data->parts) part->setComputeBoundingBoxCallback(new InstancesBound);
}

void BodyGroup::setBodyCount(int count) {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    _data->written.resize(std::max(count, 0));
    _data->changed = true;
    for (int i = static_cast<int>(_data->picks.size()); i < count; ++i) _data->picks.push_back(new BodyPick(this, i));
}

int BodyGroup::getBodyCount() const {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    return _data->written.count();
}

void BodyGroup::setBody(int body, const osg::Matrixd& worldFromBody, const double* q) {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    if (!_data->written.has(body)) return;
    _data->written.body(body).worldFromBody = worldFromBody;
    _data->written.body(body).placed = true;
    std::copy(q, q + _data->written.dimension, _data->written.qOf(body));
    _data->changed = true;
}

void BodyGroup::setBody(int body, const osg::Matrixd& worldFromBody, const float* q) {
    const std::vector<double> wide(q, q + (_geometry ? _geometry->getDimension() : 0));
    setBody(body, worldFromBody, wide.data());
}

void BodyGroup::setBodyFromMesh(int body, const osg::Matrixd& worldFromMesh, const double* q) {
    if (!_geometry || !_geometry->getModel()) return;
    setBody(body, toOsg(_geometry->getModel()->meshFromBody) * worldFromMesh, q);
}

void BodyGroup::setBodyVisible(int body, bool visible) {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    if (!_data->written.has(body)) return;
    _data->written.body(body).visible = visible;
    _data->changed = true;
}

bool BodyGroup::getBodyVisible(int body) const {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    return _data->written.drawn(body);
}

void BodyGroup::removeBody(int body) {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    if (!_data->written.has(body)) return;
    _data->written.body(body) = BodyStates::Body();
    std::fill_n(_data->written.qOf(body), _data->written.dimension, 0.0);
    _data->changed = true;
}

osg::Matrixd BodyGroup::getWorldFromBody(int body) const {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    return _data->written.has(body) ? _data->written.body(body).worldFromBody : osg::Matrixd();
}

std::vector<double> BodyGroup::getQ(int body) const {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    if (!_data->written.has(body)) return {};
    const double* q = _data->written.qOf(body);
    return {q, q + _data->written.dimension};
}

osg::BoundingBoxd BodyGroup::getBodyBound(int body) const {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    return _geometry ? _data->written.bound(*_geometry, body) : osg::BoundingBoxd();
}

osg::BoundingBoxd BodyGroup::getBodiesBound() const {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    return _geometry ? _data->written.bound(*_geometry) : osg::BoundingBoxd();
}

int BodyGroup::getBodyHit(const osgUtil::LineSegmentIntersector::Intersection& hit) {
    const auto* pick = dynamic_cast<const BodyPick*>(hit.drawable.get());
    return pick ? pick->getBody() : -1;
}

void BodyGroup::update() {
    if (!_geometry || !_geometry->getModel()) return;
    {
        const std::lock_guard<std::mutex> lock(_data->mutex);
        if (!_data->changed) return;
        _data->shown = _data->written;
        _data->changed = false;
    }
    _data->updated = true;
    _data->instances = _data->shown.pack(*_geometry, _data->packing);
    if (_data->instances > 0) {
        // Never shrunk: a buffer that changes its size is allocated anew by the driver.
        if (_data->texels->size() < _data->packing.size()) _data->texels->resize(_data->packing.size());
        std::copy(_data->packing.begin(), _data->packing.end(), _data->texels->begin());
        _data->texels->dirty();
    }
    _data->bound = _data->shown.bound(*_geometry);
    for (const auto& part : _data->parts) {
        auto* bound = static_cast<InstancesBound*>(part->getComputeBoundingBoxCallback());
        bound->box.init();
        if (_data->bound.valid()) bound->box.set(osg::Vec3f(_data->bound._min), osg::Vec3f(_data->bound._max));
        part->getPrimitiveSet(0)->setNumInstances(_data->instances);
        part->dirtyBound();
    }
    for (const auto& pick : _data->picks) pick->invalidate();
    dirtyBound();
}

void BodyGroup::traverse(osg::NodeVisitor& visitor) {
    osg::Group::traverse(visitor);
    if (visitor.getVisitorType() == osg::NodeVisitor::UPDATE_VISITOR) {
        update();
    } else if (dynamic_cast<osgUtil::IntersectionVisitor*>(&visitor)) {
        const BodyStates& states = _data->readable();
        for (int i = 0; i < states.count(); ++i) {
            if (states.drawn(i)) _data->picks[static_cast<std::size_t>(i)]->accept(visitor);
        }
    } else if (_data->instances > 0 && !dynamic_cast<osgUtil::BaseOptimizerVisitor*>(&visitor)) {
        // A visitor may ask for the state on the way down; the parts' own state sets hang below it.
        auto* cull = visitor.asCullVisitor();
        if (cull) cull->pushStateSet(_data->state);
        for (const auto& part : _data->parts) part->accept(visitor);
        if (cull) cull->popStateSet();
    }
}

osg::BoundingSphere BodyGroup::computeBound() const {
    osg::BoundingSphere sphere = osg::Group::computeBound();
    const osg::BoundingBoxd box = _data->updated ? _data->bound : getBodiesBound();
    if (box.valid()) sphere.expandBy(osg::BoundingSphere(osg::Vec3f(box.center()), static_cast<float>(box.radius())));
    return sphere;
}

void BodyGroup::resizeGLObjectBuffers(unsigned int maxSize) {
    osg::Group::resizeGLObjectBuffers(maxSize);
    if (_data->state) _data->state->resizeGLObjectBuffers(maxSize);
    for (const auto& part : _data->parts) part->resizeGLObjectBuffers(maxSize);
}

void BodyGroup::releaseGLObjects(osg::State* state) const {
    osg::Group::releaseGLObjects(state);
    if (_data->state) _data->state->releaseGLObjects(state);
    for (const auto& part : _data->parts) part->releaseGLObjects(state);
}

}  // namespace osgPliant
