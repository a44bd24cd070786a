// SPDX-License-Identifier: Zlib
// What our joints have beside Bullet's constraint that each of them is (btPliantJoints.h).
//
// A side of a joint is any btRigidBody. The frame on a plain one is given in its body frame, as Bullet has it; that on
// a btPliantBody in the mesh's frame at rest, and it follows the deformation (pliant/runtime/MaterialFrame.h). Bullet's
// class says what the rows are: limits, motors, springs and their options are Bullet's own and work as they do there.
// btPliantConstraintSolver adds the deformation's part of every row and solves the rows with the contacts; with any
// other solver the joint still follows the material, but does not bend it.
//
// Differences from Bullet's joints, all for the sake of momentum: the forces of both sides meet in one point, and rows
// see the velocity of the material. An impulse larger than getBreakingImpulseThreshold() (the length of the linear
// impulse, or of the angular one) disables the joint; that step's impulse is cut off at the threshold.
#pragma once

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>

#include <memory>
#include <vector>

#include "btPliant/btPliantPrecision.h"

class btPliantBody;

namespace btPliantInternal {
struct JointConstraints;
struct JointState;
}  // namespace btPliantInternal

/// A spring along or about an axis of a joint.
struct btPliantJointSpring {
    btScalar m_stiffness = 0;  ///< N/m or N m/rad
    btScalar m_damping = 0;    ///< N s/m or N m s/rad
    btScalar m_extension = 0;  ///< m or rad, such that the row's impulse is h * stiffness * extension
};

class btPliantJoint {
public:
    virtual ~btPliantJoint();
    btPliantJoint(const btPliantJoint&) = delete;
    btPliantJoint& operator=(const btPliantJoint&) = delete;

    /// The constraint as one of ours, or null.
    static btPliantJoint* upcast(btTypedConstraint* constraint);

    /// The frame to hand to a constructor so that a joint holds an undeformed body where `world` is.
    static btTransform restFrame(const btRigidBody& body, const btTransform& world);

    /// Where the joint holds body 0 (A) or 1 (B) now; world.
    btVector3 getPivotPosition(int side) const;
    /// Of the last substep, on A, world: N s and N m s (the latter without the moment of the former). B gets the
    /// opposite. getAppliedImpulse() is the length of the linear one (of the angular one where the joint has no linear
    /// rows).
    const btVector3& getLinearImpulse() const { return m_linearImpulse; }
    const btVector3& getAngularImpulse() const { return m_angularImpulse; }

protected:
    /// @param frameInA, frameInB at rest, see the top
    btPliantJoint(btRigidBody& A, btRigidBody& B, const btTransform& frameInA, const btTransform& frameInB);

    /// A frame at rest as it is now in the body frame of Bullet. @throws pliant::Error when it is not finite
    static btTransform frameInBody(btRigidBody& body, const btTransform& frame);
    /// The same, in the world: what a joint to the world holds on to.
    static btTransform frameInWorld(btRigidBody& body, const btTransform& frame);

    /// Bullet's own frames, in the body frames.
    virtual btTransform getFrame(int side) const = 0;
    virtual void setFrame(int side, const btTransform& frame) = 0;
    /// Row `row` of getInfo2 as a spring, after getInfo1.
    virtual bool getSpring(int row, btPliantJointSpring& spring) const;
    /// Largest linear impulse of a step of h seconds that the rows without limits of their own may use together, N s.
    virtual btScalar getLargestImpulse(btScalar h) const;
    /// The two pivots may be apart: rows act where B is held, because their axes are fixed in A.
    virtual bool isSliding() const { return false; }

    /// Brings the frames on reduced bodies up to date with the deformation (at the start of the substep, while one is
    /// under way).
    void followMaterial();

private:
    friend struct btPliantInternal::JointConstraints;
    friend struct btPliantInternal::JointState;
    struct Side;

    /// A row as the last substep left it.
    struct SolvedRow {
        btVector3 direction;  ///< on A
        btScalar impulse;
        bool isLinear, isHard;
    };

    std::unique_ptr<Side> m_sides[2];
    btVector3 m_linearImpulse = btVector3(0, 0, 0), m_angularImpulse = btVector3(0, 0, 0);
    btAlignedObjectArray<SolvedRow> m_solvedRows;
    btScalar m_lastSize = 0, m_sizeBefore = 0;  ///< lengths of the last two substeps' impulses
    btScalar m_warmStartFactor = 0;             ///< of the last impulse that the deformation has stepped with
    bool m_solved = false;                      ///< in the substep that is under way
};
