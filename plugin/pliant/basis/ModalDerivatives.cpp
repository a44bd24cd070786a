// SPDX-License-Identifier: Zlib
#include "pliant/basis/ModalDerivatives.h"

#include <algorithm>

#include "pliant/fem/HessianProducts.h"

namespace pliant {
namespace {

/// Right-hand sides built and solved together: enough to share the sweep through the factors, few enough for memory.
constexpr std::size_t pairsPerSolve = 128;

}  // namespace

ModalDerivatives modalDerivatives(const StaticCompliance& compliance, const MatrixX& psi, int threads,
                                  const ProgressCallback& progress) {
    ModalDerivatives derivatives;
    for (int i = 0; i < psi.cols(); ++i)
        for (int j = i; j < psi.cols(); ++j) derivatives.pairs.emplace_back(i, j);
    const std::size_t total = derivatives.pairs.size();
    derivatives.shapes.resize(psi.rows(), static_cast<Eigen::Index>(total));
    for (std::size_t begin = 0; begin < total; begin += pairsPerSolve) {
        reportProgress(progress, "modal derivatives", static_cast<double>(begin) / static_cast<double>(total));
        const std::size_t end = std::min(total, begin + pairsPerSolve);
        const std::vector<std::pair<int, int>> pairs(derivatives.pairs.begin() + static_cast<std::ptrdiff_t>(begin),
                                                     derivatives.pairs.begin() + static_cast<std::ptrdiff_t>(end));
        derivatives.shapes.middleCols(static_cast<Eigen::Index>(begin), static_cast<Eigen::Index>(end - begin)) =
            -compliance.apply(hessianProducts(compliance.model(), psi, pairs, threads));
    }
    reportProgress(progress, "modal derivatives", 1.0);
    return derivatives;
}

}  // namespace pliant
