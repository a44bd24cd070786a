// SPDX-License-Identifier: Zlib
#include "pliant/math/EigenvalueSolver.h"

namespace Eigen {

template SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute<MatrixXd>(
    const EigenBase<MatrixXd>&, int);

}  // namespace Eigen
