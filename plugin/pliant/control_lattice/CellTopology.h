// SPDX-License-Identifier: Zlib
// What kinds of cells are made of.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "pliant/control_lattice/ControlLattice.h"

namespace pliant {

/// How the corners of a cell hang together, in numbers of corners.
struct CellTopology {
    int corners = 0;
    std::vector<std::array<int, 2>> edges;
    std::vector<std::vector<int>> faces;
    std::vector<std::array<int, 3>> neighbours;  ///< Neighbours of a corner, right-handed in a cell of positive volume.
};

const CellTopology& topologyOf(CellKind kind);

/// The kind of cell with that many corners.
/// @throws Error at `where` for anything but 4, 6 and 8: a pyramid's top has four edges and cannot be subdivided
CellKind cellOfCorners(int corners, const std::string& where);

}  // namespace pliant
