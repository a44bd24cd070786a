// SPDX-License-Identifier: Zlib
/// @file
/// Control lattices for ParaView, and to be changed by hand.
#pragma once

#include <string>

#include "pliant/control_lattice/ControlLattice.h"
#include "pliant/math/Api.h"
#include "pliant/model/LatticeModel.h"

namespace pliant {

/// Writes the tetrahedra or bricks of a lattice as .vtu, which readControlLattice() reads back:
/// tetrahedra to the same bits, a brick as six of them. Each
/// cell has the number of a region as its material: the one with most of its vertices' weights.
/// @param model made of the lattice
/// @throws Error for cells of other or several kinds, and where the file cannot be written
PLIANT_API void writeControlLattice(const ControlLattice& lattice, const LatticeModel& model, const std::string& path);

}  // namespace pliant
