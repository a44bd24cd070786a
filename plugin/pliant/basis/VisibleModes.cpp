// SPDX-License-Identifier: Zlib
#include "pliant/basis/VisibleModes.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "pliant/math/Error.h"

namespace pliant {
namespace {

constexpr double twoPi = 6.283185307179586;

/// Square of the largest displacement of a vertex, m^2 per (m sqrt(kg))^2.
double largestSquare(const MatrixX& shapes, Eigen::Index mode) {
    return Eigen::Map<const Points>(shapes.col(mode).data(), 3, shapes.rows() / 3).colwise().squaredNorm().maxCoeff();
}

}  // namespace

std::vector<int> visibleModes(const LinearModes& modes, const VisibilityRule& rule) {
    std::vector<int> kept;
    const bool byMotion = rule.largestForce > 0.0 && rule.smallestMotion > 0.0;
    double largestMotion = 0.0;
    for (Eigen::Index j = 0; j < modes.eigenvalues.size(); ++j) {
        const double motion = largestSquare(modes.shapes, j) * rule.largestForce / modes.eigenvalues[j];
        largestMotion = std::max(largestMotion, motion);
        const bool hidden = byMotion && motion < rule.smallestMotion;
        const bool fast =
            rule.highestFrequency > 0.0 && std::sqrt(modes.eigenvalues[j]) > twoPi * rule.highestFrequency;
        if (!hidden && !fast) kept.push_back(static_cast<int>(j));
    }
    if (!kept.empty()) return kept;
    std::ostringstream problem;
    problem << "no mode is visible: the first of " << modes.eigenvalues.size() << " has "
            << std::sqrt(modes.eigenvalues[0]) / twoPi << " Hz";
    if (byMotion) problem << ", and " << rule.largestForce << " N move none by more than " << largestMotion << " m";
    throw Error("visibility rule", problem.str(),
                "expect larger forces, accept smaller motions or higher frequencies, or leave the body rigid");
}

}  // namespace pliant
