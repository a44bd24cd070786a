// SPDX-License-Identifier: Zlib
// A stage after the iterations, as Box2D's solver has it [C24].
//
// What is elastic within a body bounces by itself, through q. Restitution stands for what no step can see of it: bodies
// so stiff that their contact begins and ends within one step. So it belongs to the frames. The iterations stop the
// bodies; then each contact that carried an impulse, and whose frames approached at u_0 when the step began, gets what
// its frames lack to leave at e u_0. Having to wait for the touch would let the iterations, which only have to keep the
// gap closed at the end of the step, use up the approach first.
//
// Impulses of this stage move frames and leave the deformations alone, as those of the warm start do, and count in
// momentum as all others. They never give more than there was: the frames of a pair lose the sum of P (1 - e) u_0 / 2
// over its contacts by Newton's law, P being the whole impulse of each, and its deformations have gained the sum of
// P_0 (n.U q'_0 + n.U q'_1) / 2 by the iterations' part P_0 (BodyBatch.h), so e is no more than lets the former pay for
// the latter.
//
// Bones of characters move the skin beyond what their frame does: what a driven bone throws is thrown by the bone.
// Their velocity counts as the frames', and they pay as frames that are driven do.
//
// A pair that yields more by deformation than by motion of its frames, each contact by itself or all together, is not
// stiff: its bounce is what comes from q, and so is that of a contact that goes on from the step before. Slow contacts
// are left too (btContactSolverInfo::m_restitutionVelocityThreshold): the velocity of a body at rest, without the
// step's own gravity, is none.
#include "btPliant/solver/Restitution.h"

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <vector>

#include "btPliant/solver/FrameResponse.h"
#include "btPliant/solver/ModalVectorKernels.h"
#include "btPliant/solver/WarmStart.h"

