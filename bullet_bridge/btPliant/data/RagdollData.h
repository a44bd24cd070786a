// SPDX-License-Identifier: Zlib
// Internal: what a btPliantCharacter whose bones nobody drives keeps beside its CharacterData.
#pragma once

#include <memory>
#include <vector>

#include "pliant/runtime/ragdoll/JointRows.h"
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

    pliant::RagdollSystem system;  ///< placed at CharacterData::bones while a substep is solved
    std::vector<pliant::LimbHold> holds;
    pliant::VectorX V;       ///< of the limbs, 6 each: of the start of the substep, from its free step on of its end
    pliant::VectorX startV;  ///< at the start of the substep
    std::vector<pliant::JointLimit> limits;  ///< ends of ranges that joints may come to in the substep
    // Of the step that is being made.
    pliant::VectorX weights;            ///< N, N m on the limbs
    pliant::VectorX force;              ///< on q, r
    pliant::MatrixX couplingResponses;  ///< Y H', r x 6 limbs
};

}  // namespace btPliantInternal
