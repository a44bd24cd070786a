// SPDX-License-Identifier: Zlib
#include <cmath>

#include "pliant/basis/ModalDerivatives.h"
#include "pliant/basis/RigidModes.h"
#include "pliant/fem/HessianProducts.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

/// Closer eigenvalues make K - lambda_i M singular beyond psi_i.
constexpr double smallestGap = 1e-4;

void checkGaps(const VectorX& eigenvalues) {
    for (Eigen::Index i = 1; i < eigenvalues.size(); ++i)
        if (eigenvalues[i] - eigenvalues[i - 1] < smallestGap * eigenvalues[i])
            throw Error("modal derivatives",
                        "elastic modes " + std::to_string(i) + " and " + std::to_string(i + 1) +
                            " repeat an eigenvalue, where the shifted form is singular",
                        "use the static form");
}

/// x with (K - lambda_i M) x = load (3n x k), psi_i' load = 0 and psi_i' M x = 0. The matrix lacks one rank, along
/// psi_i; holding one coordinate in which psi_i is not zero makes it regular, and the reaction there is zero.
MatrixX solveShifted(const StaticCompliance& compliance, const VectorX& psi, double lambda, const MatrixX& load) {
    const SparseMatrix& M = compliance.model().massMatrix();
    Eigen::Index held = 0;
    psi.cwiseAbs().maxCoeff(&held);
    const Restriction rest(psi.size(), {static_cast<int>(held)});
    SymmetricSolver solver(SymmetricSolver::Kind::Indefinite);
    solver.factor(rest.reduced(SparseMatrix(compliance.stiffness() - lambda * M)));
    const MatrixX x = rest.expand(solver.solve(rest.reduced(load)));
    return x - psi * (psi.transpose() * (M * x));
}

}  // namespace

ModalDerivatives shiftedModalDerivatives(const StaticCompliance& compliance, const LinearModes& modes, int threads,
                                         const ProgressCallback& progress) {
    if (!compliance.isFree())
        throw Error("modal derivatives", "the shifted form is for free bodies", "use the static form");
    checkGaps(modes.eigenvalues);
    const SparseMatrix& M = compliance.model().massMatrix();
    const int k = static_cast<int>(modes.shapes.cols());
    ModalDerivatives derivatives;
    derivatives.shapes.resize(modes.shapes.rows(), static_cast<Eigen::Index>(k) * k);
    for (int i = 0; i < k; ++i) {
        reportProgress(progress, "modal derivatives", static_cast<double>(i) / k);
        std::vector<std::pair<int, int>> pairs;
        for (int j = 0; j < k; ++j) pairs.emplace_back(i, j);
        const VectorX psi = modes.shapes.col(i);
        const MatrixX products = hessianProducts(compliance.model(), modes.shapes, pairs, threads);
        const MatrixX load = M * (psi * (psi.transpose() * products)) - products;
        derivatives.shapes.middleCols(static_cast<Eigen::Index>(i) * k, k) =
            withoutRigidMotion(M, compliance.rigid(), solveShifted(compliance, psi, modes.eigenvalues[i], load));
        derivatives.pairs.insert(derivatives.pairs.end(), pairs.begin(), pairs.end());
    }
    reportProgress(progress, "modal derivatives", 1.0);
    return derivatives;
}

}  // namespace pliant