namespace btPliantInternal {

namespace {

/// A contact of a pair that bounces.
struct Bounce {
    int contact = 0;
    btScalar inverseMass = 0;  ///< of the frames, 1/kg
    btScalar impulse = 0;      ///< of this stage, N s
};

/// Bounces of one pair of bodies.
struct BouncingPair {
    std::size_t first = 0, end = 0;  ///< in the list of bounces
    btScalar modalEnergyTwice = 0;   ///< of what the iterations gave to the deformations, J
};

/// Velocity of the frames along the normal that the solver has added, m/s.
btScalar addedVelocity(const ConstraintRow& row, btSolverBody& A, btSolverBody& B) {
    return row.axis.dot(A.internalGetDeltaLinearVelocity() - B.internalGetDeltaLinearVelocity()) +
           row.angularA.dot(A.internalGetDeltaAngularVelocity()) +
           row.angularB.dot(B.internalGetDeltaAngularVelocity());
}

btScalar frameInverseMass(const ContactConstraints& all, const ContactConstraint& contact, const SolverBodies& bodies) {
    const ConstraintRow& row = contact.rows[0];
    btScalar sum = 0;
    for (int side = 0; side < 2; ++side) {
        if (!(side == 0 ? contact.movesA : contact.movesB)) continue;
        const btSolverBody& body = bodies[side == 0 ? contact.bodyA : contact.bodyB];
        const int index = side == 0 ? contact.reducedA : contact.reducedB;
        const btVector3& angular = side == 0 ? row.angularA : row.angularB;
        const ReducedBody* reduced = reducedBody(all.reducedBodies, index);
        sum += (row.axis * body.internalGetInvMass()).dot(row.axis) + angular.dot(frameTurn(body, reduced, angular));
    }
    return sum;
}

/// Velocity along the normal that the impulses have given to the deformations, m/s.
btScalar addedModalVelocity(const ContactConstraints& all, const ContactConstraint& contact) {
    const btScalar *J = all.modalVectors.data(), *v = all.modalVelocities.data();
    return modalDot(J + contact.jacobianOffsetA, v + contact.velocityOffsetA, contact.strideA) +
           modalDot(J + contact.jacobianOffsetB, v + contact.velocityOffsetB, contact.strideB);
}

/// Adds the contacts of a pair that carry an impulse, if it is one that bounces.
void addPair(const ContactConstraints& all, const PairRange& range, SolverBodies& bodies, std::vector<Bounce>& bounces,
             std::vector<BouncingPair>& pairs) {
    BouncingPair pair;
    pair.first = bounces.size();
    btScalar modalWork = 0, frameWork = 0, modalYield = 0, frameYield = 0, fastest = 0;
    for (int c = range.first; c < range.first + range.count; ++c) {
        const ContactConstraint& contact = all.contacts[c];
        const btScalar P = contact.rows[0].impulse;
        if (!(P > 0 && contact.rows[0].effectiveMass > 0) || contact.isSelf()) continue;
        fastest = btMax(fastest, contact.approachSpeed);
        const btScalar modal = addedModalVelocity(all, contact);
        modalWork += P * modal;
        frameWork += P * addedVelocity(contact.rows[0], bodies[contact.bodyA], bodies[contact.bodyB]);
        pair.modalEnergyTwice += P * (contact.modalVelocitySum + modal);
        const btScalar frames = frameInverseMass(all, contact, bodies);
        frameYield += P * frames;
        modalYield += P * (1 / contact.rows[0].effectiveMass - frames);
        bounces.push_back({c, frames, 0});
    }
    pair.end = bounces.size();
    if (fastest > 0 && modalWork < frameWork && modalYield < frameYield)
        pairs.push_back(pair);
    else
        bounces.resize(pair.first);
}

/// One iteration over the contacts of a pair.
void iteratePair(ContactConstraints& all, const BouncingPair& pair, std::vector<Bounce>& bounces,
                 SolverBodies& bodies) {
    btScalar spent = 0;
    for (std::size_t i = pair.first; i < pair.end; ++i) {
        const ContactConstraint& contact = all.contacts[bounces[i].contact];
        spent += contact.rows[0].impulse * contact.approachSpeed;
    }
    const btScalar affordable = spent > 0 ? btMax(btScalar(0), 1 - pair.modalEnergyTwice / spent) : btScalar(0);
    for (std::size_t i = pair.first; i < pair.end; ++i) {
        Bounce& bounce = bounces[i];
        ContactConstraint& contact = all.contacts[bounce.contact];
        if (!(contact.approachSpeed > 0 && bounce.inverseMass > 0)) continue;
        const btScalar velocity =
            contact.freeFrameVelocity + addedVelocity(contact.rows[0], bodies[contact.bodyA], bodies[contact.bodyB]);
        const btScalar lacks = btMin(contact.restitution, affordable) * contact.approachSpeed - velocity;
        const btScalar next = btMax(btScalar(0), bounce.impulse + lacks / bounce.inverseMass);
        const btScalar P[3] = {next - bounce.impulse, 0, 0};
        bounce.impulse = next;
        contact.rows[0].impulse += P[0];
        applyToFramesAlone(contact, all.reducedBodies, contact.rows[0].axis * P[0], P, bodies);
    }
}

}  // namespace

bool computeRestitution(const SolverBodies& bodies, const btContactSolverInfo& info, double skin, double modalStart,
                        double modalFree, ContactConstraint& contact) {
    const btSolverBody &A = bodies[contact.bodyA], &B = bodies[contact.bodyB];
    const ConstraintRow& row = contact.rows[0];
    const btScalar start = row.axis.dot(A.m_linearVelocity - B.m_linearVelocity) +
                           row.angularA.dot(A.m_angularVelocity) + row.angularB.dot(B.m_angularVelocity) +
                           static_cast<btScalar>(skin);
    contact.modalVelocitySum = static_cast<btScalar>(modalStart + modalFree);
    if (contact.isSelf() || contact.point->m_appliedImpulse > 0 || !(-start > info.m_restitutionVelocityThreshold))
        return false;
    contact.restitution = btMin(btScalar(1), contact.point->m_combinedRestitution);
    contact.approachSpeed = -start;
    contact.freeFrameVelocity = start + row.axis.dot(A.m_externalForceImpulse - B.m_externalForceImpulse) +
                                row.angularA.dot(A.m_externalTorqueImpulse) +
                                row.angularB.dot(B.m_externalTorqueImpulse);
    return true;
}

void applyRestitution(int iterations, SolverBodies& bodies, ContactConstraints& all) {
    if (!all.hasRestitution || all.divergence.any) return;
    std::vector<Bounce> bounces;
    std::vector<BouncingPair> pairs;
    for (const PairRange& range : all.order.pairRanges) addPair(all, range, bodies, bounces, pairs);
    for (int i = 0; i < iterations; ++i)
        for (const BouncingPair& pair : pairs) iteratePair(all, pair, bounces, bodies);
}

}  // namespace btPliantInternal
