// SPDX-License-Identifier: Zlib
#include "pliant/model/TruncateModel.h"

#include "pliant/math/Error.h"
#include "pliant/math/PolynomialSums.h"
#include "pliant/model/DiagonaliseRest.h"

namespace pliant {
namespace {

template <typename Small>  // entries i * r + j of an r x r array
void keepBlock(std::vector<Small>& entries, std::size_t r, std::size_t s) {
    for (std::size_t i = 0; i < s; ++i)
        for (std::size_t j = 0; j < s; ++j) entries[i * s + j] = entries[i * r + j];
    entries.resize(s * s);
}

void keepColumns(MatrixX& matrix, int s) {
    matrix = matrix.leftCols(s).eval();
}
void keepColumns(MatrixXf& matrix, int s) {
    matrix = matrix.leftCols(s).eval();
}

void truncateTree(BDTree& tree, int s) {
    keepColumns(tree.centreBasis, s);
    tree.radiusCoefficients = tree.radiusCoefficients.topRows(s).eval();
}

void truncateDamping(StrainRateDamping& damping, int s) {
    if (damping.empty()) return;
    const int r = damping.r;
    std::vector<Eigen::Index> kept;
    for (int i = 0; i < s; ++i) kept.push_back(i);
    for (int i = 0; i < s; ++i)
        for (int j = i; j < s; ++j)
            kept.push_back(r +
                           static_cast<Eigen::Index>(pairIndex(static_cast<std::size_t>(r), static_cast<std::size_t>(i),
                                                               static_cast<std::size_t>(j))));
    const auto size = static_cast<Eigen::Index>(kept.size());
    MatrixX gram(size, size);
    for (Eigen::Index b = 0; b < size; ++b)
        for (Eigen::Index a = 0; a < size; ++a)
            gram(a, b) = damping.gram(kept[static_cast<std::size_t>(a)], kept[static_cast<std::size_t>(b)]);
    damping.gram = std::move(gram);
    damping.r = s;
}

void truncateGroup(MaterialGroup& group, std::size_t r, int s) {
    for (StrainEnergyPolynomial& part : group.energy) part = truncated(part, s);
    keepColumns(group.mass.translation, s);
    group.mass.first.resize(static_cast<std::size_t>(s));
    keepBlock(group.mass.second, r, static_cast<std::size_t>(s));
}

}  // namespace

std::shared_ptr<ReducedModel> truncated(const ReducedModel& model, int dimension) {
    if (dimension < 1 || dimension > model.dimension())
        throw Error("model \"" + model.name + "\"", "it cannot be cut to " + std::to_string(dimension) +
                                                        " coordinates: it has " + std::to_string(model.dimension()));
    auto result = std::make_shared<ReducedModel>(model);
    const int s = dimension;
    const auto r = static_cast<std::size_t>(model.dimension());
    keepColumns(result->basis, s);
    result->energy = truncated(model.energy, s);
    diagonaliseRest(*result);
    keepColumns(result->inertia.translation, s);
    keepColumns(result->inertia.rotation, s);
    result->inertia.first.resize(static_cast<std::size_t>(s));
    keepBlock(result->inertia.second, r, static_cast<std::size_t>(s));
    keepBlock(result->inertia.coriolis, r, static_cast<std::size_t>(s));
    keepColumns(result->surfaceBasis, s);
    keepColumns(result->surfaceNormalBasis, s);
    keepColumns(result->skeleton.basis, s);
    if (result->contactSurface.lattice.cellCount() > 0) keepColumns(result->contactSurface.lattice.basis, s);
    truncateTree(result->skeletonTree, s);
    truncateTree(result->triangleTree, s);
    for (MaterialGroup& group : result->materialGroups) truncateGroup(group, r, s);
    truncateDamping(result->damping, s);
    result->provenance.options += ";truncated=" + std::to_string(s);
    return result;
}

}  // namespace pliant
