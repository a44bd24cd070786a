// SPDX-License-Identifier: Zlib
#include "pliant/basis/ModalDerivatives.h"

#include <algorithm>

#include "pliant/fem/HessianProducts.h"

namespace pliant {
namespace {

/// Right-hand sides built and solved together: enough to share the sweep through the factors, few enough for memory.
constexpr std::size_t pairsPerSolve = 128;

using Pairs = std::vector<std::pair<int, int>>;

/// Derivatives of the pairs [begin, end).
MatrixX solvePairs(const StaticCompliance& compliance, const MatrixX& psi, const Pairs& all, std::size_t begin,
                   std::size_t end, int threads, const ProgressCallback& progress) {
    MatrixX shapes(psi.rows(), static_cast<Eigen::Index>(end - begin));
    for (std::size_t next = begin; next < end; next += pairsPerSolve) {
        reportProgress(progress, "modal derivatives",
                       static_cast<double>(next - begin) / static_cast<double>(end - begin));
        const std::size_t stop = std::min(end, next + pairsPerSolve);
        const Pairs pairs(all.begin() + static_cast<std::ptrdiff_t>(next),
                          all.begin() + static_cast<std::ptrdiff_t>(stop));
        shapes.middleCols(static_cast<Eigen::Index>(next - begin), static_cast<Eigen::Index>(stop - next)) =
            -compliance.apply(hessianProducts(compliance.model(), psi, pairs, threads));
    }
    return shapes;
}

}  // namespace

ModalDerivatives modalDerivatives(const StaticCompliance& compliance, const MatrixX& psi, int threads,
                                  const ProgressCallback& progress, const WorkShares& shares) {
    ModalDerivatives derivatives;
    for (int i = 0; i < psi.cols(); ++i)
        for (int j = i; j < psi.cols(); ++j) derivatives.pairs.emplace_back(i, j);
    derivatives.shapes = sideBySide(workInShares(shares, [&](int share) {
        const auto [begin, end] = piecesOf(derivatives.pairs.size(), shares, share);
        return solvePairs(compliance, psi, derivatives.pairs, begin, end, threads, progress);
    }));
    reportProgress(progress, "modal derivatives", 1.0);
    return derivatives;
}

}  // namespace pliant
