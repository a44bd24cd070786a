// SPDX-License-Identifier: Zlib
// Lattice functions that nearly no flesh feels would make the matrices as good as singular. Those of level 0 are tied
// to their neighbours, finer ones left out.
#pragma once

#include <array>
#include <vector>

#include "pliant/control_lattice/LatticeHierarchy.h"

namespace pliant {

struct LatticeTies {
    std::vector<int> kept;  ///< N': functions of the hierarchy that remain, ascending
    /// N x N': coefficients of all functions from those of the kept ones. Tied ones are affine combinations of their
    /// neighbours that reproduce their place, so that affine maps stay exact.
    SparseMatrix combine;
};

/// @param mass N x N of the whole flesh  @param cellMass of a full cell, kg; below 1e-3 of it a function is tied
/// @param held functions that bones hold: never tied
LatticeTies tieLightFunctions(const ControlLattice& lattice, const LatticeHierarchy& hierarchy,
                              const SparseMatrix& mass, double cellMass, const std::vector<int>& held);

}  // namespace pliant
