// SPDX-License-Identifier: Zlib
// Internal: rows of joints that hold a reduced body, in one group of Bullet's solver.
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
// one by one. Frames move by h v_1 and q by h (q'_0 + q'_1) / 2, as for contacts.
//
// A hard row must not gain energy either. By the identity at the top of BodyBatch.h the impulses P of a joint gain
// P'(u_0 + u_1) / 2 on linear modes, and P = W^-1 (u_1 - u*). On the segment u_1 = u* + s (-u_0 - u*), 0 <= s <= 1,
// that is -s (1 - s) (u_0 + u*)' W^-1 (u_0 + u*) / 2 <= 0 whatever omega h is. The rows' bias is the velocity that
// Bullet asks for where that gains nothing, which is so as soon as the material is held; else at the nearest to it on
// the way to the nearest point of the segment that does not. (Velocities are relative to what Bullet asks for: motors
// may do work.)
#pragma once

#include <Eigen/Core>
#include <vector>

#include "btPliant/joints/JointSide.h"
#include "btPliant/solver/ContactConstraints.h"

namespace btPliantInternal {

struct JointConstraintRow {
    ConstraintRow row;  ///< axis = 0: an angular row
    btScalar lower = -SIMD_INFINITY, upper = SIMD_INFINITY;
    btScalar cfm = 0;             ///< Bullet's joint CFM: a share of the row's own W
    btScalar targetVelocity = 0;  ///< velocity to reach, before the rule above
    bool isHard = false;
    bool isSpring = false;
    btPliantJointSpring spring;
    // P = springImpulse - springFrameGain u_frames - springModalGain u_modes, u at the end of the step.
    btScalar springImpulse = 0, springFrameGain = 0, springModalGain = 0;
    btScalar frameInverseMass = 0, modalInverseMass = 0;    ///< the two parts of the row's own W
    btScalar freeFrameVelocity = 0, freeModalVelocity = 0;  ///< the two parts of its velocity after the free step
    btScalar startModalVelocity = 0;                        ///< the modes' part at the start of the step
    btScalar undampedShare = 0;  ///< of the velocity after the free step, that Bullet's damping leaves

    bool isLinear() const { return row.axis.length2() > btScalar(0.5); }
};

struct JointConstraint {
    static constexpr int kMostHardRows = 6;  ///< hard rows

    btTypedConstraint* constraint = nullptr;
    btPliantJoint* joint = nullptr;
    int body[2] = {-1, -1};               ///< numbers of solver bodies
    int reduced[2] = {-1, -1};            ///< numbers of reduced bodies in the group
    std::size_t modalOffset[2] = {0, 0};  ///< where J and then W J' of the rows begin
    int first = 0, count = 0;             ///< of its rows
    int iterations = 0;
    int hardRows[kMostHardRows] = {}, hardRowCount = 0;
    btScalar pseudoInverse[kMostHardRows * kMostHardRows] = {};  ///< pseudo-inverse of W of the hard rows
    btScalar largestLinearImpulse = SIMD_INFINITY, largestAngularImpulse = SIMD_INFINITY;
    btVector3 pivot = btVector3(0, 0, 0);  ///< p
};

struct JointConstraints {
    using Bodies = btAlignedObjectArray<btSolverBody>;
    using Group = btPliantConstraintSolver::ContactConstraints;

    std::vector<JointConstraint> joints;
    btAlignedObjectArray<JointConstraintRow> rows;
    std::vector<btScalar> modalVectors;

    void clear();
    /// Asks Bullet's constraint for its rows (after its buildJacobian), and the material for its response.
    void add(JointConstraint joint, Group& group, const Bodies& bodies, const btContactSolverInfo& info);
    void warmStart(int number, Group& group, Bodies& bodies);
    /// Right-hand sides, when everything has been started.
    void computeBias(int number, const Group& group, Bodies& bodies, const btContactSolverInfo& info);
    /// @return largest squared change of an impulse
    btScalar iterate(int iteration, Group& group, Bodies& bodies);
    /// Impulses to joints, feedback and angular momenta; joints that break.
    void writeBack(Group& group, const btContactSolverInfo& info);

    /// Sum of |P c| over the rows, c the velocity that a row was to add, J.
    double work() const;
    /// Drops the impulses of joints with a side of which diverged(reduced, body) is true: the next substep starts
    /// without.
    template <class Diverged>
    void forgetImpulses(const Diverged& diverged) {
        for (const JointConstraint& joint : joints)
            for (int side = 0; side < 2; ++side)
                if (diverged(joint.reduced[side], joint.body[side])) joint.joint->m_solvedRows.resize(0);
    }

    /// What the same forces would have done in a substep `ratio` times as long.
    static void scaleImpulses(btTypedConstraint& constraint, btScalar ratio);
    /// Forces of last substep's impulses on reduced bodies that are about to step, as those of contacts in
    /// FreeStep.cpp.
    static void addForces(btTypedConstraint& constraint, const btContactSolverInfo& info, double h);
    static bool wasSolved(const btPliantJoint& joint) { return joint.m_solved; }
    static void clearSolved(btPliantJoint& joint) { joint.m_solved = false; }
    /// A side is a reduced body that has made its free step.
    static bool hasStepped(const btPliantJoint& joint);

private:
    struct Velocity {
        btScalar frames = 0, modes = 0;
        btScalar sum() const { return frames + modes; }
    };
    static btVector3 applicationPoint(const btPliantJoint& joint);  ///< p, world
    static void computeSpringBias(JointConstraintRow& row, btScalar h);
    static void addMomentum(const JointConstraint& joint, const ConstraintRow& row, Group& group);
    static void addFeedback(btTypedConstraint& constraint, const ConstraintRow& row, btScalar h);
    void prepare(int number, const Group& group, const Bodies& bodies);
    void prepareSide(JointConstraint& joint, int side, const Group& group);
    void invertHardRows(JointConstraint& joint, const Group& group, const Bodies& bodies);
    void computePassiveBias(const JointConstraint& joint, const int* which, int count, const btScalar* inverse,
                            const Group& group, Bodies& bodies);
    Velocity velocityChange(const JointConstraint& joint, int k, const Group& group, Bodies& bodies) const;
    void applyImpulse(const JointConstraint& joint, int k, btScalar impulse, Group& group, Bodies& bodies);
    btScalar iterateHardRows(const JointConstraint& joint, Group& group, Bodies& bodies);
    btScalar iterateRow(const JointConstraint& joint, int k, Group& group, Bodies& bodies);
    double coupling(const JointConstraint& joint, int k, int l, const Group& group, const Bodies& bodies) const;
    const btScalar* jacobian(const JointConstraint& joint, int side, int k, int stride) const {
        return modalVectors.data() + joint.modalOffset[side] + static_cast<std::size_t>(k * stride);
    }
    const btScalar* response(const JointConstraint& joint, int side, int k, int stride) const {
        return modalVectors.data() + joint.modalOffset[side] + static_cast<std::size_t>((joint.count + k) * stride);
    }

    std::vector<double> scratch;
};

}  // namespace btPliantInternal
