// SPDX-License-Identifier: Zlib
// How far the two objects of a pair move in a step, and what follows for finding their contacts.
#include "btPliant/narrowphase/MotionPrediction.h"

#include <LinearMath/btTransformUtil.h>

#include <algorithm>
#include <cmath>

#include "btPliant/body/Convert.h"
#include "btPliant/narrowphase/ContactPair.h"
#include "btPliant/narrowphase/HalfSpace.h"
#include "btPliant/step/SystemData.h"
#include "pliant/collision/pair/ContinuousCollision.h"
#include "pliant/collision/pair/SkeletonQueries.h"

namespace btPliantInternal {

bool movesInStep(const btRigidBody& body) {
    return body.isKinematicObject() || !body.isStaticObject();
}

btVector3 freeVelocity(const btRigidBody& body, double step) {
    if (body.isStaticOrKinematicObject()) return body.getLinearVelocity();
    return body.getLinearVelocity() + body.getTotalForce() * (body.getInvMass() * static_cast<btScalar>(step));
}

btTransform predictedTransform(const btRigidBody& body, double step) {
    btTransform ahead;
    btTransformUtil::integrateTransform(body.getWorldTransform(), freeVelocity(body, step), body.getAngularVelocity(),
                                        static_cast<btScalar>(step), ahead);
    return ahead;
}

namespace {

/// Of the farthest that a body has turned or bent in the last substep, what its segments are taken to come nearer by in
/// the next one, and radii that this may be at most. All of it would make collision in impacts three times as dear,
/// most of it for segments that swing past each other; without any, segments pass through each other unseen in steps of
/// 1/60 s.
constexpr double kRelativeMotionShare = 0.25, kLargestRelativeMotion = 1.0;
/// What comes by more radii of the thinner body in a step is fast: within them, the distance of the present tells which
/// segments will touch, beyond them the way does.
constexpr double kFastRadii = 3.0;
/// How many times what turning and deforming can carry segments by in a step the outermost boxes of what passes by
/// keep: contacts with others change both within the step.
constexpr double kRelativeMotionRoom = 2.0;

/// Metres that turning carries a body's segments in a step.
double turningMotion(const btPliantBody& body, double step) {
    const double turn = step * static_cast<double>(body.getAngularVelocity().length());
    if (turn <= 0) return 0;
    const pliant::BoxF& box = body.data().deformed->outerBox();
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
        const auto farthest = static_cast<double>(std::max(std::fabs(box.lower[k]), std::fabs(box.negUpper[k])));
        squared += farthest * farthest;
    }
    return turn * std::sqrt(squared);
}

/// Metres that turning and deforming carry a body's segments in a step: as in the last one, or as it turns now.
double relativeMotion(const btPliantBody& body, double step) {
    return std::max(body.data().substepRelativeMotionBound, turningMotion(body, step));
}

/// Upper bound of the same on the motion that btPliantBody::Data::predictMotion() predicts.
double predictedRelativeMotion(const btPliantBody& body, double step) {
    const btPliantBody::Data& data = body.data();
    return turningMotion(body, step) +
           data.group->collision->largestGain() * data.batch().predictedChangeBound(data.slot, step);
}

double relativeMotionMargin(const btPliantBody& body, double radius) {
    return std::min(kRelativeMotionShare * body.data().substepRelativeMotionBound, kLargestRelativeMotion * radius);
}

/// Metres that a rigid body's turning carries its points in a step, at most.
double turning(const btRigidBody& body, double step) {
    if (body.getAngularVelocity().length2() <= 0) return 0;
    return step *
           static_cast<double>(body.getAngularVelocity().length() * body.getCollisionShape()->getAngularMotionDisc());
}

}  // namespace

double ContactPair::speculativeMargin(double step) const {
    if (isSelf()) return selfMargin(step);
    const double radius = std::max(a.data().contactScale, b ? b->data().contactScale : 0.0);
    const double largest = std::max(a.data().largestRadius, b ? b->data().largestRadius : 0.0);
    const btRigidBody* rigid = btRigidBody::upcast(other);
    const btVector3 relative =
        rigid ? btVector3(a.getLinearVelocity() - rigid->getLinearVelocity()) : a.getLinearVelocity();
    double approach = step * static_cast<double>(relative.length());
    approach += relativeMotionMargin(a, radius) + (b ? relativeMotionMargin(*b, radius) : 0.0);
    if (rigid && !b) approach += turning(*rigid, step);
    approach = std::min(approach, kLargestApproach * largest);
    const double base = static_cast<double>(system.info.m_speculativeRadii) * radius;
    // In a pile at rest most of these contacts would be segments that stay apart: in a substep nothing comes much
    // farther than four times what it came in the last one. What loses its hold sinks in by g h^2 at most before that
    // tells.
    const bool mayBeQuiet = b || other->isStaticOrKinematicObject();
    const double travel = mayBeQuiet ? a.data().substepTravel + (b ? b->data().substepTravel : approach) : 1e30;
    return 0.2 * base + std::min(4.0 * travel, 0.8 * base + approach);
}

