// SPDX-License-Identifier: Zlib
/// @file
/// Lattice flesh beside a character's reduced flesh, to be kept in one file.
#pragma once

#include <memory>
#include <string>

#include "pliant/control_lattice/MakeLatticeModel.h"
#include "pliant/math/Api.h"
#include "pliant/model/CharacterModel.h"

namespace pliant {

/// Makes what makeLatticeModel() makes in the body frame of a character's flesh, for saveCharacter(character, lattice,
/// path).
/// @param character made of `rig`  @param rig, lattice in the space of the rig's file
/// @throws Error as makeLatticeModel()
PLIANT_API std::shared_ptr<const LatticeModel> latticeForCharacter(const CharacterModel& character, const Rig& rig,
                                                                   ControlLattice lattice,
                                                                   const LatticeOptions& options,
                                                                   const std::string& where,
                                                                   LatticeReport* report = nullptr);

/// The same, told. @param progress as of makeLatticeModel()  @throws Error likewise; Cancelled
PLIANT_API std::shared_ptr<const LatticeModel> latticeForCharacter(const CharacterModel& character, const Rig& rig,
                                                                   ControlLattice lattice,
                                                                   const LatticeOptions& options,
                                                                   const std::string& where, LatticeReport* report,
                                                                   const ProgressCallback& progress);

}  // namespace pliant
