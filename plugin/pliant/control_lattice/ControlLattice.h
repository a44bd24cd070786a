// SPDX-License-Identifier: Zlib
/// @file
/// The control lattice that a character is embedded in [C02 3.1]: convex cells whose vertices have
/// three edges each (tetrahedra, prisms, hexahedra), so that one subdivision makes hexahedra of all of them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"

namespace pliant {

/// What a cell is.
enum class CellKind {
    Tetrahedron,  ///< Four corners: a b c below d.
    Prism,        ///< Six: a b c below d e f.
    Hexahedron    ///< Eight: a b c d below e f g h.
};

/// A cell, with its corners in VTK's order.
struct ControlCell {
    CellKind kind = CellKind::Tetrahedron;  ///< How many corners count.
    std::array<int, 8> corners{};           ///< 0-based vertex numbers, 4, 6 or 8 of them.
};

/// Cells that meet in whole faces.
struct ControlLattice {
    Points positions;                ///< Positions of the n vertices, 3 x n, m.
    std::vector<ControlCell> cells;  ///< At least one.
};

/// Turns mirrored cells round. @return how many were
/// @throws Error at `where`, naming the cell, for no cells, vertices that do not exist or belong to no cell, positions
/// that are not finite, cells that are inverted, folded or flat, and faces between more than two cells
PLIANT_API int checkControlLattice(ControlLattice& lattice, const std::string& where);

}  // namespace pliant
