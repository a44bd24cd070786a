// SPDX-License-Identifier: Zlib
// Joints at material points of reduced bodies; each is Bullet's joint of the same kind, with all of its options.
//
//     auto* hook = new btPliantPoint2PointConstraint(*basket, btVector3(0, 0, btScalar(0.3)));  // mesh frame, at rest
//     world.addConstraint(hook);
//     ...
//     world.removeConstraint(hook);
//     delete hook;
//
// Arguments are those of Bullet's constructors; frames and pivots on a btPliantBody are in its mesh's frame at rest,
// those on plain rigid bodies in their body frame (btPliantJoint.h). Joints to the world hold the point where it is
// now.
#pragma once

#include <BulletDynamics/ConstraintSolver/btFixedConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h>
#include <BulletDynamics/ConstraintSolver/btHingeConstraint.h>
#include <BulletDynamics/ConstraintSolver/btPoint2PointConstraint.h>
#include <BulletDynamics/ConstraintSolver/btSliderConstraint.h>

#include "btPliant/btPliantJoint.h"

/// Ball and socket: two points stay together.
class btPliantPoint2PointConstraint : public btPoint2PointConstraint, public btPliantJoint {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    btPliantPoint2PointConstraint(btRigidBody& A, btRigidBody& B, const btVector3& pivotInA, const btVector3& pivotInB);
    btPliantPoint2PointConstraint(btRigidBody& A, const btVector3& pivotInA);
    void buildJacobian() override;

protected:
    btTransform getFrame(int side) const override;
    void setFrame(int side, const btTransform& frame) override;
};

/// Two frames turn about their common z axis.
class btPliantHingeConstraint : public btHingeConstraint, public btPliantJoint {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    btPliantHingeConstraint(btRigidBody& A, btRigidBody& B, const btTransform& frameInA, const btTransform& frameInB,
                            bool useReferenceFrameA = false);
    btPliantHingeConstraint(btRigidBody& A, const btTransform& frameInA, bool useReferenceFrameA = false);
    /// Pivot and axis (of unit length) in A, taken over to an undeformed B where they are now.
    btPliantHingeConstraint(btRigidBody& A, btRigidBody& B, const btVector3& pivotInA, const btVector3& axisInA);
    btPliantHingeConstraint(btRigidBody& A, const btVector3& pivotInA, const btVector3& axisInA);
    void buildJacobian() override;

protected:
    btTransform getFrame(int side) const override;
    void setFrame(int side, const btTransform& frame) override;
};

/// B slides along the x axis of A's frame, and turns about it within the angular limits (by default not at all).
class btPliantSliderConstraint : public btSliderConstraint, public btPliantJoint {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    btPliantSliderConstraint(btRigidBody& A, btRigidBody& B, const btTransform& frameInA, const btTransform& frameInB,
                             bool useLinearReferenceFrameA = true);
    btPliantSliderConstraint(btRigidBody& B, const btTransform& frameInB, bool useLinearReferenceFrameA = true);
    void buildJacobian() override;

protected:
    btTransform getFrame(int side) const override;
    void setFrame(int side, const btTransform& frame) override;
    bool isSliding() const override { return true; }
};

/// Two frames stay together.
class btPliantFixedConstraint : public btFixedConstraint, public btPliantJoint {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    btPliantFixedConstraint(btRigidBody& A, btRigidBody& B, const btTransform& frameInA, const btTransform& frameInB);
    btPliantFixedConstraint(btRigidBody& A, const btTransform& frameInA);
    void buildJacobian() override;

protected:
    btTransform getFrame(int side) const override;
    void setFrame(int side, const btTransform& frame) override;
};

/// Six degrees of freedom with limits, motors and springs along and about the axes of A's frame. Springs are exact for
/// the mass that they act on, soft modes included, and stable for any stiffness: Bullet's "limitIfNeeded" is not needed
/// and without effect. A soft one (h^2 k < mass) is not damped by the step.
class btPliantSpringConstraint : public btGeneric6DofSpring2Constraint, public btPliantJoint {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    btPliantSpringConstraint(btRigidBody& A, btRigidBody& B, const btTransform& frameInA, const btTransform& frameInB,
                             RotateOrder order = RO_XYZ);
    btPliantSpringConstraint(btRigidBody& B, const btTransform& frameInB, RotateOrder order = RO_XYZ);
    void buildJacobian() override;

protected:
    btTransform getFrame(int side) const override;
    void setFrame(int side, const btTransform& frame) override;
    bool getSpring(int row, btPliantJointSpring& spring) const override;
    bool isSliding() const override { return true; }
};
