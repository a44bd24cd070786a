// SPDX-License-Identifier: Zlib
#include "btPliant/touch/TouchIteration.h"

#include <algorithm>
#include <cmath>

#include "btPliant/data/BodyMomentum.h"
#include "btPliant/data/Convert.h"
#include "btPliant/solver/FrameResponse.h"
#include "btPliant/touch/TouchSetUp.h"
#include "pliant/touch/ElementRowKernels.h"

namespace btPliantInternal {

using pliant::Vector3;
using pliant::VectorX;

namespace {

/// Of the velocities: an element whose bodies others have moved by less has nothing to solve for. Bullet's numbers may
/// be of single precision.
constexpr double kUnmoved = sizeof(btScalar) == sizeof(double) ? 1e-13 : 1e-7;
constexpr double kSameLimits = 1e-2;  ///< of the limits of friction, a change that need not be solved for again
constexpr int kMostArrivals = 3;      ///< solves of an iteration for points that have come to touch in the one before

/// z of one body now.
void readVelocity(TouchSide& side, const ContactConstraints& contacts, const SolverBodies& bodies, double* z) {
    if (side.frame > 0) {
        const btSolverBody& body = bodies[side.solverBody];
        const Vector3 linear = toEigen(body.m_linearVelocity) + toEigen(body.m_externalForceImpulse) +
                               toEigen(body.getDeltaLinearVelocity());
        const Vector3 angular = toEigen(body.m_angularVelocity) + toEigen(body.m_externalTorqueImpulse) +
                                toEigen(body.getDeltaAngularVelocity());
        for (int k = 0; k < 3; ++k) {
            z[k] = linear[k];
            z[k + 3] = angular[k];
        }
    }
    if (side.modes == 0) return;
    const BodyData& data = dataOf(*side.body);
    const btScalar* found =
        contacts.modalVelocities.data() + contacts.reducedBodies[static_cast<std::size_t>(side.reduced)].velocityOffset;
    VectorX& added = side.found;  // `change` has frame and modes, and would be allocated anew for either
    added.resize(side.modes);
    for (int j = 0; j < side.modes; ++j) added[j] = static_cast<double>(found[j]);
    Eigen::Map<VectorX> modes(z + side.frame, side.modes);
    modes = data.batch().velocity(data.slot);
    if (side.isWhitened)
        modes.noalias() += side.whitening.transpose() * added;
    else
        modes += added;
}

/// What an impulse does to one body. @param p generalised impulse, of the size of the side
void apply(const double* p, TouchSide& side, ContactConstraints& contacts, SolverBodies& bodies) {
    btSolverBody& body = bodies[side.solverBody];
    const Vector3 angular = side.frame > 0 ? Vector3(p[3], p[4], p[5]) : Vector3(Vector3::Zero());
    if (side.frame > 0)
        body.internalGetDeltaLinearVelocity() += toBullet(Vector3(p[0], p[1], p[2])) * body.internalGetInvMass();
    if (!side.body) {
        if (side.frame > 0) body.internalGetDeltaAngularVelocity() += rigidResponse(body, toBullet(angular));
        return;
    }
    const BodyData& data = dataOf(*side.body);
    ReducedBody& reduced = contacts.reducedBodies[static_cast<std::size_t>(side.reduced)];
    const pliant::Matrix3 A = toEigen(side.object->getWorldTransform().getBasis());
    const Vector3 arm = A.transpose() * angular;
    const double* modal = p + side.frame;
    Vector3 turn = Vector3::Zero();
    VectorX& bend = side.found;
    bend.resize(side.modes);
    respondTo(data, 1, arm.data(), modal, turn.data(), bend.data());
    if (side.frame > 0) {
        const btVector3 world = toBullet(Vector3(A * turn)) * side.body->getAngularFactor();
        body.internalGetDeltaAngularVelocity() += world;
        side.turned += toEigen(world);
    }
    if (side.isWhitened) data.batch().whiten(data.slot, 1, modal, bend.data());
    btScalar* found = contacts.modalVelocities.data() + reduced.velocityOffset;
    for (int j = 0; j < side.modes; ++j) found[j] += static_cast<btScalar>(bend[j]);
    reduced.hasJointImpulse = true;
}

pliant::RowsView normalsOf(const TouchConstraint& touch) {
    const int n = touch.dimension();
    return {touch.rows.data(), touch.element.pointCount(), n, n};
}

pliant::RowsView tangentsOf(const TouchConstraint& touch) {
    const int n = touch.dimension();
    return {touch.tangents.data(), 2 * touch.bristles, n, n};
}

/// Depths and bends at the end of the step where the element does nothing, and limits of friction.
/// @return whether the limits have changed much
bool placeFreely(double h, TouchConstraint& touch) {
    const std::size_t count = touch.points.size();
    touch.scratch.resize(count + 2 * static_cast<std::size_t>(touch.bristles));
    multiplyRows(normalsOf(touch), touch.target.data(), touch.scratch.data());
    if (touch.bristles > 0) multiplyRows(tangentsOf(touch), touch.target.data(), touch.scratch.data() + count);
    double changes = 0.0, limits = 0.0;
    for (int i = 0; i < touch.element.pointCount(); ++i) {
        const TouchPoint& point = touch.points[static_cast<std::size_t>(i)];
        const double depth = point.baseDepth - h * touch.scratch[static_cast<std::size_t>(i)];
        double bend[2] = {0.0, 0.0};
        for (int k = 0; k < 2 && point.bristle >= 0; ++k)
            bend[k] = point.baseBend[k] + h * touch.scratch[count + static_cast<std::size_t>(2 * point.bristle + k)];
        touch.element.setFree(i, depth, bend);
        if (!touch.hasSolved || !(touch.element.point(i).bristle > 0.0)) continue;
        const double limit = touch.friction * point.cosine * touch.element.normalImpulse(i) / h;
        changes += std::abs(limit - touch.element.point(i).limit);
        limits += limit;
        touch.element.setLimit(i, limit);
    }
    return changes > kSameLimits * limits;
}

/// Sum over all points of J' P.
void sumImpulses(TouchConstraint& touch, VectorX& sum) {
    sum.setZero(touch.dimension());
    const std::size_t count = touch.points.size();
    touch.scratch.resize(count + 2 * static_cast<std::size_t>(touch.bristles));
    for (std::size_t i = 0; i < count; ++i) {
        const auto number = static_cast<int>(i);
        touch.scratch[i] = touch.element.normalImpulse(number);
        for (int k = 0; k < 2 && touch.points[i].bristle >= 0; ++k)
            touch.scratch[count + static_cast<std::size_t>(2 * touch.points[i].bristle + k)] =
                touch.element.tangentImpulse(number, k);
    }
    addRows(normalsOf(touch), touch.scratch.data(), sum.data());
    if (touch.bristles > 0) addRows(tangentsOf(touch), touch.scratch.data() + count, sum.data());
    for (const TouchSide& side : touch.side)  // rows hold half of the modes
        sum.segment(side.first + side.frame, side.modes) *= 2.0;
}

btScalar iterate(ContactConstraints& contacts, SolverBodies& bodies, TouchConstraint& touch) {
    const double h = touch.element.step();
    for (TouchSide& side : touch.side) {
        readVelocity(side, contacts, bodies, touch.velocity.data() + side.first);
        const Eigen::Map<const VectorX> own(touch.element.velocity() + side.first, side.size());
        touch.target.segment(side.first, side.size()) = touch.velocity.segment(side.first, side.size());
        if (side.size() > 0) touch.target.segment(side.first, side.size()).noalias() -= side.metric * own;
    }
    const bool moved = !touch.hasSolved || !((touch.target - touch.lastTarget).norm() <=
                                             kUnmoved * (touch.target.norm() + touch.velocity.norm()));
    const bool limited = placeFreely(h, touch);
    if (!moved && !limited) return 0;
    touch.lastTarget = touch.target;
    touch.scratch.assign(static_cast<std::size_t>(touch.dimension()), 0.0);
    touch.element.solve(touch.scratch.data());
    touch.hasSolved = true;
    for (int i = 0; i < kMostArrivals && addMissingBristles(touch); ++i) {
        placeFreely(h, touch);
        touch.scratch.assign(static_cast<std::size_t>(touch.dimension()), 0.0);
        touch.element.solve(touch.scratch.data());
    }
    VectorX& sum = touch.impulse;
    sumImpulses(touch, sum);
    if (!sum.allFinite()) sum.setZero();
    double largest = 0.0;
    for (TouchSide& side : touch.side) {
        if (side.size() == 0) continue;
        side.change = sum.segment(side.first, side.size()) - side.applied;
        side.applied += side.change;
        apply(side.change.data(), side, contacts, bodies);
        if (side.frame > 0) largest = std::max(largest, side.change.head(3).squaredNorm());
    }
    return static_cast<btScalar>(largest);
}

}  // namespace

btScalar iterateTouches(ContactConstraints& contacts, SolverBodies& bodies, TouchConstraints& all) {
    btScalar largest = 0;
    for (int i = 0; i < all.count; ++i)
        largest = btMax(largest, iterate(contacts, bodies, *all.elements[static_cast<std::size_t>(i)]));
    return largest;
}

// As of contacts: impulses times the velocities that were missing, here depths without the element over the step.
double workOfTouches(const TouchConstraints& all) {
    double sum = 0.0;
    for (int t = 0; t < all.count; ++t) {
        const TouchConstraint& touch = *all.elements[static_cast<std::size_t>(t)];
        for (int i = 0; i < touch.element.pointCount(); ++i) {
            const pliant::ConvexElementPoint& point = touch.element.point(i);
            double work = touch.element.normalImpulse(i) * std::max(0.0, point.freeDepth);
            for (int k = 0; k < 2; ++k) work += std::abs(touch.element.tangentImpulse(i, k) * point.freeBend[k]);
            sum += std::isfinite(work) ? work / touch.element.step() : 0.0;
        }
    }
    return sum;
}

}  // namespace btPliantInternal
