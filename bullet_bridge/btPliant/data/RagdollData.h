// SPDX-License-Identifier: Zlib
// Internal: what a btPliantCharacter whose bones nobody drives keeps beside its CharacterData.
#pragma once

#include <memory>
#include <vector>

#include "pliant/runtime/ragdoll/JointRows.h"
#include "pliant/runtime/ragdoll/RagdollMotion.h"
#include "pliant/runtime/ragdoll/RagdollSystem.h"

namespace btPliantInternal {

struct RagdollData {
    /// @param r coordinates of the flesh
    RagdollData(const std::shared_ptr<const pliant::RagdollModel>& model, int r) : system(model, r) {
        for (const pliant::JointRange& range : model->ranges) holds.push_back({true, range});
        V.setZero(system.size());
        startV = V;
    }
    const pliant::RagdollModel& model() const { return system.model(); }
    /// Numbers of V.
    int size() const { return system.size(); }

    pliant::RagdollSystem system;  ///< Limbs, placed at CharacterData::bones while a substep is solved.
    std::vector<pliant::LimbHold> holds;
    pliant::VectorX V;       ///< Velocities of limbs, 6 each: of the substep's start, after the free step of its end.
    pliant::VectorX startV;  ///< Velocities V at the start of the substep.
    std::vector<pliant::JointLimit> limits;  ///< Ends of ranges that joints may come to in the substep.
    /// Pull f_pose at CharacterData::bones, r of the whole flesh, of RestShape::Flesh; empty: poses do not pull at it.
    pliant::VectorX pull;
    // Of the step that is being made.
    pliant::VectorX weights;            ///< Gravity and forces from outside on the limbs, N and N m.
    pliant::VectorX force;              ///< Force on q, r.
    pliant::VectorX nextPull;           ///< Pull f_pose at the end of the step.
    pliant::MatrixX couplingResponses;  ///< Responses Y H', r x 6 limbs.
    pliant::MatrixX joints, still;      ///< Jacobians J' of joints; zeros, 3 x 6 limbs.
    pliant::VectorX fall, change, dV, dq1, ahead;
    pliant::RagdollMotion motion;
    pliant::MotionScratch scratch;
};

/// Where a ragdoll has left a bone: in axes of its parent, of the first bone in the world.
struct BonePlace {
    pliant::Matrix3 turn = pliant::Matrix3::Identity();  ///< Turn of the bone from its parent.
    pliant::Vector3 head = pliant::Vector3::Zero();      ///< Place of the bone's head, m.
    double scale = 1.0;
    pliant::Vector3 spin = pliant::Vector3::Zero();      ///< Rate of `turn`, rad/s.
    pliant::Vector3 velocity = pliant::Vector3::Zero();  ///< Rate of `head`, m/s; 0 but of the first bone.
    /// What turned the ragdoll's turn to that of the drive in the last substep: it is followed over half a turn, where
    /// the shorter way is suddenly the other one.
    pliant::Rotation way = pliant::Rotation::Identity();
};

/// Bones on their way from where a ragdoll has left them to what drives them (body/BoneReturn.h).
struct BoneReturn {
    double seconds = 0.0, elapsed = 0.0;  ///< Length of the way, s; time on it at the start of the substep, s.
    std::vector<BonePlace> bones;         ///< Bones as they were left; empty: there is no way to go.
};

}  // namespace btPliantInternal
