// SPDX-License-Identifier: Zlib
// Hexahedral subdivision of a control lattice [C02 app. A.1; MJ96].
#pragma once

#include "pliant/control_lattice/ControlLattice.h"
#include "pliant/fem/FullModel.h"

namespace pliant {

/// A lattice one level finer: all cells hexahedra, one at each corner of each cell.
struct SubdividedLattice {
    /// Vertices: those of before with their numbers, then the middles of edges, of faces and of cells.
    ControlLattice lattice;
    std::vector<int> cellOf;  ///< Cell of before that each cell is a part of.
    /// Values at the vertices from those at the vertices of before, n' x n. New ones are means over their edge, face or
    /// cell, as trilinear functions have them; rows sum to 1.
    SparseMatrix values;
};

/// @param lattice checked
SubdividedLattice subdivide(const ControlLattice& lattice);

}  // namespace pliant
