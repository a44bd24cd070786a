// SPDX-License-Identifier: Zlib
/// @file
/// From a rig to a character on one screen: bricks, cores, weights, forcing, basis, reduced model.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pliant/character/CharacterOptions.h"
#include "pliant/math/Progress.h"
#include "pliant/rig/Rig.h"

namespace pliant {

/// What giving flesh to a rig came to, for the user to see.
struct CharacterReport {
    std::vector<std::string> notes;  ///< What was tolerated or looks too coarse, a sentence each.
    int bones = 0;                   ///< Bones that carry skin.
    int held = 0;                    ///< Vertices that the cores hold.
    int pairs = 0;                   ///< Pairs of bones that share flesh, P.
    int shapes = 0;                  ///< Shapes that the basis was chosen from.
    double seconds = 0.0;            ///< Time from start to end, s.
};

/// Gives flesh to a rig: its closed surface is filled with bricks as by reduceFile(), the bones hold their cores, and
/// the flesh between follows. Same input and options give the same bits, whatever the number of threads.
/// @param rig complete, bones with ends (readRig, findBoneEnds)  @param where its file, for messages and the name
/// @param progress told the stages "mesh", "weights", "forcing", "linear modes", "static answers", "basis",
/// "polynomials", "surface", "trees"
/// @param report filled as the work goes on; may be null
/// @throws Error for surfaces that are not closed, and bones without flesh, length or room for a core; Cancelled
PLIANT_API std::shared_ptr<const CharacterModel> makeCharacter(const Rig& rig, const CharacterOptions& options,
                                                               const std::string& where,
                                                               const ProgressCallback& progress = {},
                                                               CharacterReport* report = nullptr);

/// The same on a simulation mesh of the caller's own, in the space of the rig; its materials count, not those of the
/// options.
PLIANT_API std::shared_ptr<const CharacterModel> makeCharacter(const Rig& rig, const VolumeMesh& mesh,
                                                               const CharacterOptions& options,
                                                               const std::string& where,
                                                               const ProgressCallback& progress = {},
                                                               CharacterReport* report = nullptr);

/// Reads a .gltf or .glb file and gives it flesh. @throws Error as readRig() and makeCharacter() do
PLIANT_API std::shared_ptr<const CharacterModel> makeCharacterOf(const std::string& file,
                                                                 const CharacterOptions& options,
                                                                 const ProgressCallback& progress = {},
                                                                 CharacterReport* report = nullptr);

}  // namespace pliant
