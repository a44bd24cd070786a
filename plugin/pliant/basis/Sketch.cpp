// SPDX-License-Identifier: Zlib
#include "pliant/basis/Sketch.h"

#include <algorithm>
#include <cmath>

#include "pliant/math/Error.h"

namespace pliant {
namespace {

double longest(const SparseMatrix& M, const MatrixX& X) {
    double square = 0.0;
    for (Eigen::Index j = 0; j < X.cols(); ++j) square = std::max(square, X.col(j).dot(M * X.col(j)));
    return std::sqrt(square);
}

MatrixX chosenColumns(const MatrixX& X, const std::vector<int>& chosen) {
    MatrixX result(X.rows(), static_cast<Eigen::Index>(chosen.size()));
    for (std::size_t c = 0; c < chosen.size(); ++c) result.col(static_cast<Eigen::Index>(c)) = X.col(chosen[c]);
    return result;
}

/// Equilibria along the ways of the forces `chosen`: 3n x (load steps times their number).
MatrixX equilibria(const StaticCompliance& compliance, const MatrixX& loads, const std::vector<int>& chosen,
                   const SketchOptions& options, const ProgressCallback& progress) {
    const StaticSupport support{compliance.anchoring(), compliance.rigid()};
    StaticOptions statics;
    statics.loadSteps = options.loadSteps;
    MatrixX candidates(loads.rows(), static_cast<Eigen::Index>(chosen.size()) * options.loadSteps);
    Eigen::Index count = 0;
    for (std::size_t c = 0; c < chosen.size(); ++c) {
        const auto share = [&](double fraction) {
            return (static_cast<double>(c) + fraction) / static_cast<double>(chosen.size());
        };
        const ProgressCallback within = [&](const std::string&, double fraction) {
            reportProgress(progress, "sketch", share(fraction));
            return true;
        };
        try {
            for (VectorX& u : staticPath(compliance.model(), support, VectorX(loads.col(chosen[c])), statics, within))
                candidates.col(count++) = u;
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& problem) {
            throw Error("sketch, force " + std::to_string(chosen[c] + 1), problem.what());
        }
    }
    return candidates;
}

}  // namespace

std::vector<int> separated(const SparseMatrix& M, const MatrixX& X, double distance) {
    std::vector<int> chosen;
    const MatrixX MX = M * X;
    const auto square = [&](Eigen::Index i) { return X.col(i).dot(MX.col(i)); };
    const double least = distance * distance;
    for (int j = 0; j < X.cols(); ++j) {
        const bool far = std::all_of(chosen.begin(), chosen.end(), [&](int i) {
            return square(i) + square(j) - 2.0 * X.col(i).dot(MX.col(j)) >= least;
        });
        if (far && square(j) > 0.0 && square(j) >= least) chosen.push_back(j);
    }
    return chosen;
}

MatrixX sketchShapes(const StaticCompliance& compliance, const std::vector<PointForce>& forces,
                     const SketchOptions& options, const ProgressCallback& progress, const WorkShares& shares) {
    const FullModel& model = compliance.model();
    const SparseMatrix& M = model.massMatrix();
    MatrixX loads(model.degreesOfFreedom(), static_cast<Eigen::Index>(forces.size()));
    for (std::size_t i = 0; i < forces.size(); ++i)
        loads.col(static_cast<Eigen::Index>(i)) = vertexLoads(model.mesh(), {forces[i]});
    reportProgress(progress, "sketch", 0.0);
    const MatrixX linear = compliance.apply(loads);
    const std::vector<int> chosen = separated(M, linear, options.separation * longest(M, linear));
    if (chosen.empty()) throw Error("sketch", "no force of it moves the body", "record forces away from held vertices");

    const MatrixX candidates = sideBySide(workInShares(shares, [&](int share) {
        const auto [begin, end] = piecesOf(chosen.size(), shares, share);
        return equilibria(compliance, loads,
                          std::vector<int>(chosen.begin() + static_cast<std::ptrdiff_t>(begin),
                                           chosen.begin() + static_cast<std::ptrdiff_t>(end)),
                          options, progress);
    }));
    return chosenColumns(candidates, separated(M, candidates, options.separation * longest(M, candidates)));
}

}  // namespace pliant
