// SPDX-License-Identifier: Zlib
// Decompositions of small dense matrices by LAPACK: they compile in no time and the same input gives the same bits.
#pragma once

#include "pliant/math/Types.h"

namespace pliant {

/// A = W diag(values) right', values descending. Small values are right to rounding of the largest: A is not squared.
struct SingularValues {
    VectorX values;  ///< Singular values, min(rows, columns) of them, descending.
    MatrixX right;   ///< Right singular vectors, columns x min(rows, columns), orthonormal.
};
SingularValues singularValues(const MatrixX& A);

/// Eigenvalues ascending, vectors a column each.
struct SymmetricEigen {
    VectorX values;   ///< Eigenvalues, m of them, ascending.
    MatrixX vectors;  ///< Eigenvectors, m x m; orthonormal, or orthonormal in B.
};
SymmetricEigen symmetricEigen(const MatrixX& A);  ///< Solves A x = lambda x, A symmetric.
/// Solves A x = lambda B x, A symmetric, B positive definite.
SymmetricEigen symmetricEigen(const MatrixX& A, const MatrixX& B);

/// Solves A x = b for x, A symmetric (r x r), definite or not, by a pivoted factorisation. @throws Error where A is
/// singular
VectorX solveSymmetric(MatrixX A, VectorX b);

/// X <- X L'^-1 with L L' = gram (c x c): columns of X (m x c) become orthonormal where `gram` holds their products.
/// @return false, X untouched, where gram is not positive definite
bool divideByFactor(MatrixX gram, MatrixX& X);

}  // namespace pliant
