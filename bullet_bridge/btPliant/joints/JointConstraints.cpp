// SPDX-License-Identifier: Zlib
// Set-up of joint constraints: the rows that Bullet's constraint asks for, with the response of the material.
#include "btPliant/joints/JointConstraints.h"

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "btPliant/data/Convert.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/solver/ModalVectorKernels.h"

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::Vector3;

namespace {

/// Rows as getInfo2 writes them.
struct BulletRow {
    btScalar linearA[4] = {}, angularA[4] = {}, linearB[4] = {}, angularB[4] = {};
    btScalar error = 0, cfm = 0, lower = -SIMD_INFINITY, upper = SIMD_INFINITY;
};
constexpr int kMostRows = 24;  ///< two limits, a motor and a spring for each of six axes

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

btVector3 rigidResponse(const btSolverBody& body, const btVector3& angular) {
    if (!body.m_originalBody) return btVector3(0, 0, 0);
    return body.m_originalBody->getInvInertiaTensorWorld() * angular * body.m_originalBody->getAngularFactor();
}

/// Velocity of the frames along a row before the solver, forces of the step included.
btScalar freeFrameVelocity(const ConstraintRow& row, const btSolverBody& A, const btSolverBody& B) {
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

void JointConstraints::clear() {
    joints.clear();
    rows.resize(0);
    modalVectors.clear();
}

bool JointConstraints::hasStepped(const btPliantJoint& joint) {
    for (const auto& side : joint.m_sides)
        if (side->reduced && side->reduced->data().hasStepped) return true;
    return false;
}

btVector3 JointConstraints::applicationPoint(const btPliantJoint& joint) {
    const btVector3 a = joint.getPivotPosition(0), b = joint.getPivotPosition(1);
    const auto moves = [&joint](int side) {
        const btPliantJoint::Side& held = *joint.m_sides[side];
        return held.reduced || held.body->getInvMass() > 0;
    };
    if (joint.isSliding() || !moves(0)) return b;
    return moves(1) ? (a + b) * btScalar(0.5) : a;
}

void JointConstraints::add(JointConstraint joint, Group& group, const Bodies& bodies, const btContactSolverInfo& info) {
    btTypedConstraint& constraint = *joint.constraint;
    btTypedConstraint::btConstraintInfo1 sizes;
    constraint.getInfo1(&sizes);
    if (sizes.m_numConstraintRows <= 0 || sizes.m_numConstraintRows > kMostRows) return;
    BulletRow found[kMostRows];
    btTypedConstraint::btConstraintInfo2 asked = infoOf(found, info);
    constraint.getInfo2(&asked);

    const btSolverBody &A = bodies[joint.body[0]], &B = bodies[joint.body[1]];
    const btScalar threshold = constraint.getBreakingImpulseThreshold();
    joint.first = rows.size();
    joint.count = sizes.m_numConstraintRows;
    joint.largestLinearImpulse = btMin(threshold, joint.joint->getLargestImpulse(info.m_timeStep));
    joint.largestAngularImpulse = threshold;
    joint.pivot = applicationPoint(*joint.joint);
    for (int k = 0; k < joint.count; ++k) {
        JointConstraintRow entry;
        ConstraintRow& row = entry.row;
        row.axis = vectorOf(found[k].linearA);
        if (entry.isLinear()) {
            row.angularA = (joint.pivot - centreOf(A)).cross(row.axis);
            row.angularB = -(joint.pivot - centreOf(B)).cross(row.axis);
        } else {
            row.axis.setZero();
            row.angularA = vectorOf(found[k].angularA);
            row.angularB = vectorOf(found[k].angularB);
        }
        entry.cfm = found[k].cfm;
        entry.freeFrameVelocity = freeFrameVelocity(row, A, B);
        entry.targetVelocity = found[k].error;
        entry.undampedShare = 1 - asked.m_damping;
        entry.isSpring = joint.joint->getSpring(k, entry.spring);
        entry.isHard = !entry.isSpring && found[k].lower <= -SIMD_INFINITY && found[k].upper >= SIMD_INFINITY &&
                       joint.hardRowCount < JointConstraint::kMostHardRows;
        if (!entry.isSpring) entry.lower = btMax(found[k].lower, -threshold);
        if (!entry.isSpring) entry.upper = btMin(found[k].upper, threshold);
        if (entry.isSpring) entry.lower = -threshold;
        if (entry.isSpring) entry.upper = threshold;
        if (entry.isHard) joint.hardRows[joint.hardRowCount++] = k;
        rows.push_back(entry);
    }
    for (int side = 0; side < 2; ++side) {
        joint.modalOffset[side] = modalVectors.size();
        if (joint.reduced[side] < 0) continue;
        const int stride = group.reducedBodies[static_cast<std::size_t>(joint.reduced[side])].stride;
        modalVectors.resize(modalVectors.size() + static_cast<std::size_t>(2 * joint.count * stride));
    }
    joints.push_back(joint);
    prepare(static_cast<int>(joints.size()) - 1, group, bodies);
}

void JointConstraints::prepare(int number, const Group& group, const Bodies& bodies) {
    JointConstraint& joint = joints[static_cast<std::size_t>(number)];
    const btSolverBody &A = bodies[joint.body[0]], &B = bodies[joint.body[1]];
    for (int k = 0; k < joint.count; ++k) {
        ConstraintRow& row = rows[joint.first + k].row;
        row.responseA = rigidResponse(A, row.angularA);
        row.responseB = rigidResponse(B, row.angularB);
    }
    for (int side = 0; side < 2; ++side)
        if (joint.reduced[side] >= 0) prepareSide(joint, side, group);
    const btVector3 inverseMass = A.internalGetInvMass() + B.internalGetInvMass();
    for (int k = 0; k < joint.count; ++k) {
        JointConstraintRow& entry = rows[joint.first + k];
        const ConstraintRow& row = entry.row;
        entry.frameInverseMass =
            (row.axis * inverseMass).dot(row.axis) + row.angularA.dot(row.responseA) + row.angularB.dot(row.responseB);
        entry.modalInverseMass = static_cast<btScalar>(coupling(joint, k, k, group, bodies)) - entry.frameInverseMass;
        const btScalar sum = entry.frameInverseMass + entry.modalInverseMass;
        entry.row.effectiveMass = sum > SIMD_EPSILON ? 1 / sum : 0;
    }
    invertHardRows(joint, group, bodies);
}

/// Jacobians and responses of all rows on one reduced side.
void JointConstraints::prepareSide(JointConstraint& joint, int side, const Group& group) {
    const ReducedBody& reduced = group.reducedBodies[static_cast<std::size_t>(joint.reduced[side])];
    const btPliantBody::Data& data = reduced.body->data();
    const pliant::MaterialFrame& material = *joint.joint->m_sides[side]->material;
    const int r = data.model().dimension(), n = joint.count;
    scratch.assign(static_cast<std::size_t>(n * (2 * r + 6)), 0.0);
    double *angles = scratch.data(), *turns = angles + 3 * n, *J = turns + 3 * n, *responses = J + n * r;
    const btTransform& frame = reduced.body->getWorldTransform();
    const Matrix3 A = toEigen(frame.getBasis());
    const Vector3 offset = A.transpose() * toEigen(btVector3(joint.pivot - frame.getOrigin())) - material.position();
    for (int k = 0; k < n; ++k) {
        const JointConstraintRow& entry = rows[joint.first + k];
        const Vector3 angular = A.transpose() * toEigen(side == 0 ? entry.row.angularA : entry.row.angularB);
        const Vector3 force = (side == 0 ? 1.0 : -1.0) * (A.transpose() * toEigen(entry.row.axis));
        material.addGeneralised(force, entry.isLinear() ? Vector3(offset.cross(force)) : angular, J + k * r);
        if (data.frameIsFree) Eigen::Map<Vector3>(angles + 3 * k) = angular;
    }
    data.batch().responses(data.slot, n, angles, J, turns, responses);
    const double* jacobians = J;
    if (reduced.whitened) {  // one vector, twice
        data.batch().whiten(data.slot, n, J, responses);
        jacobians = responses;
    }
    btScalar* out = modalVectors.data() + joint.modalOffset[side];
    std::fill_n(out, 2 * n * reduced.stride, btScalar(0));
    for (int k = 0; k < n; ++k) {
        for (int j = 0; j < r; ++j) {
            out[k * reduced.stride + j] = static_cast<btScalar>(jacobians[k * r + j]);
            out[(n + k) * reduced.stride + j] = static_cast<btScalar>(responses[k * r + j]);
        }
        ConstraintRow& row = rows[joint.first + k].row;
        (side == 0 ? row.responseA : row.responseB) =
            data.frameIsFree ? toBullet(A * Eigen::Map<Vector3>(turns + 3 * k)) * reduced.body->getAngularFactor()
                             : btVector3(0, 0, 0);
    }
    const pliant::ConstVectorView now = data.batch().velocity(data.slot), start = data.batch().startVelocity(data.slot);
    for (int k = 0; k < n; ++k) {
        const pliant::ConstVectorView row(J + k * r, r);
        rows[joint.first + k].freeModalVelocity += static_cast<btScalar>(row.dot(now));
        rows[joint.first + k].startModalVelocity += static_cast<btScalar>(row.dot(start));
    }
}

/// Velocity along row k for a unit impulse of row l.
double JointConstraints::coupling(const JointConstraint& joint, int k, int l, const Group& group,
                                  const Bodies& bodies) const {
    const ConstraintRow &a = rows[joint.first + k].row, &b = rows[joint.first + l].row;
    const btVector3 inverseMass =
        bodies[joint.body[0]].internalGetInvMass() + bodies[joint.body[1]].internalGetInvMass();
    btScalar sum = (a.axis * inverseMass).dot(b.axis) + a.angularA.dot(b.responseA) + a.angularB.dot(b.responseB);
    for (int side = 0; side < 2; ++side) {
        if (joint.reduced[side] < 0) continue;
        const int n = group.reducedBodies[static_cast<std::size_t>(joint.reduced[side])].stride;
        sum += modalDot(jacobian(joint, side, k, n), response(joint, side, l, n), n);
    }
    return static_cast<double>(sum);
}

void JointConstraints::invertHardRows(JointConstraint& joint, const Group& group, const Bodies& bodies) {
    const int n = joint.hardRowCount;
    if (n == 0) return;
    using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, JointConstraint::kMostHardRows,
                                JointConstraint::kMostHardRows>;
    Small W(n, n), scale = Small::Zero(n, n);
    for (int i = 0; i < n; ++i) {
        const JointConstraintRow& row = rows[joint.first + joint.hardRows[i]];
        scale(i, i) = std::sqrt(static_cast<double>(row.row.effectiveMass));
        for (int j = 0; j < n; ++j) W(i, j) = coupling(joint, joint.hardRows[i], joint.hardRows[j], group, bodies);
        W(i, i) *= 1.0 + static_cast<double>(row.cfm);
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
        for (int j = 0; j < n; ++j) joint.pseudoInverse[i * n + j] = static_cast<btScalar>(inverse(i, j));
}

}  // namespace btPliantInternal
