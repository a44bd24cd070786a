// SPDX-License-Identifier: Zlib
#include "btPliant/joints/JointIteration.h"

#include "btPliant/joints/JointSystem.h"
#include "btPliant/solver/ModalVectorKernels.h"

namespace btPliantInternal {

namespace {

void applyImpulse(const JointConstraint& joint, int k, btScalar impulse, ContactConstraints& contacts,
                  SolverBodies& bodies, JointConstraints& all) {
    ConstraintRow& row = all.rows[joint.first + k].row;
    btSolverBody &A = bodies[joint.body[0]], &B = bodies[joint.body[1]];
    row.impulse += impulse;
    A.internalGetDeltaLinearVelocity() += row.axis * A.internalGetInvMass() * impulse;
    A.internalGetDeltaAngularVelocity() += row.responseA * impulse;
    B.internalGetDeltaLinearVelocity() -= row.axis * B.internalGetInvMass() * impulse;
    B.internalGetDeltaAngularVelocity() += row.responseB * impulse;
    for (int side = 0; side < 2; ++side) {
        if (joint.reduced[side] < 0) continue;
        ReducedBody& reduced = contacts.reducedBodies[static_cast<std::size_t>(joint.reduced[side])];
        reduced.hasJointImpulse = true;
        modalAdd(contacts.modalVelocities.data() + reduced.velocityOffset, impulse,
                 response(all, joint, side, k, reduced.stride), reduced.stride);
    }
}

btScalar iterateRow(const JointConstraint& joint, int k, ContactConstraints& contacts, SolverBodies& bodies,
                    JointConstraints& all) {
    const JointConstraintRow& entry = all.rows[joint.first + k];
    const JointVelocity v = velocityChange(all, joint, k, contacts, bodies);
    const btScalar frames = entry.freeFrameVelocity + v.frames, modes = entry.freeModalVelocity + v.modes,
                   P = entry.row.impulse;
    btScalar next;
    if (entry.isSpring)
        next = (entry.springImpulse - entry.springFrameGain * (frames - entry.frameInverseMass * P) -
                entry.springModalGain * (modes - entry.modalInverseMass * P)) /
               (1 + entry.springFrameGain * entry.frameInverseMass + entry.springModalGain * entry.modalInverseMass);
    else
        next = P + (entry.targetVelocity - frames - modes) * entry.row.effectiveMass - P * entry.cfm;
    const btScalar change = btMax(entry.lower, btMin(entry.upper, next)) - P;
    if (change != 0) applyImpulse(joint, k, change, contacts, bodies, all);
    return change * change;
}

btScalar iterateHardRows(const JointConstraint& joint, ContactConstraints& contacts, SolverBodies& bodies,
                         JointConstraints& all) {
    const int n = joint.hardRowCount;
    const int* which = hardRows(all, joint);
    const btScalar* inverse = pseudoInverse(all, joint);
    all.blockScratch.resize(static_cast<std::size_t>(2 * n));
    btScalar *velocityError = all.blockScratch.data(), *next = velocityError + n;
    btScalar linear = 0, angular = 0, residual = 0;
    for (int i = 0; i < n; ++i) {
        const JointConstraintRow& entry = all.rows[joint.first + which[i]];
        velocityError[i] = entry.targetVelocity - entry.freeFrameVelocity - entry.freeModalVelocity -
                           velocityChange(all, joint, which[i], contacts, bodies).sum() -
                           entry.cfm * (entry.frameInverseMass + entry.modalInverseMass) * entry.row.impulse;
    }
    for (int i = 0; i < n; ++i) {
        const JointConstraintRow& entry = all.rows[joint.first + which[i]];
        next[i] = entry.row.impulse;
        for (int j = 0; j < n; ++j) next[i] += inverse[i * n + j] * velocityError[j];
        (entry.isLinear() ? linear : angular) += next[i] * next[i];
    }
    const auto cut = [](btScalar squared, btScalar largest) {
        return squared > largest * largest ? largest / btSqrt(squared) : btScalar(1);
    };
    const btScalar share[2] = {
        joint.largestAngularImpulse < SIMD_INFINITY ? cut(angular, joint.largestAngularImpulse) : btScalar(1),
        joint.largestLinearImpulse < SIMD_INFINITY ? cut(linear, joint.largestLinearImpulse) : btScalar(1)};
    for (int i = 0; i < n; ++i) {
        const JointConstraintRow& entry = all.rows[joint.first + which[i]];
        const btScalar change = share[entry.isLinear() ? 1 : 0] * next[i] - entry.row.impulse;
        if (change != 0) applyImpulse(joint, which[i], change, contacts, bodies, all);
        residual = btMax(residual, change * change);
    }
    return residual;
}

/// All rows of the system at once.
btScalar iterateSystem(ContactConstraints& contacts, SolverBodies& bodies, JointConstraints& all) {
    solveJointSystem(contacts, bodies, all);
    btScalar residual = 0;
    for (std::size_t i = 0; i < all.system.rows.size(); ++i) {
        const JointSystem::Row& row = all.system.rows[i];
        const auto change = static_cast<btScalar>(all.system.right[i]);
        if (change != 0)
            applyImpulse(all.joints[static_cast<std::size_t>(row.joint)], row.row, change, contacts, bodies, all);
        residual = btMax(residual, change * change);
    }
    return residual;
}

btScalar iterateCoupling(const JointConstraint& joint, ContactConstraints& contacts, SolverBodies& bodies,
                         JointConstraints& all) {
    pliant::Vector6 impulse, frames, modes;
    for (int k = 0; k < 6; ++k) {
        const JointConstraintRow& entry = all.rows[joint.first + k];
        const JointVelocity v = velocityChange(all, joint, k, contacts, bodies);
        impulse[k] = static_cast<double>(entry.row.impulse);
        frames[k] = static_cast<double>(entry.freeFrameVelocity + v.frames);
        modes[k] = static_cast<double>(entry.freeModalVelocity + v.modes);
    }
    const CouplingBlock& block = all.couplings[static_cast<std::size_t>(joint.coupling)];
    const pliant::Vector6 next = solveBlock(block, impulse, frames, modes);
    btScalar residual = 0;
    for (int k = 0; k < 6; ++k) {
        const auto change = static_cast<btScalar>(next[k] - impulse[k]);
        if (change != 0) applyImpulse(joint, k, change, contacts, bodies, all);
        residual = btMax(residual, change * change);
    }
    return residual;
}

}  // namespace

btScalar iterateJoints(int iteration, ContactConstraints& contacts, SolverBodies& bodies, JointConstraints& all) {
    btScalar residual = 0;
    for (std::size_t j = 0; j < all.joints.size(); ++j) {
        const JointConstraint& joint = all.joints[j];
        const bool isHeld = !all.system.isEmpty() && all.system.holds[j] != 0;
        if (iteration >= joint.iterations) continue;
        if (joint.coupling >= 0) {
            residual = btMax(residual, iterateCoupling(joint, contacts, bodies, all));
            continue;
        }
        for (int k = 0; k < joint.count; ++k)
            if (!all.rows[joint.first + k].isHard && !(isHeld && all.rows[joint.first + k].isGeometric))
                residual = btMax(residual, iterateRow(joint, k, contacts, bodies, all));
        if (joint.hardRowCount > 0 && !isHeld)
            residual = btMax(residual, iterateHardRows(joint, contacts, bodies, all));
    }
    if (!all.system.isEmpty()) residual = btMax(residual, iterateSystem(contacts, bodies, all));
    return residual;
}

}  // namespace btPliantInternal
