// SPDX-License-Identifier: Zlib
// One symmetric rank-k product holds every coefficient: with the weighted strain rows W over the monomials
// m = [q_i; q_i q_j, i <= j], the energy is 1/2 m' (W'W) m. Summing the entries that belong to one monomial of degree
// 2, 3 or 4 gives the polynomial. This replaces the tensor loops of [BJ05 app. B].
#include "pliant/polynomial/ReducePolynomial.h"

#include <algorithm>
#include <array>
#include <utility>

#include "pliant/math/Error.h"
#include "pliant/math/PolynomialSums.h"
#include "pliant/polynomial/GramMatrix.h"
#include "pliant/polynomial/StrainMixes.h"

namespace pliant {
namespace {

/// Entries of G by the monomials that they multiply.
class Gram {
public:
    Gram(const MatrixX& lower, std::size_t r) : m_lower(lower), m_r(r) {}

    double linear(std::size_t i, std::size_t j) const { return at(std::max(i, j), std::min(i, j)); }
    double mixed(std::size_t single, std::size_t i, std::size_t j) const { return at(m_r + pair(i, j), single); }
    std::size_t pair(std::size_t i, std::size_t j) const { return pairIndex(m_r, std::min(i, j), std::max(i, j)); }
    double pairs(std::size_t P, std::size_t Q) const { return at(m_r + std::max(P, Q), m_r + std::min(P, Q)); }

private:
    double at(std::size_t row, std::size_t column) const {
        return m_lower(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column));
    }
    const MatrixX& m_lower;
    std::size_t m_r;
};

/// q_i q_j q_k, i <= j <= k: every distinct way to write it as (single) times (pair); 1/2 from the energy, 2 from G
/// being symmetric.
double cubicCoefficient(const Gram& G, std::size_t i, std::size_t j, std::size_t k) {
    double sum = G.mixed(i, j, k);
    if (j != i) sum += G.mixed(j, i, k);
    if (k != j) sum += G.mixed(k, i, j);
    return sum;
}

/// q_i q_j q_k q_l: every distinct way to write it as pair times pair; a pair times itself appears once in G.
double quarticCoefficient(const Gram& G, std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
    using Pairing = std::pair<std::size_t, std::size_t>;
    std::array<Pairing, 3> ways = {Pairing(G.pair(i, j), G.pair(k, l)), Pairing(G.pair(i, k), G.pair(j, l)),
                                   Pairing(G.pair(i, l), G.pair(j, k))};
    for (Pairing& way : ways)
        if (way.first > way.second) std::swap(way.first, way.second);
    double sum = 0.0;
    for (std::size_t w = 0; w < 3; ++w) {
        if (std::find(ways.begin(), ways.begin() + static_cast<std::ptrdiff_t>(w), ways[w]) !=
            ways.begin() + static_cast<std::ptrdiff_t>(w))
            continue;
        sum += (ways[w].first == ways[w].second ? 0.5 : 1.0) * G.pairs(ways[w].first, ways[w].second);
    }
    return sum;
}

StrainEnergyPolynomial symmetrised(const MatrixX& lower, std::size_t r) {
    const Gram G(lower, r);
    StrainEnergyPolynomial result;
    const auto size = static_cast<Eigen::Index>(r);
    result.linearStiffness.resize(size, size);
    result.cubic.resize(static_cast<Eigen::Index>(StrainEnergyPolynomial::cubicCount(r)));
    result.quartic.resize(static_cast<Eigen::Index>(StrainEnergyPolynomial::quarticCount(r)));
    double* cubic = result.cubic.data();
    double* quartic = result.quartic.data();
    for (std::size_t i = 0; i < r; ++i) {
        for (std::size_t j = 0; j < r; ++j)
            result.linearStiffness(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = G.linear(i, j);
        for (std::size_t j = i; j < r; ++j)
            for (std::size_t k = j; k < r; ++k) {
                *cubic++ = cubicCoefficient(G, i, j, k);
                for (std::size_t l = k; l < r; ++l) *quartic++ = quarticCoefficient(G, i, j, k, l);
            }
    }
    return result;
}

/// Parts of all elements of one material.
EnergyParts partsOf(const StrainSamples& samples, const VolumeMesh& mesh, std::size_t material,
                    const std::vector<int>& elements, const BlockProgress& progress, const WorkShares& shares) {
    std::vector<MatrixX> mixes;
    if (mesh.materials[material].isotropic())
        mixes = {traceMix(mesh.kind), MatrixX()};
    else
        mixes = {materialMix(mesh.kind, stiffnessMatrix(mesh.materials[material]))};
    EnergyParts parts;
    for (const MatrixX& lower : gramMatrices(samples, elements, mixes, progress, shares))
        parts.push_back(symmetrised(lower, static_cast<std::size_t>(samples.dimension())));
    return parts;
}

}  // namespace

std::vector<EnergyParts> reduceEnergyParts(const VolumeMesh& mesh, const MatrixX& basis,
                                           const ProgressCallback& progress, const WorkShares& shares) {
    if (basis.rows() != 3 * Eigen::Index(mesh.vertexCount()) || basis.cols() < 1)
        throw Error("polynomials", "the basis has " + std::to_string(basis.rows()) + " rows and " +
                                       std::to_string(basis.cols()) + " columns for " +
                                       std::to_string(mesh.vertexCount()) + " vertices");
    std::vector<std::vector<int>> elements(mesh.materials.size());
    for (int e = 0; e < mesh.elementCount(); ++e)
        elements[static_cast<std::size_t>(mesh.elementMaterial[static_cast<std::size_t>(e)])].push_back(e);
    if (shares.count < 1 || shares.own >= shares.count || (shares.own >= 0 && !shares.sumOfAll))
        throw Error("polynomials", "share " + std::to_string(shares.own) + " of " + std::to_string(shares.count) +
                                       " does not exist, or nobody adds the shares up");
    const StrainSamples samples(mesh, basis);
    std::vector<EnergyParts> result;
    int done = 0;
    for (std::size_t m = 0; m < elements.size(); ++m) {
        result.push_back(partsOf(
            samples, mesh, m, elements[m],
            [&](int now) { reportProgress(progress, "polynomials", double(done + now) / mesh.elementCount()); },
            shares));
        done += static_cast<int>(elements[m].size());
    }
    reportProgress(progress, "polynomials", 1.0);
    return result;
}

StrainEnergyPolynomial totalEnergy(const VolumeMesh& mesh, const std::vector<EnergyParts>& parts) {
    StrainEnergyPolynomial total = zeroPolynomial(parts.front().front().dimension());
    for (std::size_t m = 0; m < parts.size(); ++m) {
        const std::vector<double> weights = energyWeights(mesh.materials[m]);
        for (std::size_t i = 0; i < weights.size(); ++i) addScaled(weights[i], parts[m][i], total);
    }
    return total;
}

StrainEnergyPolynomial reducePolynomial(const VolumeMesh& mesh, const MatrixX& basis,
                                        const ProgressCallback& progress) {
    return totalEnergy(mesh, reduceEnergyParts(mesh, basis, progress));
}

}  // namespace pliant
