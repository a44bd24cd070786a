// SPDX-License-Identifier: Zlib
// What stands around the examples of docs/characters.md, docs/hand.md and docs/materials.md that need the core alone.
#include "pliant/character/MakeCharacter.h"
#include "pliant/hand/StaticTool.h"
#include "pliant/hand/VirtualCoupling.h"
#include "pliant/model/CharacterShape.h"
#include "pliant/model/EditMaterial.h"
#include "pliant/model/LatticeFile.h"
#include "pliant/runtime/BodyBatch.h"
#include "pliant/runtime/SkinForces.h"
#include "pliant/runtime/lattice/LatticeBatch.h"

namespace doc_snippets {

void fleshOfACharacter(const pliant::CharacterOptions& options, const pliant::BatchSettings& settings, double time,
                       double h, int body, const double* mean, double* force, const pliant::Vector3& gravity,
                       const pliant::Workers& workers) {
    std::vector<pliant::MovingFrame> bones;
    const std::vector<int> bodies{body};
    pliant::Points points;
#include "characters/1.inc"
}

void fleshOfALattice(const pliant::LatticeSettings& settings, const std::vector<pliant::MovingFrame>& bones, int vertex,
                     const pliant::Vector3& place, double h, const pliant::Vector3& gravity,
                     const pliant::Workers& workers) {
    pliant::Points points;
#include "characters/2.inc"
}

void handOfAProgram(const pliant::ToolPose& start, pliant::ToolPose followed, const pliant::ToolPose& devicePose,
                    const pliant::ContactFunction& contact, double dt) {
#include "hand/1.inc"
}

void otherMaterial(const std::shared_ptr<const pliant::ReducedModel>& loaded) {
#include "materials/1.inc"
}

}  // namespace doc_snippets
