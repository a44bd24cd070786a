// SPDX-License-Identifier: Zlib
#include "pliant/model/DiagonaliseRest.h"

#include "pliant/math/EigenvalueSolver.h"

namespace pliant {

void diagonaliseRest(ReducedModel& model) {
    const EigenvalueSolver solver(Eigen::MatrixXd(model.energy.linearStiffness));
    model.restEigenvalues = solver.eigenvalues();
    model.restEigenvectors = solver.eigenvectors();
    for (Eigen::Index j = 0; j < model.restEigenvectors.cols(); ++j) {
        Eigen::Index largest = 0;
        model.restEigenvectors.col(j).cwiseAbs().maxCoeff(&largest);
        if (model.restEigenvectors(largest, j) < 0.0) model.restEigenvectors.col(j) *= -1.0;
    }
}

}  // namespace pliant
