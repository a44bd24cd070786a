// SPDX-License-Identifier: Zlib
#include "btPliant/solver/TorsionalFriction.h"

#include "btPliant/solver/FrameResponse.h"
#include "btPliant/solver/ModalVectorKernels.h"

namespace btPliantInternal {

namespace {

/// Change of a frame's angular velocity by a torque impulse, both in the world. @param reduced null: a rigid body
btVector3 torqueResponse(const ReducedBody* reduced, const btSolverBody& body, const btVector3& torque) {
    return reduced ? reduced->torqueResponse * torque : rigidResponse(body, torque);
}

/// The same of a pair: of A, less that of B, to the torque on A.
btVector3 pairResponse(const ContactConstraint& contact, const btVector3& torque, const SolverBodies& bodies,
                       const ReducedBodies& reducedBodies) {
    return torqueResponse(reducedBody(reducedBodies, contact.reducedA), bodies[contact.bodyA], torque) +
           torqueResponse(reducedBody(reducedBodies, contact.reducedB), bodies[contact.bodyB], torque);
}

/// What a torque impulse does to the deformation.
void applyToModes(const ReducedBody* s, const btVector3& torque, ContactConstraints& all) {
    if (!s || s->modalTorqueResponse < 0) return;
    for (int k = 0; k < 3; ++k)
        modalAdd(all.modalVelocities.data() + s->velocityOffset, torque[k],
                 all.modalVectors.data() + s->modalTorqueResponse + k * s->stride, s->stride);
}

/// @param torque impulse on A, N m s
void applyTorque(const ContactConstraint& contact, const btVector3& torque, SolverBodies& bodies,
                 ContactConstraints& all) {
    if (torque.x() == 0 && torque.y() == 0 && torque.z() == 0) return;
    btSolverBody& A = bodies[contact.bodyA];
    btSolverBody& B = bodies[contact.bodyB];
    const ReducedBody *a = reducedBody(all.reducedBodies, contact.reducedA),
                      *b = reducedBody(all.reducedBodies, contact.reducedB);
    if (contact.movesA) A.internalGetDeltaAngularVelocity() += torqueResponse(a, A, torque);
    if (contact.movesB) B.internalGetDeltaAngularVelocity() -= torqueResponse(b, B, torque);
    applyToModes(a, torque, all);
    applyToModes(b, -torque, all);
}

void iterateSpinningFriction(const ContactConstraint& contact, TorsionalFrictionRow& torsion, SolverBodies& bodies,
                             ContactConstraints& all) {
    btSolverBody& A = bodies[contact.bodyA];
    btSolverBody& B = bodies[contact.bodyB];
    const btScalar limit = torsion.coefficient * contact.rows[0].impulse;
    if (limit <= 0 && torsion.impulse == 0) return;
    const btVector3& axis = contact.rows[0].axis;
    const btScalar added = axis.dot(A.internalGetDeltaAngularVelocity() - B.internalGetDeltaAngularVelocity());
    const btScalar wanted = torsion.impulse + (torsion.rhs - added) * torsion.effectiveMass;
    const btScalar next = btMax(-limit, btMin(limit, wanted));
    const btScalar change = next - torsion.impulse;
    torsion.impulse = next;
    applyTorque(contact, axis * change, bodies, all);
}

// As if there were no limit, one row after the other: rods turn about their length far more easily than about anything
// else, so what the first row does to the second is not small. Beyond the limit a step along the residual itself and
// back to the disc, both rows by one measure: it comes to rest where the torque opposes what is left of the turning,
// which steps by each row's own mass would not. @param torsion the rows of both tangents
void iterateRollingFriction(const ContactConstraint& contact, TorsionalFrictionRow* torsion, SolverBodies& bodies,
                            ContactConstraints& all) {
    btSolverBody& A = bodies[contact.bodyA];
    btSolverBody& B = bodies[contact.bodyB];
    const btScalar limit = btMax(btScalar(0), torsion[0].coefficient * contact.rows[0].impulse);
    const btScalar last[2] = {torsion[0].impulse, torsion[1].impulse};
    if (limit == 0 && last[0] == 0 && last[1] == 0) return;
    const btVector3 &first = contact.rows[torsion[0].axis].axis, &second = contact.rows[torsion[1].axis].axis;
    const btVector3 added = A.internalGetDeltaAngularVelocity() - B.internalGetDeltaAngularVelocity();
    const btScalar velocityError[2] = {torsion[0].rhs - first.dot(added), torsion[1].rhs - second.dot(added)};
    const btScalar effectiveMass[2] = {torsion[0].effectiveMass, torsion[1].effectiveMass};
    const btVector3 response = pairResponse(contact, first, bodies, all.reducedBodies);
    btScalar next[2];
    next[0] = last[0] + velocityError[0] * effectiveMass[0];
    next[1] = last[1] + (velocityError[1] - second.dot(response) * (next[0] - last[0])) * effectiveMass[1];
    if (next[0] * next[0] + next[1] * next[1] > limit * limit) {
        const btScalar step = effectiveMass[0] + effectiveMass[1] > 0
                                  ? effectiveMass[0] * effectiveMass[1] / (effectiveMass[0] + effectiveMass[1])
                                  : btScalar(0);
        for (int k = 0; k < 2; ++k) next[k] = last[k] + step * velocityError[k];
        const btScalar length = btSqrt(next[0] * next[0] + next[1] * next[1]);
        if (length > limit)
            for (btScalar& impulse : next) impulse *= limit / length;
    }
    for (int k = 0; k < 2; ++k) torsion[k].impulse = next[k];
    applyTorque(contact, first * (next[0] - last[0]) + second * (next[1] - last[1]), bodies, all);
}

}  // namespace

void prepareTorsions(int c, const SolverBodies& bodies, ContactConstraints& all) {
    const ContactConstraint& contact = all.contacts[c];
    const btSolverBody& A = bodies[contact.bodyA];
    const btSolverBody& B = bodies[contact.bodyB];
    const ReducedBody *a = reducedBody(all.reducedBodies, contact.reducedA),
                      *b = reducedBody(all.reducedBodies, contact.reducedB);
    const auto angularVelocity = [](const btSolverBody& body) {
        return body.m_originalBody ? body.m_angularVelocity + body.m_externalTorqueImpulse : btVector3(0, 0, 0);
    };
    for (int t = contact.firstTorsion; t < contact.firstTorsion + contact.torsionCount; ++t) {
        TorsionalFrictionRow& torsion = all.torsions[t];
        const btVector3& axis = contact.rows[torsion.axis].axis;
        const btScalar sum = axis.dot(torqueResponse(a, A, axis)) + axis.dot(torqueResponse(b, B, axis));
        torsion.effectiveMass = sum > 0 ? 1 / sum : 0;
        torsion.rhs = axis.dot(angularVelocity(B) - angularVelocity(A));
    }
}

IterationChange iterateTorsionalFriction(const ContactConstraint& contact, btScalar beta, SolverBodies& bodies,
                                         ContactConstraints& all) {
    IterationChange change;
    const int end = contact.firstTorsion + contact.torsionCount;
    for (int t = contact.firstTorsion; t < end; ++t) {
        const bool rolls = all.torsions[t].axis != 0;  // then the next one is of the other tangent
        const btScalar start = all.torsions[t].extrapolate(beta),
                       next = rolls ? all.torsions[t + 1].extrapolate(beta) : btScalar(0);
        if (rolls)
            iterateRollingFriction(contact, &all.torsions[t], bodies, all);
        else
            iterateSpinningFriction(contact, all.torsions[t], bodies, all);
        change.add(all.torsions[t], start);
        if (rolls) change.add(all.torsions[++t], next);
    }
    return change;
}

}  // namespace btPliantInternal
