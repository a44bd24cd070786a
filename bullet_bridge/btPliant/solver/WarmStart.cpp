// SPDX-License-Identifier: Zlib
#include "btPliant/solver/WarmStart.h"

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include "btPliant/data/ManifoldPoint.h"
#include "btPliant/solver/ConstraintColouring.h"
#include "btPliant/solver/EffectiveMass.h"
#include "btPliant/solver/FrameResponse.h"
#include "btPliant/solver/RagdollRows.h"
#include "btPliant/solver/TorsionalFriction.h"

namespace btPliantInternal {

void applyToFramesAlone(const ContactConstraint& contact, const ReducedBodies& reducedBodies, const btVector3& impulse,
                        const btScalar* P, SolverBodies& bodies) {
    btVector3 angular[2] = {btVector3(0, 0, 0), btVector3(0, 0, 0)}, turned[2] = {angular[0], angular[0]};
    for (int k = 0; k < 3; ++k) {
        const ConstraintRow& row = contact.rows[k];
        angular[0] += row.angularA * P[k];
        angular[1] += row.angularB * P[k];
        turned[0] += row.responseA * P[k];
        turned[1] += row.responseB * P[k];
    }
    for (int side = 0; side < 2; ++side) {
        if (!(side == 0 ? contact.movesA : contact.movesB)) continue;  // shared with contacts of other threads
        btSolverBody& body = bodies[side == 0 ? contact.bodyA : contact.bodyB];
        const ReducedBody* reduced = reducedBody(reducedBodies, side == 0 ? contact.reducedA : contact.reducedB);
        const btVector3 turn = frameTurn(body, reduced, angular[side]);
        const btVector3 linear = impulse * body.internalGetInvMass();
        body.internalGetDeltaLinearVelocity() += side == 0 ? linear : -linear;
        body.internalGetDeltaAngularVelocity() += turn;
        if (!reduced) continue;
        dataOf(*reduced->body).solvedAngularVelocity += toEigen(btVector3(turn - turned[side]));
        dataOf(*reduced->body).coupledAngularVelocity -= toEigen(turned[side]);
    }
}

bool startingImpulses(const ContactConstraint& contact, const btContactSolverInfo& info,
                      const ReducedBodies& reducedBodies, btScalar* P) {
    P[0] = P[1] = P[2] = 0;
    if (!(info.m_solverMode & SOLVER_USE_WARMSTARTING) || contact.point->m_appliedImpulse == btScalar(0) ||
        hasRagdoll(contact, reducedBodies))  // which begins each step without the impulses of the last
        return false;
    const btVector3 impulse = warmStartImpulse(*contact.point, info.m_warmstartingFactor);
    for (int k = 0; k < 3; ++k) P[k] = impulse.dot(contact.rows[k].axis);
    return true;
}

namespace {

void warmStart(const btContactSolverInfo& info, const ReducedBodies& reducedBodies, SolverBodies& bodies,
               ContactConstraint& contact) {
    btScalar P[3];
    if (!startingImpulses(contact, info, reducedBodies, P)) return;
    for (int k = 0; k < 3; ++k) contact.rows[k].impulse = P[k];
    const btVector3 impulse = warmStartImpulse(*contact.point, info.m_warmstartingFactor);
    applyToFramesAlone(contact, reducedBodies, impulse, P, bodies);
}

}  // namespace

void warmStartContacts(SolverBodies& bodies, const btContactSolverInfo& info, const pliant::Workers& workers,
                       ContactConstraints& all) {
    const auto nothing = [](int) {};
    forPairRanges(all.order, workers, nothing, [&](const PairRange& range, int) {
        for (int c = range.first; c < range.first + range.count; ++c) {
            if (all.contacts[c].hasResponse)
                prepareEffectiveMasses(bodies, all.reducedBodies, all.modalVectors.data(), all.contacts[c]);
            prepareTorsions(c, bodies, all);
            warmStart(info, all.reducedBodies, bodies, all.contacts[c]);
        }
    });
}

}  // namespace btPliantInternal
