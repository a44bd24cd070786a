// SPDX-License-Identifier: Zlib
// Internal: rows of joints that hold a reduced body, in one group of Bullet's solver. Plain data: what the stages of
// the solver do with them is told by JointSetUp.h, JointBias.h, JointIteration.h and JointWriteBack.h.
//
// Bullet's constraint says what its rows are (getInfo2): linear ones with an axis d, angular ones with an axis w, a
// velocity to reach, limits of the impulse. With the frames F_A, F_B of the material (MaterialFrame.h: position x,
// modal Jacobian U of it, G of its rotation) and one point p of application for both bodies, row k is
//
//     J = [ d, (p - c_A) x d, U_A' d + G_A' (p - x_A) x d | -d, -(p - c_B) x d, -U_B' d - G_B' (p - x_B) x d ]    or
//     J = [ 0, w,             G_A' w                      |  0, -w,             -G_B' w ]
//
// and W J' is the response of ContactConstraints.h. Hard rows (no limits of their own) of a joint are solved together,
// by the pseudo-inverse of their W, so that a body with fewer modes than rows is held as well as it can be; the others
// one by one. Joints that hold many points have rows of their own choice (HeldRows.h). Frames move by h v_1 and q by h
// (q'_0 + q'_1) / 2, as for contacts.
//
// A hard row must not gain energy either. By the identity at the top of BodyBatch.h the impulses P of a joint gain
// P'(u_0 + u_1) / 2 on linear modes, and P = W^-1 (u_1 - u*). On the segment u_1 = u* + s (-u_0 - u*), 0 <= s <= 1,
// that is -s (1 - s) (u_0 + u*)' W^-1 (u_0 + u*) / 2 <= 0 whatever omega h is. The rows' bias is the velocity that
// Bullet asks for where that gains nothing, which is so as soon as the material is held; else at the nearest to it on
// the way to the nearest point of the segment that does not. (Velocities are relative to what Bullet asks for: motors
// may do work.)
#pragma once

#include <LinearMath/btAlignedObjectArray.h>

#include <vector>

#include "btPliant/data/JointData.h"
#include "btPliant/solver/ContactConstraints.h"
#include "btPliant/tool/CouplingBlock.h"

namespace btPliantInternal {

struct JointConstraintRow {
    ConstraintRow row;  ///< The row; axis = 0: an angular one.
    btScalar lower = -SIMD_INFINITY, upper = SIMD_INFINITY;
    btScalar cfm = 0;             ///< Bullet's joint CFM: a share of the row's own W.
    btScalar targetVelocity = 0;  ///< Velocity to reach, before the rule above.
    bool isHard = false;
    bool isSpring = false;
    bool isCoupling = false;   ///< Whether it is one of a tool's six.
    bool isGeometric = false;  ///< Whether it is inertia of its force (GeometricRows.h); a spring of that law.
    btPliantJointSpring spring;
    // P = springImpulse - springFrameGain u_frames - springModalGain u_modes, u at the end of the step.
    btScalar springImpulse = 0, springFrameGain = 0, springModalGain = 0;
    btScalar frameInverseMass = 0, modalInverseMass = 0;    ///< The two parts of the row's own W.
    btScalar freeFrameVelocity = 0, freeModalVelocity = 0;  ///< The two parts of its velocity after the free step.
    btScalar startModalVelocity = 0;                        ///< The modes' part at the start of the step.
    btScalar modalDisplacement = 0;        ///< Way along the row of the modes from rest to the step's start.
    btScalar startImpulse = 0;             ///< Impulse that it has started with, N s or N m s.
    btScalar undampedShare = 0;            ///< Share of the velocity after the free step that Bullet's damping leaves.
    btVector3 pivot = btVector3(0, 0, 0);  ///< Point p where it acts, world, m.
    int point = -1;                        ///< Number of the point that it holds, of a joint with many; -1: none.

    bool isLinear() const { return row.axis.length2() > btScalar(0.5); }
};

struct JointConstraint {
    static constexpr int kMostHardRows = 6;  ///< Most hard rows of what does not hold many points.

