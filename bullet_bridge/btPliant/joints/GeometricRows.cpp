// SPDX-License-Identifier: Zlib
#include "btPliant/joints/GeometricRows.h"

#include <Eigen/Eigenvalues>

#include "btPliant/data/Convert.h"
#include "btPliant/solver/FrameResponse.h"

namespace btPliantInternal {

namespace {

using pliant::Matrix3;
using pliant::Vector3;

constexpr double kShare = 0.5;  ///< of h^2 K: see the head of GeometricRows.h

/// K of one end, N m per rad.
Matrix3 stiffnessOf(const Vector3& arm, const Vector3& force) {
    return arm.dot(force) * Matrix3::Identity() - 0.5 * (arm * force.transpose() + force * arm.transpose());
}

bool mayTurn(const JointConstraint& joint) {
    const JointData& data = dataOf(*joint.joint);
    return joint.coupling < 0 && data.points.empty() && !data.sides[0].isCarried && !data.sides[1].isCarried &&
           data.lastSize > 0;
}

}  // namespace

namespace {

/// K of a joint under last substep's force on A (world, N), N m per rad.
Matrix3 stiffnessOf(const JointConstraint& joint, const SolverBodies& bodies, const Vector3& force) {
    Matrix3 K = Matrix3::Zero();
    for (int side = 0; side < 2; ++side) {
        const btRigidBody* body = bodies[joint.body[side]].m_originalBody;
        if (!body || body->getInvMass() <= 0) continue;
        const Vector3 arm = toEigen(btVector3(joint.pivot - body->getCenterOfMassPosition()));
        K += stiffnessOf(arm, (side == 0 ? 1.0 : -1.0) * force);
    }
    return K;
}

/// s of the head of GeometricRows.h.
btScalar carriedShare(const JointData& last) {
    if (last.lastSize <= last.sizeBefore) return 1;
    return btMax(btScalar(0), 2 * btSqrt(last.sizeBefore / last.lastSize) - 1);
}

/// Velocity at which the frames turn against each other about an axis, at the start of the step.
btScalar startFrameVelocity(const ConstraintRow& row, const btSolverBody& A, const btSolverBody& B) {
    btScalar u = 0;
    if (A.m_originalBody) u += row.angularA.dot(A.m_angularVelocity);
    if (B.m_originalBody) u += row.angularB.dot(B.m_angularVelocity);
    return u;
}

}  // namespace

void addGeometricRows(JointConstraint& joint, const SolverBodies& bodies, btScalar h, JointConstraints& all) {
    if (!mayTurn(joint)) return;
    const JointData& last = dataOf(*joint.joint);
    const auto step = static_cast<double>(h);
    const Matrix3 K = stiffnessOf(joint, bodies, toEigen(last.linearImpulse) / step);
    if (!(K.norm() > 0.0)) return;
    // Material turns more easily than its frame alone, by a few times: b is known when that is (weighGeometricRow()).
    constexpr double leastOfInertia = 0.1;
    const btSolverBody &A = bodies[joint.body[0]], &B = bodies[joint.body[1]];
    const Eigen::SelfAdjointEigenSolver<Matrix3> axes(K);
    for (int i = 0; i < 3; ++i) {
        const double inertia = kShare * step * step * axes.eigenvalues()[i];
        if (!(inertia > 0.0)) continue;
        JointConstraintRow entry;
        ConstraintRow& row = entry.row;
        row.axis.setZero();
        row.angularA = toBullet(axes.eigenvectors().col(i));
        row.angularB = -row.angularA;
        const btScalar mobility =
            row.angularA.dot(rigidResponse(A, row.angularA)) + row.angularB.dot(rigidResponse(B, row.angularB));
        if (inertia * static_cast<double>(mobility) < leastOfInertia) continue;
        entry.pivot = joint.pivot;
        entry.isSpring = entry.isGeometric = true;
        entry.springFrameGain = static_cast<btScalar>(inertia);
        entry.springImpulse = carriedShare(last);
        entry.freeFrameVelocity = startFrameVelocity(row, A, B);
        if (A.m_originalBody) entry.freeFrameVelocity += row.angularA.dot(A.m_externalTorqueImpulse);
        if (B.m_originalBody) entry.freeFrameVelocity += row.angularB.dot(B.m_externalTorqueImpulse);
        all.rows.push_back(entry);
        ++joint.count;
    }
}

void weighGeometricRow(const JointConstraint& joint, const SolverBodies& bodies, JointConstraintRow& entry) {
    const btScalar start =
        entry.startModalVelocity + startFrameVelocity(entry.row, bodies[joint.body[0]], bodies[joint.body[1]]);
    const btScalar b = btMax(btScalar(0), entry.springFrameGain - entry.row.effectiveMass);
    entry.springImpulse *= b * start;
    entry.springFrameGain = entry.springModalGain = b;
}

}  // namespace btPliantInternal
