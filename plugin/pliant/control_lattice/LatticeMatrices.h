// SPDX-License-Identifier: Zlib
// Mass and stiffness of lattice functions: M = P' M_f P, S = P' S_f P with the full model of the cut mesh. (The paper
// sums integrals of products of gradients, its (29) four times too large; both are the same integrals.)
#pragma once

#include "pliant/control_lattice/IntegrationMesh.h"

namespace pliant {

struct LatticeMatrices {
    SparseMatrix mass;       ///< Mass matrix of one axis, N x N, kg.
    SparseMatrix stiffness;  ///< Stiffness matrix at rest, 3N x 3N, N/m.
};

/// @param values P, vertices x N: the functions at the vertices of the mesh, linear between them
/// @param weight of each tetrahedron's integrals, 0 to 1; zero everywhere gives zero matrices
LatticeMatrices latticeMatrices(const IntegrationMesh& cut, const SparseMatrix& values, const VectorX& weight);

/// Integrals of phi_a phi_b over the weighted tetrahedra, N x N, m^3.
SparseMatrix latticeProducts(const IntegrationMesh& cut, const SparseMatrix& values, const VectorX& weight);

}  // namespace pliant
