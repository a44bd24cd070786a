// SPDX-License-Identifier: Zlib
// Decompositions of small dense matrices by LAPACK: they compile in no time and the same input gives the same bits.
#pragma once

#include "pliant/math/Types.h"

namespace pliant {

/// A = W diag(values) right', values descending. Small values are right to rounding of the largest: A is not squared.
struct SingularValues {
    VectorX values;  ///< min(rows, columns)
    MatrixX right;   ///< columns x min(rows, columns), orthonormal
};
SingularValues singularValues(const MatrixX& A);

/// Eigenvalues ascending, vectors a column each.
struct SymmetricEigen {
    VectorX values;   ///< m
    MatrixX vectors;  ///< m x m; orthonormal, or orthonormal in B
};
SymmetricEigen symmetricEigen(const MatrixX& A);                    ///< A x = lambda x, A symmetric
SymmetricEigen symmetricEigen(const MatrixX& A, const MatrixX& B);  ///< A x = lambda B x, B positive definite

/// x with A x = b, A symmetric (r x r), definite or not, by a pivoted factorisation. @throws Error where A is singular
VectorX solveSymmetric(MatrixX A, VectorX b);

/// X <- X L'^-1 with L L' = gram (c x c): columns of X (m x c) become orthonormal where `gram` holds their products.
/// @return false, X untouched, where gram is not positive definite
bool divideByFactor(MatrixX gram, MatrixX& X);

}  // namespace pliant
