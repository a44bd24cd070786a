// SPDX-License-Identifier: Zlib
// Eigenvectors are free up to a sign, and up to a rotation where eigenvalues repeat. What solvers return there depends
// on their path; these functions pick one answer that depends on the spanned space only.
#pragma once

#include "pliant/fem/FullModel.h"

namespace pliant {

/// Makes rows x count numbers in [-1, 1] without any symmetry; always the same ones.
MatrixX genericVectors(Eigen::Index rows, Eigen::Index count);

/// Columns whose neighbouring `values` (ascending or descending) differ by less than `tolerance` relative to the larger
/// form a cluster; each cluster (one column included) is rotated to the Gram-Schmidt vectors of generic vectors
/// projected into its span.
/// @param columns 3n x k, M-orthonormal; changed in place
/// @return k x k block-diagonal orthogonal matrix that was applied from the right
MatrixX canonicalise(const SparseMatrix& M, const VectorX& values, double tolerance, MatrixX& columns);

}  // namespace pliant
