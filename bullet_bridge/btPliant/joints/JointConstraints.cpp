// SPDX-License-Identifier: Zlib
// Set-up of joint rows: what Bullet's constraint asks for, with the answer of the material.
#include "btPliant/joints/JointConstraints.h"

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "btPliant/body/Convert.h"
#include "btPliant/solver/ModalVectorKernels.h"
#include "btPliant/step/SystemData.h"

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::Vector3;

namespace {

/// Rows as getInfo2 writes them.
struct BulletRow {
    btScalar linearA[4] = {}, angularA[4] = {}, linearB[4] = {}, angularB[4] = {};
    btScalar error = 0, cfm = 0, lower = -SIMD_INFINITY, upper = SIMD_INFINITY;
};
constexpr int mostRows = 24;  ///< two limits, a motor and a spring for each of six axes

btTypedConstraint::btConstraintInfo2 infoOf(BulletRow* rows, const btContactSolverInfo& info) {
    btTypedConstraint::btConstraintInfo2 out;
    out.fps = 1 / info.m_timeStep;
    out.erp = info.m_erp;
    out.m_J1linearAxis = rows->linearA;
    out.m_J1angularAxis = rows->angularA;
    out.m_J2linearAxis = rows->linearB;
    out.m_J2angularAxis = rows->angularB;
    out.rowskip = static_cast<int>(sizeof(BulletRow) / sizeof(btScalar));
    out.m_constraintError = &rows->error;
    rows->cfm = info.m_globalCfm;
    out.cfm = &rows->cfm;
    out.m_lowerLimit = &rows->lower;
    out.m_upperLimit = &rows->upper;
    out.m_numIterations = info.m_numIterations;
    out.m_damping = info.m_damping;
    return out;
}

btVector3 vectorOf(const btScalar* v) {
    return btVector3(v[0], v[1], v[2]);
}

btVector3 centreOf(const btSolverBody& body) {
    return body.m_originalBody ? body.m_originalBody->getCenterOfMassPosition() : btVector3(0, 0, 0);
}

btVector3 rigidAnswer(const btSolverBody& body, const btVector3& angular) {
    if (!body.m_originalBody) return btVector3(0, 0, 0);
    return body.m_originalBody->getInvInertiaTensorWorld() * angular * body.m_originalBody->getAngularFactor();
}

/// Velocity of the frames along a row before the solver, forces of the step included.
btScalar freeVelocity(const Row& row, const btSolverBody& A, const btSolverBody& B) {
    btScalar v = 0;
    if (A.m_originalBody)
        v += row.axis.dot(A.m_linearVelocity + A.m_externalForceImpulse) +
             row.angularA.dot(A.m_angularVelocity + A.m_externalTorqueImpulse);
    if (B.m_originalBody)
        v += row.angularB.dot(B.m_angularVelocity + B.m_externalTorqueImpulse) -
             row.axis.dot(B.m_linearVelocity + B.m_externalForceImpulse);
    return v;
}

}  // namespace

void JointRows::clear() {
    joints.clear();
    rows.resize(0);
    modal.clear();
}

bool JointRows::hasStepped(const btPliantJoint& joint) {
    for (const auto& side : joint.m_sides)
        if (side->soft && side->soft->data().stepped) return true;
    return false;
}

btVector3 JointRows::sharedPoint(const btPliantJoint& joint) {
    const btVector3 a = joint.getPivotPosition(0), b = joint.getPivotPosition(1);
    const auto moves = [&joint](int side) {
        const btPliantJoint::Side& held = *joint.m_sides[side];
        return held.soft || held.body->getInvMass() > 0;
    };
    if (joint.isSliding() || !moves(0)) return b;
    return moves(1) ? (a + b) * btScalar(0.5) : a;
}

