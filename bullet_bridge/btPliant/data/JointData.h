// SPDX-License-Identifier: Zlib
// Internal: what a btPliantJoint keeps beside its Bullet constraint.
#pragma once

#include <LinearMath/btAlignedObjectArray.h>

#include <memory>
#include <vector>

#include "btPliant/data/Access.h"
#include "btPliant/data/BodyData.h"
#include "pliant/runtime/MaterialFrame.h"

namespace btPliantInternal {

/// One end of a joint.
struct JointSide {
    JointSide(btRigidBody& rigid, const btTransform& frame);

    btRigidBody* body;
    btPliantBody* reduced;                            ///< the same, where it is a reduced body
    std::unique_ptr<pliant::MaterialFrame> material;  ///< of reduced bodies

    pliant::VectorX midstepCoordinates;  ///< r
    Carriers carriers;                   ///< of the point, where the body is a character
    bool isCarried = false;              ///< whether it is

    /// How the material at the joint lies in the world.
    struct Place {
        pliant::Matrix3 turn;      ///< B, of the displacement U q; where bones turn against each other no rotation
        pliant::Matrix3 rotation;  ///< the one nearest to it
        pliant::Vector3 pivot;     ///< where the material's frame is, m
    };
    /// Of a character.
    Place place() const;
    /// Of a character, how the bones move a point (world) that rides on the material, beyond the frame's own velocity:
    /// m/s, rad/s.
    void skinVelocity(const pliant::Vector3& point, double h, pliant::Vector3& linear, pliant::Vector3& angular) const;

private:
    Place placeAt(const std::vector<pliant::AffineMap>& bones) const;

public:
    /// Of reduced bodies: brings `material` up to date. @return the frame, in the body frame.
    /// While a substep is under way, at q + (h / 2) q' of its start. For frames move by h v_1 alone, so their positions
    /// belong to the middle of the step when their velocities belong to its ends, as those of q do; a gap between the
    /// plain positions would hold h / 2 of the material's velocity, and taking that back works on the modes'
    /// vibrations.
    btTransform follow();
};

/// One of many points that a joint holds (btPliantHeldPoints.h).
struct HeldPoint {
    HeldPoint(btRigidBody& A, btRigidBody& B, const btVector3& inA, const btVector3& inB);

    /// Brings `position` up to date.
    void follow();

    JointSide sides[2];
    btVector3 rest[2];                        ///< mesh frame at rest, or body frame of what does not deform, m
    btVector3 position[2];                    ///< world, m
    btVector3 velocity = btVector3(0, 0, 0);  ///< of the target in the world, m/s
    btVector3 impulse = btVector3(0, 0, 0);   ///< of the last substep, on A, N s
    int directions = 3;                       ///< held in the last substep
};

/// Whether a side can be moved by what holds it.
inline bool isMovable(const JointSide& side) {
    return side.reduced || side.body->getInvMass() > 0;
}

/// A row as the last substep left it.
struct SolvedJointRow {
    btVector3 direction;  ///< on A
    btScalar impulse;
    bool isLinear, isHard;
};

/// Three of the six degrees of freedom of a tool's coupling, in axes of the world.
struct CouplingSide {
    pliant::Vector3 gap = pliant::Vector3::Zero();          ///< from the grip to the followed pose, m or rad
    pliant::Vector3 aimVelocity = pliant::Vector3::Zero();  ///< of the followed pose, m/s or rad/s
    double stiffness = 0, limit = 0;                        ///< N/m and N, or k_T and largest torque, N m
    double speedLimit = 0;                                  ///< m/s or rad/s
};

/// What a tool asks for in a substep (tool/CouplingBlock.h).
struct ToolCoupling {
    CouplingSide linear, angular;
    double dampingRatio = 1;
    double hold = 1;  ///< how firmly, from 0 to 1
};

}  // namespace btPliantInternal

/// Whoever changes it beside the joint's own methods is a stage of the substep (joints/) or a restored state.
struct btPliantJoint::Data {
    Data(btRigidBody& A, btRigidBody& B, const btTransform& frameInA, const btTransform& frameInB)
        : sides{{A, frameInA}, {B, frameInB}} {}

    btPliantInternal::JointSide sides[2];
    std::vector<std::unique_ptr<btPliantInternal::HeldPoint>> points;  ///< of btPliantHeldPoints; empty: a joint
    btScalar pointTolerance = 0;  ///< share of its mobility that a direction of a point must keep to be held
    btVector3 linearImpulse = btVector3(0, 0, 0), angularImpulse = btVector3(0, 0, 0);  ///< of the last substep, on A
    btAlignedObjectArray<btPliantInternal::SolvedJointRow> solvedRows;
    btScalar lastSize = 0, sizeBefore = 0;  ///< lengths of the last two substeps' impulses
    btScalar warmStartFactor = 0;           ///< of the last impulse that the deformation has stepped with
    std::unique_ptr<btPliantInternal::ToolCoupling> coupling;  ///< of tools; null: a joint
    btJointFeedback bulletFeedback;  ///< where Bullet writes forces while its own rows hold the joint
    bool isSolved = false;           ///< in the substep that is under way
};
