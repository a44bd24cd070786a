// SPDX-License-Identifier: Zlib
/// @file
/// Joints at material points of reduced bodies; each is Bullet's joint of the same kind, with all of its options.
///
///     auto* hook = new btPliantPoint2PointConstraint(*basket, btVector3(0, 0, btScalar(0.3)));  // mesh frame, at rest
///     world.addConstraint(hook);
///     ...
///     world.removeConstraint(hook);
///     delete hook;
///
/// Arguments are those of Bullet's constructors; frames and pivots on a btPliantBody are in its mesh frame at rest,
/// those on plain rigid bodies in their body frame (btPliantJoint.h). Joints to the world hold the point where it is
/// now. Every constructor throws pliant::Error when a frame is not finite.
#pragma once

#include <BulletDynamics/ConstraintSolver/btFixedConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h>
#include <BulletDynamics/ConstraintSolver/btHingeConstraint.h>
#include <BulletDynamics/ConstraintSolver/btPoint2PointConstraint.h>
#include <BulletDynamics/ConstraintSolver/btSliderConstraint.h>

#include "btPliant/btPliantJoint.h"
#include "pliant/math/Api.h"

/// A ball-and-socket joint: two points stay together.
class PLIANT_API btPliantPoint2PointConstraint : public btPoint2PointConstraint, public btPliantJoint {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    /// Holds a point of A to a point of B.
    btPliantPoint2PointConstraint(btRigidBody& A, btRigidBody& B, const btVector3& pivotInA, const btVector3& pivotInB);
    /// Holds a point of A to the world, where the point is now.
    btPliantPoint2PointConstraint(btRigidBody& A, const btVector3& pivotInA);
    /// Bullet's callback at the start of a solve; the frames on reduced bodies follow the material first.
    void buildJacobian() override;

protected:
    /// The pivot of Bullet's constraint, in the frame of body 0 (A) or 1 (B).
    btTransform getFrame(int side) const override;
    /// Sets the pivot of Bullet's constraint, in the frame of body 0 (A) or 1 (B).
    void setFrame(int side, const btTransform& frame) override;
};

/// A hinge: two frames turn about their common z axis.
class PLIANT_API btPliantHingeConstraint : public btHingeConstraint, public btPliantJoint {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    /// A hinge between A and B, whose axis is the z axis of both frames.
    btPliantHingeConstraint(btRigidBody& A, btRigidBody& B, const btTransform& frameInA, const btTransform& frameInB,
                            bool useReferenceFrameA = false);
    /// A hinge between A and the world, where the frame is now.
    btPliantHingeConstraint(btRigidBody& A, const btTransform& frameInA, bool useReferenceFrameA = false);
    /// A hinge by pivot and axis (of unit length) in A, which are taken over to an undeformed B where they are now.
    btPliantHingeConstraint(btRigidBody& A, btRigidBody& B, const btVector3& pivotInA, const btVector3& axisInA);
    /// A hinge to the world by pivot and axis (of unit length) in A, where they are now.
    btPliantHingeConstraint(btRigidBody& A, const btVector3& pivotInA, const btVector3& axisInA);
    /// Bullet's callback at the start of a solve; the frames on reduced bodies follow the material first.
    void buildJacobian() override;

protected:
    /// The frame of Bullet's constraint on body 0 (A) or 1 (B), in that body's frame.
    btTransform getFrame(int side) const override;
    /// Sets the frame of Bullet's constraint on body 0 (A) or 1 (B), in that body's frame.
    void setFrame(int side, const btTransform& frame) override;
};

/// A slider: B slides along the x axis of A's frame, and turns about it within the angular limits (by default not at
/// all).
class PLIANT_API btPliantSliderConstraint : public btSliderConstraint, public btPliantJoint {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    /// A slider between A and B.
    btPliantSliderConstraint(btRigidBody& A, btRigidBody& B, const btTransform& frameInA, const btTransform& frameInB,
                             bool useLinearReferenceFrameA = true);
    /// A slider between the world, where the frame is now, and B.
    btPliantSliderConstraint(btRigidBody& B, const btTransform& frameInB, bool useLinearReferenceFrameA = true);
    /// Bullet's callback at the start of a solve; the frames on reduced bodies follow the material first.
    void buildJacobian() override;

protected:
    /// The frame of Bullet's constraint on body 0 (A) or 1 (B), in that body's frame.
    btTransform getFrame(int side) const override;
    /// Sets the frame of Bullet's constraint on body 0 (A) or 1 (B), in that body's frame.
    void setFrame(int side, const btTransform& frame) override;
    /// The pivots may be apart along the slider.
    bool isSliding() const override { return true; }
};

/// A weld: two frames stay together.
class PLIANT_API btPliantFixedConstraint : public btFixedConstraint, public btPliantJoint {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    /// Holds a frame of A to a frame of B.
    btPliantFixedConstraint(btRigidBody& A, btRigidBody& B, const btTransform& frameInA, const btTransform& frameInB);
    /// Holds a frame of A to the world, where the frame is now.
    btPliantFixedConstraint(btRigidBody& A, const btTransform& frameInA);
    /// Bullet's callback at the start of a solve; the frames on reduced bodies follow the material first.
    void buildJacobian() override;

protected:
    /// The frame of Bullet's constraint on body 0 (A) or 1 (B), in that body's frame.
    btTransform getFrame(int side) const override;
    /// Sets the frame of Bullet's constraint on body 0 (A) or 1 (B), in that body's frame.
    void setFrame(int side, const btTransform& frame) override;
};

/// Six degrees of freedom with limits, motors and springs along and about the axes of A's frame. Springs are exact for
/// the mass that they act on, soft modes included, and stable for any stiffness: Bullet's "limitIfNeeded" is not needed
/// and without effect. A soft spring (h^2 k < mass) is not damped by the step.
class PLIANT_API btPliantSpringConstraint : public btGeneric6DofSpring2Constraint, public btPliantJoint {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();
    /// Springs between A and B.
    /// @param A first body
    /// @param B second body
    /// @param frameInA the frame on A, whose axes the springs follow
    /// @param frameInB the frame on B
    /// @param order of the rotations about the axes
    btPliantSpringConstraint(btRigidBody& A, btRigidBody& B, const btTransform& frameInA, const btTransform& frameInB,
                             RotateOrder order = RO_XYZ);
    /// Springs between the world, where the frame is now, and B.
    /// @param B the body
    /// @param frameInB the frame on B
    /// @param order of the rotations about the axes
    btPliantSpringConstraint(btRigidBody& B, const btTransform& frameInB, RotateOrder order = RO_XYZ);
    /// Bullet's callback at the start of a solve; the frames on reduced bodies follow the material first.
    void buildJacobian() override;

protected:
    /// The frame of Bullet's constraint on body 0 (A) or 1 (B), in that body's frame.
    btTransform getFrame(int side) const override;
    /// Sets the frame of Bullet's constraint on body 0 (A) or 1 (B), in that body's frame.
    void setFrame(int side, const btTransform& frame) override;
    /// Describes a row of Bullet's constraint that is a spring.
    bool getSpring(int row, btPliantJointSpring& spring) const override;
    /// The pivots may be apart along free axes.
    bool isSliding() const override { return true; }
};
