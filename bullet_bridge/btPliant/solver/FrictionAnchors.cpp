// SPDX-License-Identifier: Zlib
// Friction anchors of solids: contacts that stick give back what they have slipped.
//
// Friction is a constraint on velocities, and iterations leave a rest of them: a stack, whose weight pulls the same way
// in every step, creeps by that rest for ever. So each contact of a pair whose friction holds remembers how far its two
// points have moved against each other along the tangents, s (m), and its tangential rows ask for the velocity
// -k s / h. Pairs that slide have no memory; s is some micrometres in a stack at rest. Whether a pair holds is asked of
// all its contacts together: which of them carry the load changes from step to step, but they slip as one.
//
// Strands touch at points that run along the segments, so only pairs with a solid have anchors.
//
// s is kept in the manifold point, along m_lateralFrictionDir1 and 2, in two numbers that Bullet leaves to friction on
// moving surfaces and to soft friction, m_contactMotion2 and m_frictionCFM.
#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <algorithm>

#include "btPliant/data/SystemData.h"
#include "btPliant/solver/ContactConstraints.h"
#include "btPliant/solver/ModalVectorKernels.h"

using btPliantInternal::ConstraintRow;
using btPliantInternal::ContactConstraint;
using btPliantInternal::modalDot;
using btPliantInternal::PairRange;
using btPliantInternal::ReducedBody;
using SolverBodies = btAlignedObjectArray<btSolverBody>;

namespace {

/// Share of the slip that a step takes back.
constexpr btScalar kRecovery = btScalar(0.4);
/// Slip beyond this share of the distance that contacts are found within is given up: points that swung or slid along
/// without a load would be torn back when they touch.
constexpr double kLongestSlip = 0.5;
/// Share of the friction's limit from which on a pair slides.
constexpr btScalar kSliding = btScalar(0.98);

/// Velocity along a tangent that the solve has added to the frames, and that by which split impulses move them, m/s.
btScalar addedFrameVelocity(const ConstraintRow& row, btSolverBody& A, btSolverBody& B, btScalar turnShare) {
    return row.axis.dot(A.internalGetDeltaLinearVelocity() - B.internalGetDeltaLinearVelocity() +
                        A.internalGetPushVelocity() - B.internalGetPushVelocity()) +
           row.angularA.dot(A.internalGetDeltaAngularVelocity() + A.internalGetTurnVelocity() * turnShare) +
           row.angularB.dot(B.internalGetDeltaAngularVelocity() + B.internalGetTurnVelocity() * turnShare);
}

}  // namespace

bool btPliantConstraintSolver::ContactConstraints::isOfSolid(const ContactConstraint& contact) const {
    const auto has = [this](int index) {
        return index >= 0 && reducedBodies[static_cast<std::size_t>(index)].body->data().group->surface != nullptr;
    };
    return !contact.isSelf() && (has(contact.reducedA) || has(contact.reducedB));
}

void btPliantConstraintSolver::ContactConstraints::addAnchors(ContactConstraint& contact,
                                                              const btContactSolverInfo& info,
                                                              const double* freeSlipRate) const {
    contact.hasAnchor = isOfSolid(contact);
    if (!contact.hasAnchor) return;
    const btManifoldPoint& point = *contact.point;
    const btVector3 slip =
        point.m_lateralFrictionDir1 * point.m_contactMotion2 + point.m_lateralFrictionDir2 * point.m_frictionCFM;
    for (int k = 0; k < 2; ++k) {
        ConstraintRow& row = contact.rows[k + 1];
        contact.slip[k] = slip.dot(row.axis);
        contact.freeSlipRate[k] = static_cast<btScalar>(freeSlipRate[k]);
        row.rhs -= kRecovery * contact.slip[k] / info.m_timeStep;
    }
}

bool btPliantConstraintSolver::ContactConstraints::sticks(const PairRange& range) const {
    btScalar limit = 0, sideways = 0;
    for (int c = range.first; c < range.first + range.count; ++c) {
        const ConstraintRow* rows = contacts[c].rows;
        limit += contacts[c].friction * rows[0].impulse;
        sideways += btSqrt(rows[1].impulse * rows[1].impulse + rows[2].impulse * rows[2].impulse);
    }
    return sideways < kSliding * limit;
}

btScalar btPliantConstraintSolver::ContactConstraints::longestSlip(const ContactConstraint& contact) const {
    double scale = 0.0;
    for (const int index : {contact.reducedA, contact.reducedB})
        if (index >= 0) {
            const double own = reducedBodies[static_cast<std::size_t>(index)].body->data().contactScale;
            scale = scale > 0.0 ? std::min(scale, own) : own;
        }
    return static_cast<btScalar>(kLongestSlip * scale);
}

void btPliantConstraintSolver::ContactConstraints::moveAnchors(SolverBodies& bodies, const btContactSolverInfo& info) {
    const btScalar turnShare = info.m_splitImpulse ? info.m_splitImpulseTurnErp : btScalar(0);
    const btScalar *J = modalVectors.data(), *v = modalVelocities.data();
    for (const PairRange& range : pairRanges) {
        if (!contacts[range.first].hasAnchor) continue;
        const bool stick = sticks(range);
        const btScalar longest = longestSlip(contacts[range.first]);
        for (int c = range.first; c < range.first + range.count; ++c) {
            ContactConstraint& contact = contacts[c];
            for (int k = 0; k < 2; ++k) {
                const ConstraintRow& row = contact.rows[k + 1];
                // q moves by h (q'_0 + q'_1) / 2. Rows without responses carried nothing; of their slip that of the
                // frames counts.
                const btScalar modes = !contact.hasResponse
                                           ? btScalar(0)
                                           : modalDot(J + contact.jacobianOffsetA + (k + 1) * contact.strideA,
                                                      v + contact.velocityOffsetA, contact.strideA) +
                                                 modalDot(J + contact.jacobianOffsetB + (k + 1) * contact.strideB,
                                                          v + contact.velocityOffsetB, contact.strideB);
                const btScalar rate = contact.freeSlipRate[k] + modes / 2 +
                                      addedFrameVelocity(row, bodies[contact.bodyA], bodies[contact.bodyB], turnShare);
                contact.slip[k] = stick ? contact.slip[k] + rate * info.m_timeStep : btScalar(0);
            }
            const btScalar length = btSqrt(contact.slip[0] * contact.slip[0] + contact.slip[1] * contact.slip[1]);
            const btScalar keeps = length > longest ? longest / length : length >= 0 ? btScalar(1) : btScalar(0);
            for (btScalar& slip : contact.slip) slip = keeps > 0 ? keeps * slip : btScalar(0);
            contact.point->m_contactMotion2 = contact.slip[0];
            contact.point->m_frictionCFM = contact.slip[1];
        }
    }
}
