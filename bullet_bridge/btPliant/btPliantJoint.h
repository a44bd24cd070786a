// SPDX-License-Identifier: Zlib
/// @file
/// What Pliant's joints have in common, beside the Bullet constraint that each of them is (btPliantJoints.h).
#pragma once

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>

#include <memory>
#include <vector>

#include "btPliant/btPliantPrecision.h"
#include "pliant/math/Api.h"

namespace btPliantInternal {
struct Access;
}  // namespace btPliantInternal

class btPliantBody;

/// A spring along or about an axis of a joint.
struct btPliantJointSpring {
    btScalar m_stiffness = 0;  ///< Stiffness, N/m or N m/rad.
    btScalar m_damping = 0;    ///< Damping, N s/m or N m s/rad.
    /// Distance from rest, m or rad, such that the impulse of a step of h seconds is h * stiffness * extension.
    btScalar m_extension = 0;
};

/// The side of a joint that follows deformed material; a base class of every joint in btPliantJoints.h.
///
/// A joint holds two bodies A and B; either may be any btRigidBody. The frame on a plain one is given in its body
/// frame, as Bullet has it; the frame on a btPliantBody is given in the mesh frame at rest, and it follows the
/// deformation (the rotation of the polar decomposition of the deformation gradient). Bullet's class says what the
/// constraint rows are: limits, motors, springs and their options are Bullet's own and work as they do there.
/// btPliantConstraintSolver adds the deformation's part of every row and solves the rows with the contacts; with any
/// other solver the joint still follows the material, but does not bend it.
///
/// Differences from Bullet's joints, all for the sake of momentum: the forces on both bodies meet in one point, and
/// rows see the velocity of the material. An impulse larger than getBreakingImpulseThreshold() (the length of the
/// linear impulse, or of the angular one) disables the joint; the impulse of that step is cut off at the threshold.
/// A joint that holds two plain bodies is Bullet's in everything, breaking included; it tells its impulses, too.
class PLIANT_API btPliantJoint {
public:
    /// A joint is its owner's; remove it from the world before.
    virtual ~btPliantJoint();
    btPliantJoint(const btPliantJoint&) = delete;
    btPliantJoint& operator=(const btPliantJoint&) = delete;

    /// The constraint as one of Pliant's joints, or null where it is none.
    static btPliantJoint* upcast(btTypedConstraint* constraint);

    /// The frame to hand to a constructor so that a joint holds an undeformed body where `world` is.
    static btTransform restFrame(const btRigidBody& body, const btTransform& world);

    /// Where the joint holds a body now, world frame, m.
    /// @param side 0 for body A, 1 for body B
    btVector3 getPivotPosition(int side) const;
    /// The linear impulse of the last substep on A, world frame, N s; B gets the opposite. getAppliedImpulse() is its
    /// length (the length of the angular impulse where the joint has no linear rows).
    const btVector3& getLinearImpulse() const;
    /// The angular impulse of the last substep on A, world frame, N m s, without the moment of the linear one; B gets
    /// the opposite.
    const btVector3& getAngularImpulse() const;

    /// Describes a row of Bullet's getInfo2() that is a spring, after getInfo1().
    /// @param row number of the row
    /// @param spring written where the row is one
    /// @return whether the row is a spring
    virtual bool getSpring(int row, btPliantJointSpring& spring) const;
    /// Largest linear impulse of a step of h seconds that the rows without limits of their own may use together, N s.
    virtual btScalar getLargestImpulse(btScalar h) const;
    /// Whether the two pivots may be apart: rows then act where B is held, because their axes are fixed in A.
    virtual bool isSliding() const { return false; }

    /// Numbers of the joint's own that a saved world holds beside its impulses (btPliantSystem::saveState()): none.
    /// @param numbers written
    virtual void getNumbers(std::vector<double>& numbers) const;
    /// Whether setNumbers() can go on from these numbers.
    virtual bool acceptsNumbers(const std::vector<double>& numbers) const;
    /// Goes on from numbers that getNumbers() has written and acceptsNumbers() has accepted.
    virtual void setNumbers(const std::vector<double>& numbers);

protected:
    /// A joint between two bodies, for derived classes.
    /// @param A first body
    /// @param B second body
    /// @param frameInA the joint's frame on A at rest: mesh frame of a btPliantBody, body frame of a plain body
    /// @param frameInB the same on B
    btPliantJoint(btRigidBody& A, btRigidBody& B, const btTransform& frameInA, const btTransform& frameInB);

    /// A frame at rest as it is now in Bullet's body frame.
    /// @throws pliant::Error when the frame is not finite
    static btTransform frameInBody(btRigidBody& body, const btTransform& frame);
    /// A frame at rest as it is now in the world: what a joint to the world holds on to.
    /// @throws pliant::Error when the frame is not finite
    static btTransform frameInWorld(btRigidBody& body, const btTransform& frame);

    /// The frame of Bullet's constraint on a body, in that body's frame.
    /// @param side 0 for body A, 1 for body B
    virtual btTransform getFrame(int side) const = 0;
    /// Sets the frame of Bullet's constraint on a body, in that body's frame.
    /// @param side 0 for body A, 1 for body B
    /// @param frame where the material has carried the joint's frame
    virtual void setFrame(int side, const btTransform& frame) = 0;
    /// Brings the frames on reduced bodies up to date with the deformation (at the start of the substep, while one is
    /// under way).
    void followMaterial();

private:
    friend struct btPliantInternal::Access;
    struct PLIANT_HIDDEN Data;
    Data& data() { return *m_data; }
    const Data& data() const { return *m_data; }
    std::unique_ptr<Data> m_data;
};
