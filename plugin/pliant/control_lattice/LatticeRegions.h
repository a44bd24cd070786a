// SPDX-License-Identifier: Zlib
// Which cells are simulated relative to which bone, and how regions are blended [C02 4.5, (22)].
#pragma once

#include <vector>

#include "pliant/control_lattice/ControlLattice.h"

namespace pliant {

struct RegionCells {
    int bone = 0;
    std::vector<bool> holds;  ///< Whether the region holds each cell of the lattice.
};

/// Cells whose free vertices all have a weight for the bone; those that bones hold are known in any region. A cell
/// that is whole in none is given to the bone with most weight in it, which the weights then know too. Weights of
/// vertices are kept in regions that hold one of their cells, with the sum 1. A bone without a whole cell has no region
/// and keeps no weight: its vertices are those of the regions around them.
/// @param weights n x B, >= 0, each row with a sum above 0; changed  @param held n: whether a bone holds the vertex
std::vector<RegionCells> regionsOf(const ControlLattice& lattice, const std::vector<bool>& held, MatrixX& weights);

}  // namespace pliant