    btTypedConstraint* constraint = nullptr;
    btPliantJoint* joint = nullptr;
    int body[2] = {-1, -1};               ///< Numbers of solver bodies.
    int reduced[2] = {-1, -1};            ///< Numbers of reduced bodies in the group; -1: none.
    std::size_t modalOffset[2] = {0, 0};  ///< Where J and then W J' of the rows begin.
    int first = 0, count = 0;             ///< Range of its rows.
    int iterations = 0;
    int hardRowCount = 0;
    std::size_t hardRowOffset = 0, pseudoInverseOffset = 0;  ///< Where hardRows() and pseudoInverse() begin.
    btScalar largestLinearImpulse = SIMD_INFINITY, largestAngularImpulse = SIMD_INFINITY;
    btVector3 pivot = btVector3(0, 0, 0);  ///< Point p of joints with one, world, m.
    int coupling = -1;                     ///< Number of a tool's block, which its rows are solved by; -1: none.
};

/// A row as getInfo2 writes it.
struct BulletRow {
    btScalar linearA[4] = {}, angularA[4] = {}, linearB[4] = {}, angularB[4] = {};
    btScalar error = 0, cfm = 0, lower = -SIMD_INFINITY, upper = SIMD_INFINITY;
};

/// Hard rows of joints that share bodies, as one factored system (JointSystem.h).
struct JointSystem {
    struct Row {
        int joint = 0, row = 0;   ///< Number of the joint, and of its row within it.
        int first = 0;            ///< First column of the envelope.
        std::size_t offset = 0;   ///< Where L from `first` on begins, without the diagonal.
        double inversePivot = 0;  ///< 1 / D; 0: the row is left to those before.
    };
    std::vector<Row> rows;
    std::vector<double> lower;     ///< L, row by row.
    std::vector<double> right;     ///< Right-hand sides, then the solution.
    std::vector<char> holds;       ///< Whether the rows of each joint are among these.
    std::vector<int> jointCounts;  ///< Working memory of the set-up, an entry a body.
    std::vector<int> firstRows;    ///< Working memory of the set-up, an entry a body.

    bool isEmpty() const { return rows.empty(); }
};

/// Candidate rows of points on one reduced side as they were before they were rounded to Bullet's numbers, whose
/// rounding would pass for mobility: of each row the change of omega by a unit impulse (world, 3), J and W J'.
struct HeldVectors {
    std::vector<double> turns, jacobians, responses;
    int dimension = 0;  ///< Length of a row of the latter two.
};

struct JointConstraints {
    std::vector<JointConstraint> joints;
    btAlignedObjectArray<JointConstraintRow> rows;
    std::vector<btScalar> modalVectors;  ///< Jacobians and responses.
    std::vector<int> hardRows;           ///< Hard rows of one joint after the other: numbers from its first row on.
    std::vector<btScalar> pseudoInverses;
    std::vector<CouplingBlock> couplings;
    JointSystem system;                                   ///< System of joints that share bodies.
    std::vector<BulletRow> bulletRows;                    ///< Rows of the joint that is being set up.
    std::vector<double> scratch;                          ///< Working memory of a side.
    HeldVectors heldVectors[2];                           ///< Working memory of HeldRows.cpp: candidates of a side.
    std::vector<btScalar> blockScratch;                   ///< Working memory of a block.
    btAlignedObjectArray<JointConstraintRow> chosenRows;  ///< Working memory of HeldRows.cpp.
    std::vector<btScalar> chosenVectors;                  ///< Working memory of HeldRows.cpp.
};

/// Forgets the group; keeps the memory.
inline void clear(JointConstraints& all) {
    all.joints.clear();
    all.rows.resize(0);
    all.modalVectors.clear();
    all.hardRows.clear();
    all.pseudoInverses.clear();
    all.couplings.clear();
}

/// Numbers of the hard rows of a joint, hardRowCount of them.
inline const int* hardRows(const JointConstraints& all, const JointConstraint& joint) {
    return all.hardRows.data() + joint.hardRowOffset;
}

/// Pseudo-inverse of W of the hard rows, row by row.
inline const btScalar* pseudoInverse(const JointConstraints& all, const JointConstraint& joint) {
    return all.pseudoInverses.data() + joint.pseudoInverseOffset;
}

/// J of row k of a joint on a reduced side. @param stride of that body's modal vectors
inline const btScalar* jacobian(const JointConstraints& all, const JointConstraint& joint, int side, int k,
                                int stride) {
    return all.modalVectors.data() + joint.modalOffset[side] + static_cast<std::size_t>(k * stride);
}

/// The same of W J'.
inline const btScalar* response(const JointConstraints& all, const JointConstraint& joint, int side, int k,
                                int stride) {
    return all.modalVectors.data() + joint.modalOffset[side] + static_cast<std::size_t>((joint.count + k) * stride);
}

/// Point p of a joint now, world.
btVector3 applicationPoint(const btPliantJoint& joint);
/// The same of one of many points, whose positions are up to date.
btVector3 applicationPoint(const HeldPoint& point);

/// Velocity along a row, m/s or rad/s.
struct JointVelocity {
    btScalar frames = 0, modes = 0;
    btScalar sum() const { return frames + modes; }
};

/// Velocity along row k for a unit impulse of row l, in its two parts.
JointVelocity couplingParts(const JointConstraints& all, const JointConstraint& joint, int k, int l,
                            const ReducedBodies& reducedBodies, const SolverBodies& bodies);
/// Their sum.
double coupling(const JointConstraints& all, const JointConstraint& joint, int k, int l,
                const ReducedBodies& reducedBodies, const SolverBodies& bodies);

/// What the impulses of the iterations (and those that the frames started with) have added along row k.
JointVelocity velocityChange(const JointConstraints& all, const JointConstraint& joint, int k,
                             const ContactConstraints& contacts, const SolverBodies& bodies);

}  // namespace btPliantInternal
