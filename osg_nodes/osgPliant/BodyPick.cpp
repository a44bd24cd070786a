// SPDX-License-Identifier: Zlib
#include "osgPliant/BodyPick.h"

#include "osgPliant/BodyGroupData.h"
#include "osgPliant/Conversions.h"
#include "osgPliant/CpuDeformation.h"

namespace osgPliant {

BodyPick::BodyPick(const BodyGroup* owner, int body) : _owner(owner), _body(body) {}

BodyPick::BodyPick(const BodyPick& other, const osg::CopyOp& copyop)
    : osg::Drawable(other, copyop), _owner(other._owner), _body(other._body) {}

void BodyPick::invalidate() {
    {
        const std::lock_guard<std::mutex> lock(_mutex);
        _evaluated = false;
    }
    dirtyBound();
}

osg::BoundingBox BodyPick::computeBoundingBox() const {
    osg::BoundingBox box;
    if (_owner && _owner->getModelGeometry()) {
        const osg::BoundingBoxd exact = _owner->_data->readable().bound(*_owner->getModelGeometry(), _body);
        if (exact.valid()) box.set(osg::Vec3f(exact._min), osg::Vec3f(exact._max));
    }
    return box;
}

void BodyPick::evaluate() const {
    if (_evaluated) return;
    _evaluated = true;
    _positions.clear();
    _indices.clear();
    const BodyStates& states = _owner->_data->readable();
    if (!_owner->getModelGeometry() || !states.drawn(_body)) return;
    const pliant::ReducedModel& model = *_owner->getModelGeometry()->getModel();
    pliant::PointsF local;
    deformOnCpu(model, states.qOf(_body), local);
    const osg::Matrixd& frame = states.body(_body).worldFromBody;
    _positions.reserve(static_cast<std::size_t>(local.cols()));
    for (Eigen::Index v = 0; v < local.cols(); ++v) {
        _positions.emplace_back(osg::Vec3d(local(0, v), local(1, v), local(2, v)) * frame);
    }
    const pliant::Triangles& triangles = model.surface.triangles;
    _indices.assign(triangles.data(), triangles.data() + triangles.size());
}

void BodyPick::accept(osg::PrimitiveFunctor& functor) const {
    if (!_owner) return;
    const std::lock_guard<std::mutex> lock(_mutex);
    evaluate();
    if (_indices.empty()) return;
    functor.setVertexArray(static_cast<unsigned int>(_positions.size()), _positions.data());
    functor.drawElements(GL_TRIANGLES, static_cast<GLsizei>(_indices.size()), _indices.data());
}

void BodyPick::accept(osg::PrimitiveIndexFunctor& functor) const {
    if (!_owner) return;
    const std::lock_guard<std::mutex> lock(_mutex);
    evaluate();
    if (_indices.empty()) return;
    functor.setVertexArray(static_cast<unsigned int>(_positions.size()), _positions.data());
    functor.drawElements(GL_TRIANGLES, static_cast<GLsizei>(_indices.size()), _indices.data());
}

}  // namespace osgPliant
