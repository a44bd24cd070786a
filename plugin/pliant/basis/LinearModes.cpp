// SPDX-License-Identifier: Zlib
#include "pliant/basis/LinearModes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pliant/basis/Canonical.h"
#include "pliant/basis/LanczosRound.h"
#include "pliant/basis/MassPca.h"
#include "pliant/basis/RigidModes.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

/// Modes beyond those asked for: they complete clusters at the end of the list and leave a gap to count below.
constexpr int extraModes = 6;
/// Eigenvalues closer than this are one: files with rounded coordinates split the pairs of a symmetric body by less.
constexpr double repeatTolerance = 1e-6;

void append(LinearModes& all, const LinearModes& more) {
    const Eigen::Index had = all.eigenvalues.size();
    const Eigen::Index total = had + more.eigenvalues.size();
    std::vector<Eigen::Index> order(static_cast<std::size_t>(total));
    std::iota(order.begin(), order.end(), Eigen::Index{0});
    const auto value = [&](Eigen::Index i) { return i < had ? all.eigenvalues[i] : more.eigenvalues[i - had]; };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return value(a) < value(b); });
    LinearModes sorted{MatrixX(more.shapes.rows(), total), VectorX(total)};
    for (Eigen::Index i = 0; i < total; ++i) {
        const Eigen::Index from = order[static_cast<std::size_t>(i)];
        sorted.eigenvalues[i] = value(from);
        if (from < had)
            sorted.shapes.col(i) = all.shapes.col(from);
        else
            sorted.shapes.col(i) = more.shapes.col(from - had);
    }
    all = std::move(sorted);
}

/// Number j >= count of leading modes behind which the relative gap is widest.
Eigen::Index widestGap(const VectorX& eigenvalues, Eigen::Index count) {
    Eigen::Index best = count;
    for (Eigen::Index j = count; j < eigenvalues.size(); ++j)
        if (eigenvalues[j] / eigenvalues[j - 1] > eigenvalues[best] / eigenvalues[best - 1]) best = j;
    return best;
}

/// Lanczos until the Sturm count says that none of the first `count` is missing.
LinearModes completeModes(const StaticCompliance& compliance, int count, const ProgressCallback& progress, int start) {
    LinearModes found =
        lanczosRound(compliance, MatrixX(compliance.rigid().rows(), 0), count, extraModes, start, progress);
    for (int round = start + 1; round < start + 20; ++round) {
        const Eigen::Index below = widestGap(found.eigenvalues, count);
        const double tau = std::sqrt(found.eigenvalues[below - 1] * found.eigenvalues[below]);
        const int missing =
            compliance.countBelow(tau) - static_cast<int>(compliance.rigid().cols()) - static_cast<int>(below);
        if (missing <= 0) return found;
        append(found, lanczosRound(compliance, found.shapes, missing, extraModes, round, progress));
    }
    throw Error("linear modes", "the Lanczos iteration kept missing repeated modes",
                "ask for a few more or fewer modes");
}

/// Of the first `count` modes.
void checkResiduals(const StaticCompliance& compliance, const LinearModes& modes, int count) {
    const SparseMatrix& K = compliance.stiffness();
    const SparseMatrix sizes = K.cwiseAbs();
    for (Eigen::Index j = 0; j < count; ++j) {
        const VectorX psi = modes.shapes.col(j);
        const VectorX inertia = modes.eigenvalues[j] * (compliance.model().massMatrix() * psi);
        VectorX residual = K * psi - inertia;
        if (!compliance.isFree()) residual = compliance.anchoring().reduced(residual);  // elsewhere: reactions
        const double allowed = 1e-7 * inertia.norm() + 1e-12 * (sizes * psi.cwiseAbs()).norm();
        if (!(residual.norm() <= allowed))
            throw Error("linear modes", "mode " + std::to_string(j + 1) + " is not accurate: |K x - lambda M x| = " +
                                            std::to_string(residual.norm() / inertia.norm()) + " lambda |M x|");
    }
}

}  // namespace

LinearModes linearModes(const StaticCompliance& compliance, int count, const ProgressCallback& progress, int start) {
    if (count < 1) throw Error("linear modes", std::to_string(count) + " modes asked for", "ask for at least one");
    if (count > compliance.elasticCount())
        throw Error("linear modes",
                    std::to_string(count) + " modes asked for, but the mesh has only " +
                        std::to_string(compliance.elasticCount()) + " elastic degrees of freedom",
                    "ask for fewer modes or refine the mesh");
    reportProgress(progress, "linear modes", 0.0);
    const SparseMatrix& M = compliance.model().massMatrix();
    LinearModes modes = 3 * (count + extraModes) > compliance.elasticCount()
                            ? denseModes(compliance)
                            : completeModes(compliance, count, progress, start);
    const Eigen::Index kept = std::min<Eigen::Index>(modes.eigenvalues.size(), count + extraModes);
    modes.eigenvalues = VectorX(modes.eigenvalues.head(kept));
    modes.shapes = withoutRigidMotion(M, compliance.rigid(), modes.shapes.leftCols(kept));
    orthonormalise(M, modes.shapes);
    checkResiduals(compliance, modes, count);
    canonicalise(M, modes.eigenvalues, repeatTolerance, modes.shapes);
    modes.eigenvalues = VectorX(modes.eigenvalues.head(count));
    modes.shapes = MatrixX(modes.shapes.leftCols(count));
    reportProgress(progress, "linear modes", 1.0);
    return modes;
}

}  // namespace pliant
