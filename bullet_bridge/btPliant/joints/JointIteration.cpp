// SPDX-License-Identifier: Zlib
// Gauss-Seidel over joints, and what it leaves.
#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <cmath>

#include "btPliant/body/Convert.h"
#include "btPliant/joints/JointConstraints.h"
#include "btPliant/solver/ModalVectorKernels.h"
#include "btPliant/step/SystemData.h"

namespace btPliantInternal {

/// What the impulses of the sweeps (and those that the frames started with) have added along row k.
JointRows::Velocity JointRows::added(const JointInGroup& joint, int k, const Group& group, Bodies& bodies) const {
    const Row& row = rows[joint.first + k].row;
    btSolverBody &A = bodies[joint.body[0]], &B = bodies[joint.body[1]];
    Velocity v;
    v.frames = row.axis.dot(A.internalGetDeltaLinearVelocity() - B.internalGetDeltaLinearVelocity()) +
               row.angularA.dot(A.internalGetDeltaAngularVelocity()) +
               row.angularB.dot(B.internalGetDeltaAngularVelocity());
    for (int side = 0; side < 2; ++side) {
        if (joint.soft[side] < 0) continue;
        const SoftBody& soft = group.soft[static_cast<std::size_t>(joint.soft[side])];
        v.modes += modalDot(jacobian(joint, side, k, soft.stride), group.velocity.data() + soft.offset, soft.stride);
    }
    return v;
}

void JointRows::apply(const JointInGroup& joint, int k, btScalar impulse, Group& group, Bodies& bodies) {
    Row& row = rows[joint.first + k].row;
    btSolverBody &A = bodies[joint.body[0]], &B = bodies[joint.body[1]];
    row.impulse += impulse;
    A.internalGetDeltaLinearVelocity() += row.axis * A.internalGetInvMass() * impulse;
    A.internalGetDeltaAngularVelocity() += row.responseA * impulse;
    B.internalGetDeltaLinearVelocity() -= row.axis * B.internalGetInvMass() * impulse;
    B.internalGetDeltaAngularVelocity() += row.responseB * impulse;
    for (int side = 0; side < 2; ++side) {
        if (joint.soft[side] < 0) continue;
        SoftBody& soft = group.soft[static_cast<std::size_t>(joint.soft[side])];
        soft.touched = true;
        modalAdd(group.velocity.data() + soft.offset, impulse, answer(joint, side, k, soft.stride), soft.stride);
    }
}

btScalar JointRows::sweep(int iteration, Group& group, Bodies& bodies) {
    btScalar residual = 0;
    for (const JointInGroup& joint : joints) {
        if (iteration >= joint.sweeps) continue;
        for (int k = 0; k < joint.count; ++k)
            if (!rows[joint.first + k].isHard) residual = btMax(residual, sweepRow(joint, k, group, bodies));
        if (joint.hardCount > 0) residual = btMax(residual, sweepHardRows(joint, group, bodies));
    }
    return residual;
}

btScalar JointRows::sweepRow(const JointInGroup& joint, int k, Group& group, Bodies& bodies) {
    const JointRow& entry = rows[joint.first + k];
    const Velocity v = added(joint, k, group, bodies);
    const btScalar frames = entry.freeFrames + v.frames, modes = entry.freeModes + v.modes, P = entry.row.impulse;
    btScalar next;
    if (entry.isSpring)
        next = (entry.springForce - entry.springFrames * (frames - entry.frameDiagonal * P) -
                entry.springModes * (modes - entry.modeDiagonal * P)) /
               (1 + entry.springFrames * entry.frameDiagonal + entry.springModes * entry.modeDiagonal);
    else
        next = P + (entry.target - frames - modes) * entry.row.inverse - P * entry.softness;
    const btScalar change = btMax(entry.lower, btMin(entry.upper, next)) - P;
    if (change != 0) apply(joint, k, change, group, bodies);
    return change * change;
}

btScalar JointRows::sweepHardRows(const JointInGroup& joint, Group& group, Bodies& bodies) {
    const int n = joint.hardCount;
    btScalar missing[JointInGroup::most], next[JointInGroup::most], linear = 0, angular = 0, residual = 0;
    for (int i = 0; i < n; ++i) {
        const JointRow& entry = rows[joint.first + joint.hard[i]];
        missing[i] = entry.target - entry.freeFrames - entry.freeModes -
                     added(joint, joint.hard[i], group, bodies).sum() -
                     entry.softness * (entry.frameDiagonal + entry.modeDiagonal) * entry.row.impulse;
    }
    for (int i = 0; i < n; ++i) {
        const JointRow& entry = rows[joint.first + joint.hard[i]];
        next[i] = entry.row.impulse;
        for (int j = 0; j < n; ++j) next[i] += joint.inverse[i * n + j] * missing[j];
        (entry.isLinear() ? linear : angular) += next[i] * next[i];
    }
    const auto cut = [](btScalar squared, btScalar largest) {
        return squared > largest * largest ? largest / btSqrt(squared) : btScalar(1);
    };
    const btScalar share[2] = {joint.largestAngular < SIMD_INFINITY ? cut(angular, joint.largestAngular) : btScalar(1),
                               joint.largestLinear < SIMD_INFINITY ? cut(linear, joint.largestLinear) : btScalar(1)};
    for (int i = 0; i < n; ++i) {
        const JointRow& entry = rows[joint.first + joint.hard[i]];
        const btScalar change = share[entry.isLinear() ? 1 : 0] * next[i] - entry.row.impulse;
        if (change != 0) apply(joint, joint.hard[i], change, group, bodies);
        residual = btMax(residual, change * change);
    }
    return residual;
}

double JointRows::work() const {
    double sum = 0;
    for (int k = 0; k < rows.size(); ++k) {
        const JointRow& entry = rows[k];
        const btScalar asked = entry.isSpring ? entry.springForce * (entry.frameDiagonal + entry.modeDiagonal)
                                              : entry.target - entry.freeFrames - entry.freeModes;
        const double product = static_cast<double>(entry.row.impulse) * static_cast<double>(asked);
        if (std::isfinite(product)) sum += std::abs(product);
    }
    return sum;
}

void JointRows::finish(Group& group, const btContactSolverInfo& info) {
    for (const JointInGroup& joint : joints) {
        btPliantJoint& solved = *joint.joint;
        solved.m_linearImpulse.setZero();
        solved.m_angularImpulse.setZero();
        solved.m_solvedRows.resize(0);
        bool isLinear = false;
        for (int k = 0; k < joint.count; ++k) {
            const JointRow& entry = rows[joint.first + k];
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

/// Angular impulses of a row on the two bodies, where they are ours.
void JointRows::addMomentum(const JointInGroup& joint, const Row& row, Group& group) {
    for (int side = 0; side < 2; ++side) {
        if (joint.soft[side] < 0 || row.impulse == 0) continue;
        btPliantBody::Data& data = group.soft[static_cast<std::size_t>(joint.soft[side])].body->data();
        const auto impulse = static_cast<double>(row.impulse);
        data.momentum += impulse * toEigen(side == 0 ? row.angularA : row.angularB);
        const pliant::Vector3 turn = impulse * toEigen(side == 0 ? row.responseA : row.responseB);
        data.solvedTurn += turn;
        data.coupledTurn += turn;
    }
}

void JointRows::addFeedback(btTypedConstraint& constraint, const Row& row, btScalar h) {
    btJointFeedback* feedback = constraint.getJointFeedback();
    if (!feedback) return;
    const btScalar force = row.impulse / h;
    feedback->m_appliedForceBodyA += row.axis * force;
    feedback->m_appliedForceBodyB -= row.axis * force;
    feedback->m_appliedTorqueBodyA += row.angularA * force;
    feedback->m_appliedTorqueBodyB += row.angularB * force;
}

}  // namespace btPliantInternal
