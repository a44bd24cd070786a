// SPDX-License-Identifier: Zlib
#include <cmath>

#include "pliant/basis/Minres.h"
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

/// Of MINRES, relative; derivatives then agree with factored ones to about nine digits.
constexpr double iterativeTolerance = 1e-12;
constexpr int mostIterations = 1000;

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

/// The same on the complement of the rigid modes, column by column, by MINRES. Behind the compliance the operator has
/// the eigenvalues 1 - lambda_i / lambda_m: few negative ones, and a cluster at 1.
MatrixX iterateShifted(const StaticCompliance& compliance, const VectorX& psi, double lambda, const MatrixX& load) {
    const SparseMatrix& M = compliance.model().massMatrix();
    const MatrixX& rigid = compliance.rigid();
    const SparseMatrix shifted = compliance.stiffness() - lambda * M;
    const VectorX momentum = M * psi;
    const LinearOperator product = [&](const VectorX& x) { return VectorX(shifted * x); };
    const LinearOperator precondition = [&](const VectorX& r) {
        const VectorX z = compliance.apply(VectorX(r - momentum * psi.dot(r)));
        return VectorX(z - psi * momentum.dot(z));
    };
    const MatrixX balanced = load - M * (rigid * (rigid.transpose() * load));
    MatrixX x(load.rows(), load.cols());
    for (Eigen::Index j = 0; j < load.cols(); ++j) {
        const MinresResult result = minres(product, precondition, balanced.col(j), iterativeTolerance, mostIterations);
        if (!(result.residual <= 1e3 * iterativeTolerance))
            throw Error("modal derivatives",
                        "MINRES stopped at a residual of " + std::to_string(result.residual) + " after " +
                            std::to_string(result.iterations) + " iterations",
                        "use the factored or the static form");
        x.col(j) = result.x;
    }
    return x - psi * (momentum.transpose() * x);
}

}  // namespace

ModalDerivatives shiftedModalDerivatives(const StaticCompliance& compliance, const LinearModes& modes,
                                         DerivativeForm form, int threads, const ProgressCallback& progress,
                                         const WorkShares& shares) {
    if (!compliance.isFree())
        throw Error("modal derivatives", "the shifted form is for free bodies", "use the static form");
    checkGaps(modes.eigenvalues);
    const SparseMatrix& M = compliance.model().massMatrix();
    const int k = static_cast<int>(modes.shapes.cols());
    const auto solve = form == DerivativeForm::ShiftedMinres ? iterateShifted : solveShifted;
    const auto ofMode = [&](int i) {
        std::vector<std::pair<int, int>> pairs;
        for (int j = 0; j < k; ++j) pairs.emplace_back(i, j);
        const VectorX psi = modes.shapes.col(i);
        const MatrixX products = hessianProducts(compliance.model(), modes.shapes, pairs, threads);
        const MatrixX load = M * (psi * (psi.transpose() * products)) - products;
        return withoutRigidMotion(M, compliance.rigid(), solve(compliance, psi, modes.eigenvalues[i], load));
    };
    ModalDerivatives derivatives;
    for (int i = 0; i < k; ++i)
        for (int j = 0; j < k; ++j) derivatives.pairs.emplace_back(i, j);
    derivatives.shapes = sideBySide(workInShares(shares, [&](int share) {
        const auto [begin, end] = piecesOf(static_cast<std::size_t>(k), shares, share);
        MatrixX shapes(modes.shapes.rows(), static_cast<Eigen::Index>(end - begin) * k);
        for (std::size_t i = begin; i < end; ++i) {
            reportProgress(progress, "modal derivatives",
                           static_cast<double>(i - begin) / static_cast<double>(end - begin));
            shapes.middleCols(static_cast<Eigen::Index>(i - begin) * k, k) = ofMode(static_cast<int>(i));
        }
        return shapes;
    }));
    reportProgress(progress, "modal derivatives", 1.0);
    return derivatives;
}

}  // namespace pliant
