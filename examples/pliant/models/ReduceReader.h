// SPDX-License-Identifier: Zlib
// The blocks `reduce` and `rig` of a scene file: how a mesh or a rigged character becomes a model. The library that
// reads scenes knows none of it.
#pragma once

#include "pliant/character/CharacterOptions.h"
#include "pliant/reduce/ReduceOptions.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::program {

/// How the program reads scenes: meshes are reduced, as their entries say.
/// @param variables of the file with values of their own
scene::SceneOptions sceneOptions(const scene::GivenVariables& variables = {});

/// Of an entry that was read with these options and names a mesh.
const ReduceOptions& reduceOptions(const scene::ModelEntry& entry);
/// Of one that names a rigged character (ModelEntry::rig).
const CharacterOptions& characterOptions(const scene::ModelEntry& entry);

}  // namespace pliant::program
