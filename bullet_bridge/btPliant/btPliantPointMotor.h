// SPDX-License-Identifier: Zlib
// Holds or moves a material point, as a constraint with a largest force [HSO03].
//
//     btPliantPointMotor hand(*basket, restPoint, btScalar(40));  // at most 40 N
//     world.addConstraint(&hand);
//     hand.setTargetPosition(where);      // or setTargetVelocity(how)
//
// The rows carry the whole response of the body, so a small force on a soft spot bends it and a stiff one is carried
// along. The point is not snapped to its target: a share ERP (setParam) of the way is made good in every step, and a
// velocity is reached within one step where the force suffices.
#pragma once

#include "btPliant/btPliantJoints.h"

class btPliantPointMotor : public btPliantPoint2PointConstraint {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    /// Holds the point where it is now. @param restPoint mesh frame of a btPliantBody, body frame of a plain body
    btPliantPointMotor(btRigidBody& body, const btVector3& restPoint, btScalar largestForce = SIMD_INFINITY);

    /// World. The point goes there; `velocity` is that of the target, so that the point does not lag behind it.
    void setTargetPosition(const btVector3& position, const btVector3& velocity = btVector3(0, 0, 0));
    /// World. The point moves with this velocity, wherever that leads.
    void setTargetVelocity(const btVector3& velocity);
    void setLargestForce(btScalar force) { m_largestForce = force; }  ///< N
    btScalar getLargestForce() const { return m_largestForce; }
    const btVector3& getTargetPosition() const { return getPivotInB(); }
    const btVector3& getTargetVelocity() const { return m_velocity; }

    void getInfo2(btConstraintInfo2* info) override;

protected:
    btScalar getLargestImpulse(btScalar h) const override;

private:
    btVector3 m_velocity = btVector3(0, 0, 0);
    btScalar m_largestForce;
    bool m_holdsPosition = true;
};
