// SPDX-License-Identifier: Zlib
// Mean gradients of lattice functions over the flesh of each cell.
#pragma once

#include <vector>

#include "pliant/control_lattice/IntegrationMesh.h"
#include "pliant/model/LatticeModel.h"

namespace pliant {

/// @param values vertices x N: the functions at the vertices of the cut mesh  @param cells of the lattice
/// @return of each cell that holds flesh, in their order
std::vector<LatticeStrain> cellStrains(const IntegrationMesh& cut, const SparseMatrix& values, int cells);

}  // namespace pliant
