// SPDX-License-Identifier: Zlib
// Internal: what a btPliantJoint keeps beside its Bullet constraint.
#pragma once

#include <LinearMath/btAlignedObjectArray.h>

#include <memory>
#include <vector>

#include "btPliant/data/Access.h"
#include "btPliant/data/BodyData.h"
#include "pliant/model/MaterialFrame.h"

namespace btPliantInternal {

/// One end of a joint.
struct JointSide {
    JointSide(btRigidBody& rigid, const btTransform& frame);

    btRigidBody* body;
    btPliantBody* reduced;                            ///< The same body where it is a reduced one, else null.
    std::unique_ptr<pliant::MaterialFrame> material;  ///< Frame of the material, of reduced bodies.

    pliant::VectorX midstepCoordinates;  ///< Coordinates in the middle of the step, r.
    Carriers carriers;                   ///< Carriers of the point, where the body is a character.
    bool isCarried = false;              ///< Whether the body is a character.

    /// How the material at the joint lies in the world.
    struct Place {
        pliant::Matrix3 turn;      ///< Turn B of the displacement U q; no rotation where bones turn against each other.
        pliant::Matrix3 rotation;  ///< Rotation nearest to `turn`.
        pliant::Vector3 pivot;     ///< Place of the material's frame, m.
    };
    /// The present place of the material of a character.
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

/// Of the body's size: farther from its target a point is given up.
constexpr btScalar kFarShare = btScalar(1e-3);

/// One of many points that a joint holds (btPliantHeldPoints.h).
struct HeldPoint {
    HeldPoint(btRigidBody& A, btRigidBody& B, const btVector3& inA, const btVector3& inB);

    /// Brings `position` up to date.
    void follow();

    JointSide sides[2];
    btVector3 rest[2];                        ///< Points, mesh frame at rest or body frame of what is rigid, m.
    btVector3 position[2];                    ///< Points in the world, m.
    btVector3 velocity = btVector3(0, 0, 0);  ///< Velocity of the target in the world, m/s.
    btVector3 impulse = btVector3(0, 0, 0);   ///< Impulse of the last substep on A, N s.
    int directions = 3;                       ///< Number of directions held in the last substep.
};

/// Whether a side can be moved by what holds it.
inline bool isMovable(const JointSide& side) {
    return side.reduced || side.body->getInvMass() > 0;
}

/// A row as the last substep left it.
struct SolvedJointRow {
    btVector3 direction;  ///< Direction of the impulse on A.
    btScalar impulse;
    bool isLinear, isHard;
};

/// Three of the six degrees of freedom of a tool's coupling, in axes of the world.
struct CouplingSide {
    pliant::Vector3 gap = pliant::Vector3::Zero();          ///< Way from the grip to the followed pose, m or rad.
    pliant::Vector3 aimVelocity = pliant::Vector3::Zero();  ///< Velocity of the followed pose, m/s or rad/s.
    double stiffness = 0, limit = 0;                        ///< Stiffness and limit: N/m and N, or k_T and N m.
    double speedLimit = 0;                                  ///< Largest speed, m/s or rad/s.
};

/// What a tool asks for in a substep (tool/CouplingBlock.h).
struct ToolCoupling {
    CouplingSide linear, angular;
    double dampingRatio = 1;
    double hold = 1;  ///< How firmly the tool holds, from 0 to 1.
    /// Whether the velocity of the tool is what the coupling would give it within the step, from rest.
    bool isPushed = false;
};

}  // namespace btPliantInternal

/// Whoever changes it beside the joint's own methods is a stage of the substep (joints/) or a restored state.
struct btPliantJoint::Data {
    Data(btRigidBody& A, btRigidBody& B, const btTransform& frameInA, const btTransform& frameInB)
        : sides{{A, frameInA}, {B, frameInB}} {}

    btPliantInternal::JointSide sides[2];
    std::vector<std::unique_ptr<btPliantInternal::HeldPoint>> points;  ///< Points of btPliantHeldPoints; else empty.
    btScalar pointSize = 0;       ///< Diagonal of the box around the body's mesh at rest, m.
    btScalar pointTolerance = 0;  ///< Share of its mobility that a direction of a point must keep to be held.
    btVector3 linearImpulse = btVector3(0, 0, 0), angularImpulse = btVector3(0, 0, 0);  ///< Impulses last given to A.
    btAlignedObjectArray<btPliantInternal::SolvedJointRow> solvedRows;
    btScalar lastSize = 0, sizeBefore = 0;  ///< Lengths of the last two substeps' impulses.
    btScalar warmStartFactor = 0;           ///< Factor of the last impulse that the deformation has stepped with.
    std::unique_ptr<btPliantInternal::ToolCoupling> coupling;  ///< Coupling of a tool; null: a joint.
    btJointFeedback bulletFeedback;  ///< Where Bullet writes forces while its own rows hold the joint.
    bool isSolved = false;           ///< Whether it is solved in the substep that is under way.
};
