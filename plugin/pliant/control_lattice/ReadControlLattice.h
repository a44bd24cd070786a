// SPDX-License-Identifier: Zlib
/// @file
/// Control lattices from files.
#pragma once

#include <string>
#include <vector>

#include "pliant/control_lattice/ControlLattice.h"
#include "pliant/math/Api.h"

namespace pliant {

/// Reads a .msh, .vtk, .vtu, .veg or .vegb file as a control lattice: its tetrahedra are the cells, or
/// the bricks of a .veg or .vegb. Other solids are split into tetrahedra, which the notes tell.
/// @param notes receives what was tolerated or repaired, a sentence each; may be null
/// @throws Error with file and line for what cannot be read
PLIANT_API ControlLattice readControlLattice(const std::string& path, double metresPerUnit = 1.0,
                                             std::vector<std::string>* notes = nullptr);

}  // namespace pliant
