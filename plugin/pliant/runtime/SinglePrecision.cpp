// SPDX-License-Identifier: Zlib
#include "pliant/runtime/SinglePrecision.h"

#include <algorithm>
#include <limits>

namespace pliant {

namespace {

bool isWithinFloats(const StrainEnergyPolynomial& energy) {
    constexpr double largest = 1e35;
    const auto largestOf = [](const auto& terms) { return terms.size() > 0 ? terms.cwiseAbs().maxCoeff() : 0.0; };
    return largestOf(energy.cubic) < largest && largestOf(energy.quartic) < largest;
}

/// The longest displacement of a vertex, m. @param u 3n x 1
double largestDisplacement(const VectorX& u) {
    const Eigen::Map<const Points> columns(u.data(), 3, u.size() / 3);
    return columns.colwise().norm().maxCoeff();
}

/// @param magnitudes the cubic and quartic terms with positive signs alone @param size of the body, m
bool isRoundedAway(const ReducedModel& model, const StrainEnergyPolynomial& magnitudes, int mode, double size) {
    constexpr double bend = 0.1, share = 0.1;
    VectorX q = model.restEigenvectors.col(mode);
    const double largest = largestDisplacement(model.basis * q);
    if (!(largest > 0.0)) return false;
    q *= bend * size / largest;
    const double lost = std::numeric_limits<float>::epsilon() / 2 * magnitudes.energy(q.cwiseAbs());
    return lost > share * 0.5 * q.dot(model.energy.linearStiffness * q);
}

}  // namespace

bool fitsSinglePrecision(const ReducedModel& model) {
    if (!isWithinFloats(model.energy)) return false;
    const bool hasModes = model.basis.size() > 0 && model.mesh.vertexCount() > 0 && model.restEigenvectors.size() > 0;
    if (!hasModes) return true;
    const StrainEnergyPolynomial& energy = model.energy;
    const StrainEnergyPolynomial magnitudes{MatrixX::Zero(energy.dimension(), energy.dimension()),
                                            energy.cubic.cwiseAbs(), energy.quartic.cwiseAbs()};
    const double size = (model.mesh.positions.rowwise().maxCoeff() - model.mesh.positions.rowwise().minCoeff()).norm();
    for (int mode = 0; mode < std::min(6, energy.dimension()); ++mode)
        if (isRoundedAway(model, magnitudes, mode, size)) return false;
    return true;
}

}  // namespace pliant