void JointRows::add(JointInGroup joint, Group& group, const Bodies& bodies, const btContactSolverInfo& info) {
    btTypedConstraint& constraint = *joint.constraint;
    btTypedConstraint::btConstraintInfo1 sizes;
    constraint.getInfo1(&sizes);
    if (sizes.m_numConstraintRows <= 0 || sizes.m_numConstraintRows > mostRows) return;
    BulletRow found[mostRows];
    btTypedConstraint::btConstraintInfo2 asked = infoOf(found, info);
    constraint.getInfo2(&asked);

    const btSolverBody &A = bodies[joint.body[0]], &B = bodies[joint.body[1]];
    const btScalar threshold = constraint.getBreakingImpulseThreshold();
    joint.first = rows.size();
    joint.count = sizes.m_numConstraintRows;
    joint.largestLinear = btMin(threshold, joint.joint->getLargestImpulse(info.m_timeStep));
    joint.largestAngular = threshold;
    joint.shared = sharedPoint(*joint.joint);
    for (int k = 0; k < joint.count; ++k) {
        JointRow entry;
        Row& row = entry.row;
        row.axis = vectorOf(found[k].linearA);
        if (entry.isLinear()) {
            row.angularA = (joint.shared - centreOf(A)).cross(row.axis);
            row.angularB = -(joint.shared - centreOf(B)).cross(row.axis);
        } else {
            row.axis.setZero();
            row.angularA = vectorOf(found[k].angularA);
            row.angularB = vectorOf(found[k].angularB);
        }
        entry.softness = found[k].cfm;
        entry.freeFrames = freeVelocity(row, A, B);
        entry.target = found[k].error;
        entry.dampedShare = 1 - asked.m_damping;
        entry.isSpring = joint.joint->getSpring(k, entry.spring);
        entry.isHard = !entry.isSpring && found[k].lower <= -SIMD_INFINITY && found[k].upper >= SIMD_INFINITY &&
                       joint.hardCount < JointInGroup::most;
        if (!entry.isSpring) entry.lower = btMax(found[k].lower, -threshold);
        if (!entry.isSpring) entry.upper = btMin(found[k].upper, threshold);
        if (entry.isSpring) entry.lower = -threshold;
        if (entry.isSpring) entry.upper = threshold;
        if (entry.isHard) joint.hard[joint.hardCount++] = k;
        rows.push_back(entry);
    }
    for (int side = 0; side < 2; ++side) {
        joint.modal[side] = modal.size();
        if (joint.soft[side] < 0) continue;
        const int stride = group.soft[static_cast<std::size_t>(joint.soft[side])].stride;
        modal.resize(modal.size() + static_cast<std::size_t>(2 * joint.count * stride));
    }
    joints.push_back(joint);
    prepare(static_cast<int>(joints.size()) - 1, group, bodies);
}

void JointRows::prepare(int number, const Group& group, const Bodies& bodies) {
    JointInGroup& joint = joints[static_cast<std::size_t>(number)];
    const btSolverBody &A = bodies[joint.body[0]], &B = bodies[joint.body[1]];
    for (int k = 0; k < joint.count; ++k) {
        Row& row = rows[joint.first + k].row;
        row.responseA = rigidAnswer(A, row.angularA);
        row.responseB = rigidAnswer(B, row.angularB);
    }
    for (int side = 0; side < 2; ++side)
        if (joint.soft[side] >= 0) prepareSide(joint, side, group);
    const btVector3 inverseMass = A.internalGetInvMass() + B.internalGetInvMass();
    for (int k = 0; k < joint.count; ++k) {
        JointRow& entry = rows[joint.first + k];
        const Row& row = entry.row;
        entry.frameDiagonal =
            (row.axis * inverseMass).dot(row.axis) + row.angularA.dot(row.responseA) + row.angularB.dot(row.responseB);
        entry.modeDiagonal = static_cast<btScalar>(coupling(joint, k, k, group, bodies)) - entry.frameDiagonal;
        const btScalar sum = entry.frameDiagonal + entry.modeDiagonal;
        entry.row.inverse = sum > SIMD_EPSILON ? 1 / sum : 0;
    }
    invertHardRows(joint, group, bodies);
}

