// SPDX-License-Identifier: Zlib
// The control lattice that a character is embedded in [Capell et al. 2002, 3.1]: convex cells whose vertices have three
// edges each (tetrahedra, prisms, hexahedra), so that one subdivision makes hexahedra of all of them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "pliant/math/Types.h"

namespace pliant {

enum class CellKind { Tetrahedron, Prism, Hexahedron };

/// Corners in VTK's order: a b c below d; a b c below d e f; a b c d below e f g h.
struct ControlCell {
    CellKind kind = CellKind::Tetrahedron;
    std::array<int, 8> corners{};  ///< 0-based vertex numbers, 4, 6 or 8 of them
};

/// Cells that meet in whole faces.
struct ControlLattice {
    Points positions;  ///< 3 x n, m
    std::vector<ControlCell> cells;
};

/// How the corners of a cell hang together, in numbers of corners.
struct CellTopology {
    int corners = 0;
    std::vector<std::array<int, 2>> edges;
    std::vector<std::vector<int>> faces;
    std::vector<std::array<int, 3>> neighbours;  ///< of each corner, right-handed in a cell of positive volume
};

const CellTopology& topologyOf(CellKind kind);

/// The kind of cell with that many corners.
/// @throws Error at `where` for anything but 4, 6 and 8: a pyramid's top has four edges and cannot be subdivided
CellKind cellOfCorners(int corners, const std::string& where);

/// Turns mirrored cells round. @return how many were
/// @throws Error at `where`, naming the cell, for no cells, vertices that do not exist or belong to no cell, positions
/// that are not finite, cells that are inverted, folded or flat, and faces between more than two cells
int checkControlLattice(ControlLattice& lattice, const std::string& where);

}  // namespace pliant
