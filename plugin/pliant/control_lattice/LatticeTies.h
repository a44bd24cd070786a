// SPDX-License-Identifier: Zlib
// Lattice functions that nearly no flesh feels would make the matrices as good as singular. Those of level 0 are tied
// to their neighbours, finer ones left out.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "pliant/control_lattice/LatticeHierarchy.h"

namespace pliant {

struct LatticeTies {
    std::vector<int> kept;  ///< Functions of the hierarchy that remain, N', ascending.
    /// N x N': coefficients of all functions from those of the kept ones. Tied ones are affine combinations of their
    /// neighbours that reproduce their place, so that affine maps stay exact.
    SparseMatrix combine;
};

/// @param mass N x N of the whole flesh  @param cellMass N: of the cells of the lattice around each function, were they
/// full, the mean, kg; below 1e-3 of it a function is tied  @param held functions that bones hold: never tied
/// @throws Error at `where`, naming a vertex whose cell and all that hang on it have no four vertices with flesh that
/// span space: nothing says how it would turn
LatticeTies tieLightFunctions(const ControlLattice& lattice, const LatticeHierarchy& hierarchy,
                              const SparseMatrix& mass, const VectorX& cellMass, const std::vector<int>& held,
                              const std::string& where);

}  // namespace pliant
