// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/PassedFaces.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "btPliant/data/BodyData.h"
#include "btPliant/data/Convert.h"

namespace btPliantInternal {

using pliant::FieldSample;
using pliant::SkeletonContact;
using pliant::Vector3;

namespace {

/// Cosine between normals of one face.
constexpr double kSameFace = 0.7;
/// Of the distance between surface points, by which what slides on a face may have sunk into it.
constexpr double kSlop = 0.02;

}  // namespace

RelativeWay::RelativeWay(const ContactPair& pair, double step) {
    const auto h = static_cast<btScalar>(step);
    m_linear = toEigen(pair.a.getLinearVelocity() * h);
    m_angular = toEigen(pair.a.getAngularVelocity() * h);
    m_origin = toEigen(pair.a.getCenterOfMassPosition());
    const btRigidBody* other = btRigidBody::upcast(pair.other);
    m_otherLinear = other ? toEigen(other->getLinearVelocity() * h) : Vector3::Zero();
    m_otherAngular = other ? toEigen(other->getAngularVelocity() * h) : Vector3::Zero();
    m_otherOrigin = toEigen(pair.other->getWorldTransform().getOrigin());
}

Vector3 RelativeWay::at(const Vector3& place) const {
    return m_linear + m_angular.cross(place - m_origin) - m_otherLinear - m_otherAngular.cross(place - m_otherOrigin);
}

bool comesNear(const Vector3& normal, double distance, const Vector3& way) {
    return distance > 0.0 && distance + normal.dot(way) < 0.0;
}

bool goesPast(const Vector3& normal, const FieldSample& there, double spacing) {
    const bool isSameFace = there.normal.dot(normal) >= kSameFace;
    return there.distance > (isSameFace ? 0.0 : -kSlop * spacing);
}

void leaveOutPassedFaces(const ContactPair& pair, const PlacedShape& placed, double step, SkeletonContacts& found) {
    if (!pair.collider.field) return;
    ShapeField shape;
    pair.collider.field(placed, shape);
    const RelativeWay ways(pair, step);
    const double spacing = pair.a.data().field->model().pointSpacing();
    const auto isPassed = [&](const SkeletonContact& contact) {
        const Vector3 way = ways.at(contact.pointA);
        if (!comesNear(contact.normal, contact.distance, way)) return false;
        return goesPast(contact.normal, shape.sample(contact.pointA + way), spacing);
    };
    found.erase(std::remove_if(found.begin(), found.end(), isPassed), found.end());
}

}  // namespace btPliantInternal
