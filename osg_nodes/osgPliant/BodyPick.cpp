// SPDX-License-Identifier: Zlib
#include "osgPliant/BodyPick.h"

#include <algorithm>

#include "osgPliant/BodyGroupData.h"
#include "osgPliant/Conversions.h"

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
    if (_owner && _owner->getDeformation()) {
        const osg::BoundingBoxd exact = _owner->_data->readable().bound(*_owner->getDeformation(), _body);
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
    const Deformation* deformation = _owner->getDeformation();
    if (!deformation || !states.drawn(_body)) return;
    const pliant::PointsF local = states.placedPositions(*deformation, _body);
    const osg::Matrixd frame = states.nodeFromPlaced(*deformation, _body);
    _positions.reserve(static_cast<std::size_t>(local.cols()));
    for (Eigen::Index v = 0; v < local.cols(); ++v) {
        _positions.emplace_back(osg::Vec3d(local(0, v), local(1, v), local(2, v)) * frame);
    }
    const pliant::Triangles& triangles = deformation->getTriangles();
    _indices.assign(triangles.data(), triangles.data() + triangles.size());
}

BodyHit BodyPick::hitAt(unsigned int triangle, const osg::Vec3d& point) const {
    BodyHit hit;
    if (!_owner || !_owner->getDeformation()) return hit;
    hit.group = _owner;
    hit.body = _body;
    hit.triangle = static_cast<int>(triangle);
    hit.point = point;
    const std::lock_guard<std::mutex> lock(_mutex);
    evaluate();
    if (3 * static_cast<std::size_t>(triangle) + 2 >= _indices.size()) return hit;
    const unsigned int* corner = _indices.data() + 3 * static_cast<std::size_t>(triangle);
    const osg::Vec3d a = _positions[corner[0]];
    const osg::Vec3d ab = osg::Vec3d(_positions[corner[1]]) - a, ac = osg::Vec3d(_positions[corner[2]]) - a;
    const osg::Vec3d normal = ab ^ ac;
    const double area = std::max(normal.length2(), 1e-300);
    const double onB = (((point - a) ^ ac) * normal) / area, onC = ((ab ^ (point - a)) * normal) / area;
    const pliant::Points& rest = _owner->getDeformation()->getRestPositions();
    const pliant::Vector3 x =
        (1.0 - onB - onC) * rest.col(corner[0]) + onB * rest.col(corner[1]) + onC * rest.col(corner[2]);
    hit.restPoint = toOsg(x) * _owner->getDeformation()->getBodyFromRest() * toOsg(_owner->getModel()->meshFromBody);
    return hit;
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
