// SPDX-License-Identifier: Zlib
/// @file
/// Lattice flesh in a character's file, beside the reduced flesh.
#pragma once

#include <memory>
#include <string>

#include "pliant/math/Api.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/model/LatticeModel.h"

namespace pliant {

/// Writes a character's file with a lattice in it (docs/model-file.md), whole or not at all. Bones, clips and surface
/// are stored once, as the character's.
/// @param lattice in the body frame of the character's flesh, with as many drawn vertices
/// @throws Error when either is not consistent, both do not fit, or the file cannot be written
PLIANT_API void saveCharacter(const CharacterModel& character, const LatticeModel& lattice, const std::string& path);

/// The lattice flesh of a character's file, every byte verified, in the body frame of its reduced flesh.
/// @throws Error naming the file, the section and the reason, and for files without a lattice
PLIANT_API std::shared_ptr<const LatticeModel> loadLattice(const std::string& path);

/// Whether a model file has a lattice. @throws Error when the file is missing or damaged
PLIANT_API bool hasLattice(const std::string& path);

}  // namespace pliant
