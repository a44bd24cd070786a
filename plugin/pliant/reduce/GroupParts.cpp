// SPDX-License-Identifier: Zlib
#include "pliant/reduce/GroupParts.h"

#include <utility>

#include "pliant/reduce/MassIntegrals.h"

namespace pliant {
namespace {

/// @param M mass matrix of a region of unit density  @param X rest positions in the body frame
MassParts massParts(const SparseMatrix& M, const Points& X, const MatrixX& basis) {
    const Eigen::Index n = X.cols();
    MassParts parts;
    const VectorX weights = M * VectorX::Ones(3 * n);  // row sums: volume that each vertex stands for
    for (Eigen::Index v = 0; v < n; ++v) {
        parts.volume += weights[3 * v];
        parts.firstMoment += weights[3 * v] * X.col(v);
    }
    const VectorX weighted = M * Eigen::Map<const VectorX>(X.data(), 3 * n);
    const Matrix3 second = X * Eigen::Map<const Points>(weighted.data(), 3, n).transpose();
    parts.secondMoment = 0.5 * (second + second.transpose());
    InertiaIntegrals integrals = massIntegrals(M, X, basis);
    parts.translation = std::move(integrals.translation);
    parts.first = std::move(integrals.first);
    parts.second = std::move(integrals.second);
    return parts;
}

}  // namespace

std::vector<MaterialGroup> materialGroups(const FullModel& full, std::vector<EnergyParts> parts,
                                          const ReducedModel& model) {
    const Points X =
        model.meshFromBody.rotation.transpose() * (model.mesh.positions.colwise() - model.meshFromBody.translation);
    std::vector<MaterialGroup> groups(parts.size());
    for (std::size_t m = 0; m < parts.size(); ++m) {
        std::vector<double> densities(parts.size(), 0.0);
        densities[m] = 1.0;
        groups[m].energy = std::move(parts[m]);
        groups[m].mass = massParts(full.massMatrixOf(densities), X, model.basis);
    }
    return groups;
}

}  // namespace pliant
