// SPDX-License-Identifier: Zlib
// Eigen's solver for the eigenvalues of dense symmetric matrices, compiled in one place: a file that uses it takes
// eight seconds longer to compile by itself. Give it Eigen::MatrixXd and nothing else; other types are compiled anew.
#pragma once

#include <Eigen/Eigenvalues>

namespace Eigen {

extern template SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute<MatrixXd>(
    const EigenBase<MatrixXd>&, int);

}  // namespace Eigen

namespace pliant {

/// Eigenvalues in rising order, eigenvectors as columns of length one.
using EigenvalueSolver = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;

}  // namespace pliant