double ContactPair::approachInStep(double step) const {
    const btRigidBody* rigid = btRigidBody::upcast(other);
    btVector3 relative = freeVelocity(a, step);
    if (rigid) relative -= freeVelocity(*rigid, step);
    return step * static_cast<double>(relative.length()) + relativeMotion(a, step) +
           (b ? relativeMotion(*b, step) : 0.0);
}

double ContactPair::continuousMargin() const {
    const double radius = std::max(a.data().contactScale, b ? b->data().contactScale : 0.0);
    return static_cast<double>(system.info.m_speculativeRadii) * radius + relativeMotionMargin(a, radius) +
           (b ? relativeMotionMargin(*b, radius) : 0.0);
}

double ContactPair::continuousReach(const btCollisionShape& otherShape) const {
    const auto ours = static_cast<double>(system.info.m_margin);
    double theirs = 0;
    if (b) theirs = ours;
    if (kind == ShapeKind::Plane) theirs = static_cast<double>(otherShape.getMargin());
    return continuousMargin() + ours + theirs;
}

bool ContactPair::staysApart(const btCollisionShape& otherShape, const btTransform& otherTransform, double step) const {
    if (isSelf() || (kind != ShapeKind::Body && kind != ShapeKind::Plane)) return false;
    const pliant::DeformedBody& ours = *a.data().deformed;
    btVector3 velocity = freeVelocity(a, step);
    double reach = continuousReach(otherShape) + kRelativeMotionRoom * predictedRelativeMotion(a, step);
    if (kind == ShapeKind::Plane) {
        const btRigidBody* rigid = btRigidBody::upcast(other);
        if (rigid && movesInStep(*rigid)) {
            velocity -= freeVelocity(*rigid, step);
            reach += turning(*rigid, step);
        }
        const HalfSpace plane(otherShape, otherTransform);
        const double down = -step * plane.normal.dot(toEigen(velocity));
        return pliant::isBeyond(ours, plane.normal, plane.offset, reach + std::max(0.0, down));
    }
    velocity -= freeVelocity(*b, step);
    reach += kRelativeMotionRoom * predictedRelativeMotion(*b, step);
    return pliant::boxesStayApart(ours, *b->data().deformed, step * toEigen(velocity), reach);
}

bool ContactPair::isFast(double step) const {
    if (query || isSelf()) return false;
    const btRigidBody* rigid = btRigidBody::upcast(other);
    btVector3 relative = freeVelocity(a, step);
    if (rigid) relative -= freeVelocity(*rigid, step);
    double motion = step * static_cast<double>(relative.length()) + relativeMotion(a, step);
    if (b)
        motion += relativeMotion(*b, step);
    else if (rigid)
        motion += turning(*rigid, step);
    const double thinner = b ? std::min(a.data().largestRadius, b->data().largestRadius) : a.data().largestRadius;
    return motion > kFastRadii * thinner;
}

btVector3 predictedFastMotion(const btPliantBody& body, double step) {
    const btVector3 way = freeVelocity(body, step) * static_cast<btScalar>(step);
    const double motion = static_cast<double>(way.length()) + relativeMotion(body, step);
    return motion > kFastRadii * body.data().largestRadius ? way : btVector3(0, 0, 0);
}

}  // namespace btPliantInternal

void btPliantBody::Data::predictMotion(double step) {
    const unsigned substep = system->data().substep;  // a body that has not moved may have got a velocity since
    if (deformed->hasPrediction() && predictedSubstep == substep) return;
    predictedSubstep = substep;
    static thread_local pliant::VectorX q;
    q.resize(batch().model().dimension());
    batch().predict(slot, step, q.data());
    deformed->predictMotion(q.data(), btPliantInternal::toEigen(btPliantInternal::predictedTransform(*body, step)));
}
