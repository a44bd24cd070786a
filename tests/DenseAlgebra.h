// SPDX-License-Identifier: Zlib
// Dense references of tests, compiled once: Eigen's decompositions take seconds to compile in every file that uses
// them.
#pragma once

#include <Eigen/Core>

namespace pliant::test {

using DenseMatrix = Eigen::Ref<const Eigen::MatrixXd>;

/// A^-1, n x n, by elimination with partial pivoting.
Eigen::MatrixXd inverseOf(const DenseMatrix& A);
/// A^-1 b, in the same way. @param A n x n  @param b n
Eigen::VectorXd solved(const DenseMatrix& A, const Eigen::Ref<const Eigen::VectorXd>& b);
/// Eigenvalues of a symmetric matrix in rising order.
Eigen::VectorXd eigenvaluesOf(const DenseMatrix& A);
/// Its eigenvectors in the same order, as columns of length one.
Eigen::MatrixXd eigenvectorsOf(const DenseMatrix& A);
/// The orthogonal factor of A = Q R, m x m.
Eigen::MatrixXd orthogonalFactor(const DenseMatrix& A);
/// What is nearest to each column of B in the span of A: A (A'A)^-1 A' B.
Eigen::MatrixXd projectedOnto(const DenseMatrix& A, const DenseMatrix& B);

}  // namespace pliant::test
