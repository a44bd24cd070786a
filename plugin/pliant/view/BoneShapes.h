// SPDX-License-Identifier: Zlib
/// @file
/// Bones, their cores and what follows them, for the eye.
#pragma once

#include <memory>

#include "pliant/math/Api.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/view/DebugShapes.h"

namespace pliant {

/// The colour of a bone: hues that stay apart however many there are, in steps of the golden angle.
/// @param bone its number
PLIANT_API DebugColour boneColour(int bone);

/// Adds a character's bones: an octahedron from the head of each to every end of its, and, faintly, the core that it
/// holds.
/// @param character whose bones they are
/// @param bones T_b, one a bone: body frame of the flesh -> world
/// @param layer that they belong to
/// @param shapes are added to
PLIANT_API void addBones(const CharacterModel& character, const Matrix<double, 3, 4>* bones, DebugLayer layer,
                         DebugShapes& shapes);

/// The flesh in the colours of the bones that its vertices follow, mixed by their weights: for the picture only.
/// @param character with the weights
PLIANT_API std::shared_ptr<const ReducedModel> paintedByWeights(const CharacterModel& character);

}  // namespace pliant
