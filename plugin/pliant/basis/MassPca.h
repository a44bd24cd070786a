// SPDX-License-Identifier: Zlib
// Orthonormal columns out of weighted shapes, in the inner product of the mass matrix.
#pragma once

#include <functional>

#include "pliant/fem/FullModel.h"

namespace pliant {

struct MassPca {
    MatrixX basis;  ///< Basis U, 3n x r, U' M U = 1, principal directions first: every prefix is a basis too.
    /// Singular values of all directions that the shapes span, descending; the first r belong to `basis`.
    VectorX singularValues;
};

/// Principal directions of the columns of A (3n x c) in the inner product of M, a column's weight being its length:
/// with M = L L', z = L' A and the singular value decomposition z = V S Y', U = L'^-1 V = A Y S^-1 [BJ05 section 4.3].
/// Signs and the rotation within repeated singular values are canonical. Rows that are zero in A are zero in U.
/// @param M 3n x 3n, symmetric positive definite
/// @param dimension r. @throws Error, naming the number, where A does not span that many directions
MassPca massPca(const SparseMatrix& M, const MatrixX& A, int dimension);
/// The same with r chosen by a function of the singular values of all directions that the shapes span.
MassPca massPca(const SparseMatrix& M, const MatrixX& A, const std::function<int(const VectorX&)>& chooseDimension);

/// Gram-Schmidt in M over the columns of A in their order, skipping those that are dependent on earlier ones (what is
/// left of their length is below `tolerance`). @return 3n x r. @throws Error where A does not span r directions
MatrixX massGramSchmidt(const SparseMatrix& M, const MatrixX& A, int dimension, double tolerance = 1e-8);

/// Makes U' M U = 1 to rounding for columns that nearly are, without mixing later columns into earlier ones.
void orthonormalise(const SparseMatrix& M, MatrixX& U);

}  // namespace pliant
