// SPDX-License-Identifier: Zlib
// The rows that Bullet's constraint asks for, with the response of the material.
#include "btPliant/joints/JointSetUp.h"

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "btPliant/joints/GeometricRows.h"
#include "btPliant/joints/HeldRows.h"
#include "btPliant/joints/MaterialRows.h"
#include "btPliant/solver/FrameResponse.h"

namespace btPliantInternal {

namespace {

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

/// Where a row with a linear axis acts, and its moments.
void setLever(int k, const BulletRow& found, const JointConstraint& joint, const btSolverBody& A, const btSolverBody& B,
              JointConstraintRow& entry) {
    ConstraintRow& row = entry.row;
    const auto& points = dataOf(*joint.joint).points;
    if (!points.empty()) entry.point = k / 3;
    entry.pivot = points.empty() ? joint.pivot : applicationPoint(*points[static_cast<std::size_t>(entry.point)]);
    if (entry.isLinear()) {
        row.angularA = (entry.pivot - centreOf(A)).cross(row.axis);
        row.angularB = -(entry.pivot - centreOf(B)).cross(row.axis);
    } else {
        row.axis.setZero();
        row.angularA = vectorOf(found.angularA);
        row.angularB = vectorOf(found.angularB);
    }
}

/// Row k of a joint that Bullet has asked for. @param undampedShare see JointConstraintRow
JointConstraintRow makeRow(int k, const BulletRow& found, const JointConstraint& joint, const SolverBodies& bodies,
                           btScalar undampedShare) {
    const btSolverBody &A = bodies[joint.body[0]], &B = bodies[joint.body[1]];
    const btScalar threshold = joint.constraint->getBreakingImpulseThreshold();
    JointConstraintRow entry;
    ConstraintRow& row = entry.row;
    row.axis = vectorOf(found.linearA);
    setLever(k, found, joint, A, B, entry);
    entry.cfm = found.cfm;
    entry.freeFrameVelocity = freeFrameVelocity(row, A, B);
    entry.targetVelocity = found.error;
    entry.undampedShare = undampedShare;
    entry.isSpring = joint.joint->getSpring(k, entry.spring);
    entry.isCoupling = joint.coupling >= 0;
    entry.isHard =
        entry.isCoupling || (!entry.isSpring && found.lower <= -SIMD_INFINITY && found.upper >= SIMD_INFINITY &&
                             (entry.point >= 0 || joint.hardRowCount < JointConstraint::kMostHardRows));
    entry.lower = entry.isSpring ? -threshold : btMax(found.lower, -threshold);
    entry.upper = entry.isSpring ? threshold : btMin(found.upper, threshold);
    return entry;
}

void invertHardRows(const JointConstraint& joint, const ReducedBodies& reducedBodies, const SolverBodies& bodies,
                    JointConstraints& all) {
    const int n = joint.hardRowCount;
    if (n == 0) return;
    using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, JointConstraint::kMostHardRows,
                                JointConstraint::kMostHardRows>;
    const int* which = hardRows(all, joint);
    Small W(n, n), scale = Small::Zero(n, n);
    for (int i = 0; i < n; ++i) {
        const JointConstraintRow& row = all.rows[joint.first + which[i]];
        scale(i, i) = std::sqrt(static_cast<double>(row.row.effectiveMass));
        for (int j = 0; j < n; ++j) W(i, j) = coupling(all, joint, which[i], which[j], reducedBodies, bodies);
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
        for (int j = 0; j < n; ++j) all.pseudoInverses.push_back(static_cast<btScalar>(inverse(i, j)));
}

/// Effective masses of a joint's rows, whose responses are known.
void weighRows(const ReducedBodies& reducedBodies, const SolverBodies& bodies, const JointConstraint& joint,
               JointConstraints& all) {
    const btVector3 inverseMass =
        bodies[joint.body[0]].internalGetInvMass() + bodies[joint.body[1]].internalGetInvMass();
    for (int k = 0; k < joint.count; ++k) {
        JointConstraintRow& entry = all.rows[joint.first + k];
        const ConstraintRow& row = entry.row;
        entry.frameInverseMass =
            (row.axis * inverseMass).dot(row.axis) + row.angularA.dot(row.responseA) + row.angularB.dot(row.responseB);
        entry.modalInverseMass =
            static_cast<btScalar>(coupling(all, joint, k, k, reducedBodies, bodies)) - entry.frameInverseMass;
        const btScalar sum = entry.frameInverseMass + entry.modalInverseMass;
        entry.row.effectiveMass = sum > SIMD_EPSILON ? 1 / sum : 0;
        if (entry.isGeometric) weighGeometricRow(joint, bodies, entry);
    }
}

/// The block of a tool's rows, whose responses are known.
CouplingBlock blockOf(const JointConstraint& joint, const JointConstraints& all, const ReducedBodies& reducedBodies,
                      const SolverBodies& bodies, btScalar h) {
    CouplingResponse response;
    for (int k = 0; k < 6; ++k) {
        for (int l = 0; l < 6; ++l) {
            const JointVelocity v = couplingParts(all, joint, k, l, reducedBodies, bodies);
            response.frames(k, l) = static_cast<double>(v.frames);
            response.modes(k, l) = static_cast<double>(v.modes);
        }
        response.startModes[k] = static_cast<double>(all.rows[joint.first + k].startModalVelocity);
    }
    const btRigidBody& body = *dataOf(*joint.joint).sides[0].body;
    if (body.getInvMass() > 0) response.arm = toEigen(btVector3(joint.pivot - body.getCenterOfMassPosition()));
    if (body.getInvMass() > 0) response.mass = 1.0 / static_cast<double>(body.getInvMass());
    const double turns = toEigen(body.getInvInertiaTensorWorld()).trace();
    if (turns > 0.0) response.inertia = 3.0 / turns;
    return makeBlock(*dataOf(*joint.joint).coupling, response, static_cast<double>(h));
}

/// Responses, effective masses and the pseudo-inverse of a joint, whose rows are made.
void prepare(const ReducedBodies& reducedBodies, const SolverBodies& bodies, const btContactSolverInfo& info,
             JointConstraint& joint, JointConstraints& all) {
    const btSolverBody &A = bodies[joint.body[0]], &B = bodies[joint.body[1]];
    for (int k = 0; k < joint.count; ++k) {
        ConstraintRow& row = all.rows[joint.first + k].row;
        row.responseA = rigidResponse(A, row.angularA);
        row.responseB = rigidResponse(B, row.angularB);
    }
    for (int side = 0; side < 2; ++side)
        if (const ReducedBody* reduced = reducedBody(reducedBodies, joint.reduced[side]))
            prepareSide(joint, side, *reduced, all);
    joint.pseudoInverseOffset = all.pseudoInverses.size();
    if (!dataOf(*joint.joint).points.empty()) {
        const btScalar own = joint.constraint->getParam(BT_CONSTRAINT_ERP), share = own >= 0 ? own : info.m_erp;
        chooseHeldRows(reducedBodies, bodies, joint, static_cast<double>(info.m_timeStep), static_cast<double>(share),
                       all);
    }
    weighRows(reducedBodies, bodies, joint, all);
    if (joint.coupling < 0 && dataOf(*joint.joint).points.empty()) invertHardRows(joint, reducedBodies, bodies, all);
}

}  // namespace

void addJointRows(JointConstraint joint, const ReducedBodies& reducedBodies, const SolverBodies& bodies,
                  const btContactSolverInfo& info, JointConstraints& all) {
    btTypedConstraint& constraint = *joint.constraint;
    btTypedConstraint::btConstraintInfo1 sizes;
    constraint.getInfo1(&sizes);
    if (sizes.m_numConstraintRows <= 0) return;
    all.bulletRows.assign(static_cast<std::size_t>(sizes.m_numConstraintRows), BulletRow());
    btTypedConstraint::btConstraintInfo2 asked = infoOf(all.bulletRows.data(), info);
    constraint.getInfo2(&asked);

    const btScalar threshold = constraint.getBreakingImpulseThreshold();
    joint.first = all.rows.size();
    joint.count = sizes.m_numConstraintRows;
    joint.largestLinearImpulse = btMin(threshold, joint.joint->getLargestImpulse(info.m_timeStep));
    joint.largestAngularImpulse = threshold;
    joint.pivot = applicationPoint(*joint.joint);
    if (dataOf(*joint.joint).coupling) joint.coupling = static_cast<int>(all.couplings.size());
    joint.hardRowOffset = all.hardRows.size();
    for (int k = 0; k < joint.count; ++k) {
        JointConstraintRow entry =
            makeRow(k, all.bulletRows[static_cast<std::size_t>(k)], joint, bodies, 1 - asked.m_damping);
        entry.freeFrameVelocity += skinVelocity(joint, entry, static_cast<double>(info.m_timeStep));
        if (entry.isHard) {
            all.hardRows.push_back(k);
            ++joint.hardRowCount;
        }
        all.rows.push_back(entry);
    }
    addGeometricRows(joint, bodies, info.m_timeStep, all);
    for (int side = 0; side < 2; ++side) {
        joint.modalOffset[side] = all.modalVectors.size();
        if (joint.reduced[side] < 0) continue;
        const int stride = reducedBodies[static_cast<std::size_t>(joint.reduced[side])].stride;
        all.modalVectors.resize(all.modalVectors.size() + static_cast<std::size_t>(2 * joint.count * stride));
    }
    prepare(reducedBodies, bodies, info, joint, all);
    if (joint.coupling >= 0) all.couplings.push_back(blockOf(joint, all, reducedBodies, bodies, info.m_timeStep));
    all.joints.push_back(joint);
}

}  // namespace btPliantInternal
