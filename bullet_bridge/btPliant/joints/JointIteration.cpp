// SPDX-License-Identifier: Zlib
// Gauss-Seidel iterations over joint constraints, and the write back of their impulses.
#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <cmath>

#include "btPliant/data/Convert.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/joints/JointConstraints.h"
#include "btPliant/solver/ModalVectorKernels.h"

namespace btPliantInternal {

/// What the impulses of the iterations (and those that the frames started with) have added along row k.
JointConstraints::Velocity JointConstraints::velocityChange(const JointConstraint& joint, int k, const Group& group,
                                                            Bodies& bodies) const {
    const ConstraintRow& row = rows[joint.first + k].row;
    btSolverBody &A = bodies[joint.body[0]], &B = bodies[joint.body[1]];
    Velocity v;
    v.frames = row.axis.dot(A.internalGetDeltaLinearVelocity() - B.internalGetDeltaLinearVelocity()) +
               row.angularA.dot(A.internalGetDeltaAngularVelocity()) +
               row.angularB.dot(B.internalGetDeltaAngularVelocity());
    for (int side = 0; side < 2; ++side) {
        if (joint.reduced[side] < 0) continue;
        const ReducedBody& reduced = group.reducedBodies[static_cast<std::size_t>(joint.reduced[side])];
        v.modes += modalDot(jacobian(joint, side, k, reduced.stride),
                            group.modalVelocities.data() + reduced.velocityOffset, reduced.stride);
    }
    return v;
}

void JointConstraints::applyImpulse(const JointConstraint& joint, int k, btScalar impulse, Group& group,
                                    Bodies& bodies) {
    ConstraintRow& row = rows[joint.first + k].row;
    btSolverBody &A = bodies[joint.body[0]], &B = bodies[joint.body[1]];
    row.impulse += impulse;
    A.internalGetDeltaLinearVelocity() += row.axis * A.internalGetInvMass() * impulse;
    A.internalGetDeltaAngularVelocity() += row.responseA * impulse;
    B.internalGetDeltaLinearVelocity() -= row.axis * B.internalGetInvMass() * impulse;
    B.internalGetDeltaAngularVelocity() += row.responseB * impulse;
    for (int side = 0; side < 2; ++side) {
        if (joint.reduced[side] < 0) continue;
        ReducedBody& reduced = group.reducedBodies[static_cast<std::size_t>(joint.reduced[side])];
        reduced.hasJointImpulse = true;
        modalAdd(group.modalVelocities.data() + reduced.velocityOffset, impulse,
                 response(joint, side, k, reduced.stride), reduced.stride);
    }
}

btScalar JointConstraints::iterate(int iteration, Group& group, Bodies& bodies) {
    btScalar residual = 0;
    for (const JointConstraint& joint : joints) {
        if (iteration >= joint.iterations) continue;
        for (int k = 0; k < joint.count; ++k)
            if (!rows[joint.first + k].isHard) residual = btMax(residual, iterateRow(joint, k, group, bodies));
        if (joint.hardRowCount > 0) residual = btMax(residual, iterateHardRows(joint, group, bodies));
    }
    return residual;
}

btScalar JointConstraints::iterateRow(const JointConstraint& joint, int k, Group& group, Bodies& bodies) {
    const JointConstraintRow& entry = rows[joint.first + k];
    const Velocity v = velocityChange(joint, k, group, bodies);
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
    if (change != 0) applyImpulse(joint, k, change, group, bodies);
    return change * change;
}

btScalar JointConstraints::iterateHardRows(const JointConstraint& joint, Group& group, Bodies& bodies) {
    const int n = joint.hardRowCount;
    btScalar velocityError[JointConstraint::kMostHardRows], next[JointConstraint::kMostHardRows],
        linear = 0, angular = 0, residual = 0;
    for (int i = 0; i < n; ++i) {
        const JointConstraintRow& entry = rows[joint.first + joint.hardRows[i]];
        velocityError[i] = entry.targetVelocity - entry.freeFrameVelocity - entry.freeModalVelocity -
                           velocityChange(joint, joint.hardRows[i], group, bodies).sum() -
                           entry.cfm * (entry.frameInverseMass + entry.modalInverseMass) * entry.row.impulse;
    }
    for (int i = 0; i < n; ++i) {
        const JointConstraintRow& entry = rows[joint.first + joint.hardRows[i]];
        next[i] = entry.row.impulse;
        for (int j = 0; j < n; ++j) next[i] += joint.pseudoInverse[i * n + j] * velocityError[j];
        (entry.isLinear() ? linear : angular) += next[i] * next[i];
    }
    const auto cut = [](btScalar squared, btScalar largest) {
        return squared > largest * largest ? largest / btSqrt(squared) : btScalar(1);
    };
    const btScalar share[2] = {
        joint.largestAngularImpulse < SIMD_INFINITY ? cut(angular, joint.largestAngularImpulse) : btScalar(1),
        joint.largestLinearImpulse < SIMD_INFINITY ? cut(linear, joint.largestLinearImpulse) : btScalar(1)};
    for (int i = 0; i < n; ++i) {
        const JointConstraintRow& entry = rows[joint.first + joint.hardRows[i]];
        const btScalar change = share[entry.isLinear() ? 1 : 0] * next[i] - entry.row.impulse;
        if (change != 0) applyImpulse(joint, joint.hardRows[i], change, group, bodies);
        residual = btMax(residual, change * change);
    }
    return residual;
}

double JointConstraints::work() const {
    double sum = 0;
    for (int k = 0; k < rows.size(); ++k) {
        const JointConstraintRow& entry = rows[k];
        const btScalar asked = entry.isSpring
                                   ? entry.springImpulse * (entry.frameInverseMass + entry.modalInverseMass)
                                   : entry.targetVelocity - entry.freeFrameVelocity - entry.freeModalVelocity;
        const double product = static_cast<double>(entry.row.impulse) * static_cast<double>(asked);
        if (std::isfinite(product)) sum += std::abs(product);
    }
    return sum;
}

void JointConstraints::writeBack(Group& group, const btContactSolverInfo& info) {
    for (const JointConstraint& joint : joints) {
        btPliantJoint& solved = *joint.joint;
        solved.m_linearImpulse.setZero();
        solved.m_angularImpulse.setZero();
        solved.m_solvedRows.resize(0);
        bool isLinear = false;
        for (int k = 0; k < joint.count; ++k) {
            const JointConstraintRow& entry = rows[joint.first + k];
            const btVector3& direction = entry.isLinear() ? entry.row.axis : entry.row.angularA;
            (entry.isLinear() ? solved.m_linearImpulse : solved.m_angularImpulse) += direction * entry.row.impulse;
            isLinear |= entry.isLinear();
            solved.m_solvedRows.push_back({direction, entry.row.impulse, entry.isLinear(), entry.isHard});
            addMomentum(joint, entry.row, group);
            addFeedback(*joint.constraint, entry.row, info.m_timeStep);
        }
        const btScalar linear = solved.m_linearImpulse.length(), angular = solved.m_angularImpulse.length();
        solved.m_sizeBefore = solved.m_lastSize;
        solved.m_lastSize = btSqrt(linear * linear + angular * angular);
        solved.m_solved = true;
        joint.constraint->internalSetAppliedImpulse(isLinear ? linear : angular);
        const btScalar threshold = joint.constraint->getBreakingImpulseThreshold();
        if (threshold < SIMD_INFINITY && btMax(linear, angular) >= threshold * btScalar(0.9999))
            joint.constraint->setEnabled(false);
    }
}

/// Angular impulses of a row on those of its two bodies that are reduced ones.
void JointConstraints::addMomentum(const JointConstraint& joint, const ConstraintRow& row, Group& group) {
    for (int side = 0; side < 2; ++side) {
        if (joint.reduced[side] < 0 || row.impulse == 0) continue;
        btPliantBody::Data& data = group.reducedBodies[static_cast<std::size_t>(joint.reduced[side])].body->data();
        const auto impulse = static_cast<double>(row.impulse);
        data.angularMomentum += impulse * toEigen(side == 0 ? row.angularA : row.angularB);
        const pliant::Vector3 turn = impulse * toEigen(side == 0 ? row.responseA : row.responseB);
        data.solvedAngularVelocity += turn;
        data.coupledAngularVelocity += turn;
    }
}

void JointConstraints::addFeedback(btTypedConstraint& constraint, const ConstraintRow& row, btScalar h) {
    btJointFeedback* feedback = constraint.getJointFeedback();
    if (!feedback) return;
    const btScalar force = row.impulse / h;
    feedback->m_appliedForceBodyA += row.axis * force;
    feedback->m_appliedForceBodyB -= row.axis * force;
    feedback->m_appliedTorqueBodyA += row.angularA * force;
    feedback->m_appliedTorqueBodyB += row.angularB * force;
}

}  // namespace btPliantInternal
