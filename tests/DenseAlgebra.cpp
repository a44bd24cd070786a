// SPDX-License-Identifier: Zlib
#include "DenseAlgebra.h"

#include <Eigen/Dense>

namespace pliant::test {

Eigen::MatrixXd inverseOf(const DenseMatrix& A) {
    return A.partialPivLu().inverse();
}

Eigen::VectorXd solved(const DenseMatrix& A, const Eigen::Ref<const Eigen::VectorXd>& b) {
    return A.partialPivLu().solve(b);
}

Eigen::VectorXd eigenvaluesOf(const DenseMatrix& A) {
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(Eigen::MatrixXd(A)).eigenvalues();
}

Eigen::MatrixXd eigenvectorsOf(const DenseMatrix& A) {
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(Eigen::MatrixXd(A)).eigenvectors();
}

Eigen::MatrixXd orthogonalFactor(const DenseMatrix& A) {
    return Eigen::HouseholderQR<Eigen::MatrixXd>(A).householderQ();
}

Eigen::MatrixXd projectedOnto(const DenseMatrix& A, const DenseMatrix& B) {
    return A * Eigen::HouseholderQR<Eigen::MatrixXd>(A).solve(B);
}

}  // namespace pliant::test
