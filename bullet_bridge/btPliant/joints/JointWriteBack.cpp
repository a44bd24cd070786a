// SPDX-License-Identifier: Zlib
#include "btPliant/joints/JointWriteBack.h"

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <cmath>

#include "btPliant/data/Convert.h"

namespace btPliantInternal {

double workOfJoints(const JointConstraints& all) {
    double sum = 0;
    for (int k = 0; k < all.rows.size(); ++k) {
        const JointConstraintRow& entry = all.rows[k];
        const btScalar mobility = entry.frameInverseMass + entry.modalInverseMass;
        const btScalar change = btMax(btFabs(entry.row.impulse), btFabs(entry.row.impulse - entry.startImpulse));
        const btScalar asked = entry.isSpring ? entry.springImpulse * mobility
                               : entry.isCoupling
                                   ? change * mobility
                                   : entry.targetVelocity - entry.freeFrameVelocity - entry.freeModalVelocity;
        const double product = static_cast<double>(change) * static_cast<double>(asked);
        if (std::isfinite(product)) sum += std::abs(product);
    }
    return sum;
}

namespace {

/// Angular impulses of a row on those of its two bodies that are reduced ones.
void addMomentum(const JointConstraint& joint, const ConstraintRow& row, const ReducedBodies& reducedBodies) {
    for (int side = 0; side < 2; ++side) {
        if (joint.reduced[side] < 0 || row.impulse == 0) continue;
        BodyData& data = dataOf(*reducedBodies[static_cast<std::size_t>(joint.reduced[side])].body);
        const auto impulse = static_cast<double>(row.impulse);
        data.angularMomentum += impulse * toEigen(side == 0 ? row.angularA : row.angularB);
        const pliant::Vector3 turn = impulse * toEigen(side == 0 ? row.responseA : row.responseB);
        data.solvedAngularVelocity += turn;
        data.coupledAngularVelocity += turn;
    }
}

void addFeedback(btTypedConstraint& constraint, const ConstraintRow& row, btScalar h) {
    btJointFeedback* feedback = constraint.getJointFeedback();
    if (!feedback) return;
    const btScalar force = row.impulse / h;
    feedback->m_appliedForceBodyA += row.axis * force;
    feedback->m_appliedForceBodyB -= row.axis * force;
    feedback->m_appliedTorqueBodyA += row.angularA * force;
    feedback->m_appliedTorqueBodyB += row.angularB * force;
}

/// Length of the linear impulse; of many points the root of the sum of squares, for theirs may add up to nothing.
btScalar linearSize(const JointData& solved) {
    if (solved.points.empty()) return solved.linearImpulse.length();
    btScalar sum = 0;
    for (const auto& point : solved.points) sum += point->impulse.length2();
    return btSqrt(sum);
}

}  // namespace

void writeBackJoints(const JointConstraints& all, const ReducedBodies& reducedBodies, const btContactSolverInfo& info) {
    for (const JointConstraint& joint : all.joints) {
        JointData& solved = dataOf(*joint.joint);
        solved.linearImpulse.setZero();
        solved.angularImpulse.setZero();
        solved.solvedRows.resize(0);
        for (const auto& point : solved.points) point->impulse.setZero();
        bool isLinear = false;
        for (int k = 0; k < joint.count; ++k) {
            const JointConstraintRow& entry = all.rows[joint.first + k];
            if (entry.isGeometric) {  // inertia, of which nothing goes on
                addMomentum(joint, entry.row, reducedBodies);
                continue;
            }
            const btVector3& direction = entry.isLinear() ? entry.row.axis : entry.row.angularA;
            (entry.isLinear() ? solved.linearImpulse : solved.angularImpulse) += direction * entry.row.impulse;
            isLinear |= entry.isLinear();
            if (entry.point >= 0)
                solved.points[static_cast<std::size_t>(entry.point)]->impulse += direction * entry.row.impulse;
            solved.solvedRows.push_back({direction, entry.row.impulse, entry.isLinear(), entry.isHard});
            addMomentum(joint, entry.row, reducedBodies);
            addFeedback(*joint.constraint, entry.row, info.m_timeStep);
        }
        const btScalar linear = linearSize(solved), angular = solved.angularImpulse.length();
        solved.sizeBefore = solved.lastSize;
        solved.lastSize = btSqrt(linear * linear + angular * angular);
        solved.isSolved = true;
        joint.constraint->internalSetAppliedImpulse(isLinear ? linear : angular);
        const btScalar threshold = joint.constraint->getBreakingImpulseThreshold();
        if (threshold < SIMD_INFINITY && btMax(linear, angular) >= threshold * btScalar(0.9999))
            joint.constraint->setEnabled(false);
    }
}

void watchPlainJoint(btTypedConstraint& constraint) {
    if (!constraint.getJointFeedback())
        constraint.setJointFeedback(&dataOf(*btPliantJoint::upcast(&constraint)).bulletFeedback);
}

void writeBackPlainJoint(btTypedConstraint& constraint, btScalar h) {
    btPliantJoint& joint = *btPliantJoint::upcast(&constraint);
    JointData& solved = dataOf(joint);
    const btJointFeedback& forces = *constraint.getJointFeedback();
    const btVector3 arm = joint.getPivotPosition(0) - constraint.getRigidBodyA().getCenterOfMassPosition();
    for (const auto& point : solved.points) point->impulse.setZero();  // Bullet's rows do not tell
    solved.linearImpulse = forces.m_appliedForceBodyA * h;
    solved.angularImpulse = forces.m_appliedTorqueBodyA * h - arm.cross(solved.linearImpulse);
    if (constraint.getJointFeedback() == &solved.bulletFeedback) constraint.setJointFeedback(nullptr);
}

}  // namespace btPliantInternal
