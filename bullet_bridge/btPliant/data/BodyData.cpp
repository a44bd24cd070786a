// SPDX-License-Identifier: Zlib
#include "btPliant/data/BodyData.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "btPliant/data/Convert.h"
#include "btPliant/data/Sound.h"

using btPliantInternal::toBullet;
using btPliantInternal::toEigen;
using pliant::Matrix3;
using pliant::Vector3;

namespace {

/// The longest side of the box around a body, m.
double sizeOf(const btPliantInternal::BodyData& body) {
    const pliant::BoxF& box = body.deformed->outerBox();
    float size = 0;
    for (int k = 0; k < 3; ++k) size = std::max(size, -box.negUpper[k] - box.lower[k]);
    return static_cast<double>(size);
}

}  // namespace

int btPliantInternal::softCoordinates(const btPliantInternal::BodyData& body, double speed) {
    constexpr double gravity = 9.81, share = 0.01, shareOfThickness = 0.25;
    const auto frequencies = body.batch().modalFrequencies().array();
    const double yielding = shareOfThickness * body.largestRadius;
    return static_cast<int>(
        (frequencies.square() * (share * sizeOf(body)) < gravity || frequencies * yielding < speed).count());
}

bool btPliantInternal::isLimpSheet(const btPliantInternal::BodyData& body) {
    constexpr double thin = 0.02;
    return body.group->surface != nullptr && !body.character && body.largestRadius < thin * sizeOf(body) &&
           softCoordinates(body, 0.0) > 0;
}

void btPliantBody::Data::updateMomentum() {
    const btMatrix3x3& basis = body->getWorldTransform().getBasis();
    const btVector3& omega = body->getAngularVelocity();
    if (momentumIsKnown && omega == momentumVelocity && basis == momentumBasis) return;
    const Matrix3 A = toEigen(basis);
    angularMomentum = A * batch().angularMomentum(slot, A.transpose() * toEigen(omega));
    momentumVelocity = omega;
    momentumBasis = basis;
    momentumIsKnown = true;
}

void btPliantBody::Data::updateInertia() {
    inverseInertia = batch().inertia(slot).inverse();
    modalAngularMomentum = batch().modalAngularMomentum(slot);
}

void btPliantBody::Data::updateAngularVelocity() {
    const btMatrix3x3& basis = body->getWorldTransform().getBasis();
    const Matrix3 A = toEigen(basis);
    const Vector3 W = inverseInertia * (A.transpose() * angularMomentum - modalAngularMomentum);
    body->setAngularVelocity(toBullet(A * W) * body->getAngularFactor());
    momentumVelocity = body->getAngularVelocity();
    momentumBasis = basis;
    momentumIsKnown = body->getAngularFactor() == btVector3(1, 1, 1);
}

void btPliantBody::Data::updateMidstepAngularVelocity(double h) {
    if (body->getAngularFactor() != btVector3(1, 1, 1)) return;
    const Matrix3 A = toEigen(body->getWorldTransform().getBasis());
    Vector3 omega = A * (inverseInertia * (A.transpose() * angularMomentum - modalAngularMomentum));
    for (int iteration = 0; iteration < 3; ++iteration) {
        const double angle = 0.5 * h * omega.norm();
        if (angle < 1e-9) break;
        const Matrix3 middle = Eigen::AngleAxisd(angle, omega.normalized()) * A;
        omega = middle * (inverseInertia * (middle.transpose() * angularMomentum - modalAngularMomentum));
    }
    body->setAngularVelocity(toBullet(omega));
}

void btPliantBody::Data::settleEnergy() {
    if (!batch().wasStruck(slot)) return;
    if (!frameIsFree) {
        batch().settleEnergy(slot, Vector3::Zero());
        return;
    }
    const Matrix3 A = toEigen(body->getWorldTransform().getBasis());
    batch().settleEnergy(slot, batch().angularVelocity(slot, A.transpose() * angularMomentum));
}

bool btPliantBody::Data::collisionNeedsUpdate() const {
    // Where a body cannot be it is not moved to: to ask again and again would add to the bounds of its motion each
    // time.
    const btTransform& place = body->getWorldTransform();
    return collisionIsOutdated || (!(place == deformedTransform) && btPliantInternal::isPlace(place));
}

pliant::DeformedBody::NewState btPliantBody::Data::beginCollisionUpdate() {
    collisionIsOutdated = false;
    // A place that cannot be is none to move to: bounds on motion are sums, which would be no numbers for good. The
    // substep puts the body back (step/MotionGuard.h).
    if (btPliantInternal::isPlace(body->getWorldTransform())) deformedTransform = body->getWorldTransform();
    return {&*deformed, batch().q(slot).data(), toEigen(deformedTransform),
            character ? character->bones.data() : nullptr};
}

void btPliantBody::Data::updateCollision() {
    if (!collisionNeedsUpdate()) return;
    const pliant::DeformedBody::NewState state = beginCollisionUpdate();
    pliant::DeformedBody::moveTogether(&state, 1);
}

void btPliantBody::Data::stateWasSet() {
    batch().resetAcceleration(slot);
    momentumIsKnown = false;
    collisionIsOutdated = true;
    isAsleep = false;
    body->activate(true);
}

pliant::DeformedField::NewState btPliantBody::Data::fieldState() {
    return {&*field, &*deformed, batch().q(slot).data()};
}

void btPliantBody::Data::recordSubstepMotion() {
    substepTravel = deformed->motionBound() - travelBefore;
    travelBefore = deformed->motionBound();
    substepRelativeMotionBound = deformed->relativeMotionBound() - relativeMotionBoundBefore;
    relativeMotionBoundBefore = deformed->relativeMotionBound();
}

void btPliantBody::Data::forgetMotion() {
    collisionIsOutdated = true;
    updateCollision();
    travelBefore = deformed->motionBound();
    relativeMotionBoundBefore = deformed->relativeMotionBound();
}

pliant::AffineMap btPliantBody::Data::framePlace() const {
    pliant::AffineMap map;
    map.leftCols<3>() = toEigen(body->getWorldTransform().getBasis());
    map.col(3) = toEigen(body->getWorldTransform().getOrigin());
    return map;
}

pliant::AffineMap btPliantBody::Data::placeOf(const pliant::MaterialPoint& point) const {
    if (!character) return framePlace();
    return btPliantInternal::Carriers(*character->model, point).map(character->bones);
}

Matrix3 btPliantBody::Data::turnOf(const pliant::MaterialPoint& point) const {
    if (!character) return framePlace().leftCols<3>();
    return btPliantInternal::Carriers(*character->model, point).turn(character->bones);
}
