// SPDX-License-Identifier: Zlib
// The hierarchical basis on a control lattice [C02 3.1], after lazy wavelets: phi_a of the vertices of
// the lattice, then of each finer level those of the vertices that are new there.
//
//     p(x) = sum_a p_a phi_a(x)
//
// A function of level J is 1 at its own vertex and 0 at all others of that level. So coefficients of level 0 are
// positions, finer ones add to what the levels below have; an affine map x -> L x + t has the coefficients L x_a + t on
// level 0 and none above.
#pragma once

#include <vector>

#include "pliant/control_lattice/LatticeBones.h"
#include "pliant/control_lattice/SubdivideLattice.h"

namespace pliant {

constexpr int finestFunctions = 3;  ///< Highest level that functions may have.

struct LatticeHierarchy {
    /// Finer lattices, `depth` of them, each made of the one before, the first of the lattice.
    std::vector<SubdividedLattice> finer;
    std::vector<int> level;   ///< Level of each of the N functions, ascending.
    std::vector<int> vertex;  ///< Vertex of each of the N functions, by the numbers of its level.
    SparseMatrix values;      ///< Values of phi_a at the vertices of the finest subdivision, n_depth x N.

    int functionCount() const { return static_cast<int>(level.size()); }  ///< Number N of functions.
};

/// @param lattice checked
/// @param boneEdges edges that lie on bones; finer functions that do not vanish there are left out, so that bones hold
/// functions of level 0 alone
/// @param levels of functions above level 0, 0 to finestFunctions  @param depth of the subdivision, >= levels, >= 1
/// @throws Error for others, and where there would be more than 10^5 cells with functions or 10^6 to integrate over
LatticeHierarchy makeHierarchy(const ControlLattice& lattice, const std::vector<std::array<int, 2>>& boneEdges,
                               int levels, int depth);

}  // namespace pliant
