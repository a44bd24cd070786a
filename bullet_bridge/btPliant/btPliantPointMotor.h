// SPDX-License-Identifier: Zlib
/// @file
/// Holds or moves a material point, as a constraint with a largest force [HSO03].
#pragma once

#include "btPliant/btPliantJoints.h"
#include "pliant/math/Api.h"

/// A hand on a material point: holds it, pulls it to a target or moves it at a velocity, with a largest force [HSO03].
///
///     btPliantPointMotor hand(*basket, restPoint, btScalar(40));  // at most 40 N
///     world.addConstraint(&hand);
///     hand.setTargetPosition(where);      // or setTargetVelocity(how)
///
/// The constraint rows carry the whole response of the body, so a small force on a soft spot bends it and a stiff one
/// is carried along. The point is not snapped to its target: a share ERP (setParam()) of the way is made good in every
/// step, and a velocity is reached within one step where the force suffices.
class PLIANT_API btPliantPointMotor : public btPliantPoint2PointConstraint {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    /// Holds the point where it is now.
    /// @param body a reduced or a plain body
    /// @param restPoint mesh frame of a btPliantBody, body frame of a plain body, m
    /// @param largestForce N, of the whole motor
    /// @throws pliant::Error when the point is not finite
    btPliantPointMotor(btRigidBody& body, const btVector3& restPoint, btScalar largestForce = SIMD_INFINITY);

    /// The point goes to a position.
    /// @param position world frame, m
    /// @param velocity of the target, world frame, m/s, so that the point does not lag behind it
    /// @return false where a number is not finite; nothing has changed then
    bool setTargetPosition(const btVector3& position, const btVector3& velocity = btVector3(0, 0, 0));
    /// The point moves with this velocity (world frame, m/s), wherever that leads.
    /// @return false where a number is not finite; nothing has changed then
    bool setTargetVelocity(const btVector3& velocity);
    /// Sets the largest force that the motor uses, N.
    /// @return false where it is negative or no number; nothing has changed then
    bool setLargestForce(btScalar force);
    /// The largest force that the motor uses, N.
    btScalar getLargestForce() const { return m_largestForce; }
    /// The target of the point, world frame, m.
    const btVector3& getTargetPosition() const { return getPivotInB(); }
    /// The velocity of the target, world frame, m/s.
    const btVector3& getTargetVelocity() const { return m_velocity; }

    /// Bullet's callback that fills the rows: adds the velocity of the target, and limits for plain bodies.
    void getInfo2(btConstraintInfo2* info) override;

protected:
    /// The impulse of the largest force in a step of h seconds, N s.
    btScalar getLargestImpulse(btScalar h) const override;

private:
    btVector3 m_velocity = btVector3(0, 0, 0);
    btScalar m_largestForce;
    bool m_holdsPosition = true;
};