/// Jacobians and responses of all rows on one reduced side.
void JointRows::prepareSide(JointInGroup& joint, int side, const Group& group) {
    const SoftBody& soft = group.soft[static_cast<std::size_t>(joint.soft[side])];
    const btPliantBody::Data& data = soft.body->data();
    const pliant::MaterialFrame& material = *joint.joint->m_sides[side]->material;
    const int r = data.model().dimension(), n = joint.count;
    scratch.assign(static_cast<std::size_t>(n * (2 * r + 6)), 0.0);
    double *angles = scratch.data(), *turns = angles + 3 * n, *J = turns + 3 * n, *answers = J + n * r;
    const btTransform& frame = soft.body->getWorldTransform();
    const Matrix3 A = toEigen(frame.getBasis());
    const Vector3 offset = A.transpose() * toEigen(btVector3(joint.shared - frame.getOrigin())) - material.position();
    for (int k = 0; k < n; ++k) {
        const JointRow& entry = rows[joint.first + k];
        const Vector3 angular = A.transpose() * toEigen(side == 0 ? entry.row.angularA : entry.row.angularB);
        const Vector3 force = (side == 0 ? 1.0 : -1.0) * (A.transpose() * toEigen(entry.row.axis));
        material.addGeneralised(force, entry.isLinear() ? Vector3(offset.cross(force)) : angular, J + k * r);
        if (data.frameIsFree) Eigen::Map<Vector3>(angles + 3 * k) = angular;
    }
    data.batch().responses(data.slot, n, angles, J, turns, answers);
    const double* jacobians = J;
    if (soft.whitened) {  // one vector, twice
        data.batch().whiten(data.slot, n, J, answers);
        jacobians = answers;
    }
    btScalar* out = modal.data() + joint.modal[side];
    std::fill_n(out, 2 * n * soft.stride, btScalar(0));
    for (int k = 0; k < n; ++k) {
        for (int j = 0; j < r; ++j) {
            out[k * soft.stride + j] = static_cast<btScalar>(jacobians[k * r + j]);
            out[(n + k) * soft.stride + j] = static_cast<btScalar>(answers[k * r + j]);
        }
        Row& row = rows[joint.first + k].row;
        (side == 0 ? row.responseA : row.responseB) =
            data.frameIsFree ? toBullet(A * Eigen::Map<Vector3>(turns + 3 * k)) * soft.body->getAngularFactor()
                             : btVector3(0, 0, 0);
    }
    const pliant::ConstVectorView now = data.batch().velocity(data.slot), start = data.batch().startVelocity(data.slot);
    for (int k = 0; k < n; ++k) {
        const pliant::ConstVectorView row(J + k * r, r);
        rows[joint.first + k].freeModes += static_cast<btScalar>(row.dot(now));
        rows[joint.first + k].startModes += static_cast<btScalar>(row.dot(start));
    }
}

/// Velocity along row k for a unit impulse of row l.
double JointRows::coupling(const JointInGroup& joint, int k, int l, const Group& group, const Bodies& bodies) const {
    const Row &a = rows[joint.first + k].row, &b = rows[joint.first + l].row;
    const btVector3 inverseMass =
        bodies[joint.body[0]].internalGetInvMass() + bodies[joint.body[1]].internalGetInvMass();
    btScalar sum = (a.axis * inverseMass).dot(b.axis) + a.angularA.dot(b.responseA) + a.angularB.dot(b.responseB);
    for (int side = 0; side < 2; ++side) {
        if (joint.soft[side] < 0) continue;
        const int n = group.soft[static_cast<std::size_t>(joint.soft[side])].stride;
        sum += modalDot(jacobian(joint, side, k, n), answer(joint, side, l, n), n);
    }
    return static_cast<double>(sum);
}

void JointRows::invertHardRows(JointInGroup& joint, const Group& group, const Bodies& bodies) {
    const int n = joint.hardCount;
    if (n == 0) return;
    using Small =
        Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, JointInGroup::most, JointInGroup::most>;
    Small W(n, n), scale = Small::Zero(n, n);
    for (int i = 0; i < n; ++i) {
        const JointRow& row = rows[joint.first + joint.hard[i]];
        scale(i, i) = std::sqrt(static_cast<double>(row.row.inverse));
        for (int j = 0; j < n; ++j) W(i, j) = coupling(joint, joint.hard[i], joint.hard[j], group, bodies);
        W(i, i) *= 1.0 + static_cast<double>(row.softness);
    }
    // Scaled to a diagonal of ones: what is far below them is rounding, and there is nothing that could move.
    const Small scaled = scale * (0.5 * (W + W.transpose())) * scale;
    const Eigen::SelfAdjointEigenSolver<Small> modes(scaled);
    const double least = sizeof(btScalar) == sizeof(double) ? 1e-10 : 1e-5;
    Small weights = Small::Zero(n, n);
    for (int i = 0; i < n; ++i)
        if (modes.eigenvalues()[i] > least) weights(i, i) = 1.0 / modes.eigenvalues()[i];
    const Small inverse = scale * modes.eigenvectors() * weights * modes.eigenvectors().transpose() * scale;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) joint.inverse[i * n + j] = static_cast<btScalar>(inverse(i, j));
}

}  // namespace btPliantInternal
