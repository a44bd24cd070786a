// SPDX-License-Identifier: Zlib
// The drawn surface as combinations of lattice functions.
#pragma once

#include <string>

#include "pliant/control_lattice/LatticeHierarchy.h"
#include "pliant/mesh/Embedding.h"
#include "pliant/model/LatticeModel.h"

namespace pliant {

/// Values of the functions at each vertex of the rig's surface, linear inside the tetrahedra of the finest subdivision.
/// @param points of that surface in `mesh`, tetrahedra that cover the lattice  @param values vertices x N
/// @throws Error at `where`, naming a bone whose skin stands out of the lattice, and how much of it
LatticePoints latticeSurface(const Rig& rig, const VolumeMesh& mesh, const std::vector<MaterialPoint>& points,
                             const SparseMatrix& values, const std::string& where);

}  // namespace pliant
