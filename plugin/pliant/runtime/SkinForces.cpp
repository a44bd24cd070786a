// SPDX-License-Identifier: Zlib
#include "pliant/runtime/SkinForces.h"

#include <algorithm>

#include "pliant/model/PairColumns.h"
#include "pliant/runtime/kernels/CoefficientPanels.h"
#include "pliant/runtime/kernels/Kernels.h"

namespace pliant {

/// Sixteen characters stand side by side, lane by lane, so that no sum mixes them: a character's bits are the same
/// whoever stands beside it. The product is that of the polynomials' kernels without a cubic part.
struct SkinForces::Data {
    std::shared_ptr<const CharacterModel> character;
    kernels::CoefficientPanels<double> coefficients;  ///< r x (12P + 12 pairs of two bones): -A, -G
    std::vector<Eigen::Index> two;                    ///< pairs (b, c) with b /= c, whose poses count
    int blocks = 0;                                   ///< of sixteen characters, that there is memory for
    MatrixX columns;                                  ///< 24P x blocks, of one character at a time
    kernels::AlignedArray<double> lanes;              ///< for each block coefficients.columns x 16
    kernels::AlignedArray<double> products;           ///< for each block coefficients.rows x 16
    kernels::AlignedArray<double> unused;             ///< as large: what the kernel makes for polynomials

    void reserve(int wanted) {
        if (wanted <= blocks) return;
        blocks = wanted;
        const auto count = static_cast<std::size_t>(kernels::lanes * blocks);
        columns.resize(24 * character->forcing.pairCount(), blocks);
        lanes.resize(count * static_cast<std::size_t>(coefficients.columns));
        products.resize(count * static_cast<std::size_t>(coefficients.rows));
        unused.resize(count * static_cast<std::size_t>(coefficients.rows));
    }
};

SkinForces::SkinForces(std::shared_ptr<const CharacterModel> character, RestShape base)
    : m_data(std::make_unique<Data>()) {
    Data& d = *m_data;
    d.character = std::move(character);
    const SkinForcing& forcing = d.character->forcing;
    for (Eigen::Index p = 0; p < forcing.pairs.cols() && base == RestShape::Flesh; ++p)
        if (forcing.pairs(0, p) != forcing.pairs(1, p)) d.two.push_back(p);
    const Eigen::Index inertia = forcing.inertia.cols();
    MatrixX coefficients(forcing.inertia.rows(), inertia + 12 * static_cast<Eigen::Index>(d.two.size()));
    coefficients.leftCols(inertia) = -forcing.inertia;
    for (std::size_t k = 0; k < d.two.size(); ++k)
        coefficients.middleCols(inertia + 12 * static_cast<Eigen::Index>(k), 12) =
            -forcing.pose.middleCols(12 * d.two[k], 12);
    d.coefficients = kernels::CoefficientPanels<double>(coefficients);
}

SkinForces::~SkinForces() = default;
SkinForces::SkinForces(SkinForces&&) noexcept = default;
SkinForces& SkinForces::operator=(SkinForces&&) noexcept = default;

const CharacterModel& SkinForces::character() const {
    return *m_data->character;
}

void SkinForces::evaluate(const std::vector<const MovingFrame*>& bones, const Vector3& gravity, double* forces,
                          const Workers& workers) {
    Data& d = *m_data;
    const SkinForcing& forcing = d.character->forcing;
    const int count = static_cast<int>(bones.size()), r = d.character->flesh->dimension();
    const Eigen::Index inertia = 12 * forcing.pairCount();
    constexpr int lanes = kernels::lanes;
    d.reserve((count + lanes - 1) / lanes);
    const kernels::Table& table = kernels::active();
    workers.forBlocks(count, lanes, [&](int begin, int end) {
        const int block = begin / lanes;
        const auto first = static_cast<std::size_t>(begin);
        double* column = d.columns.col(block).data();
        double* x = d.lanes.data() + first * static_cast<std::size_t>(d.coefficients.columns);
        double* product = d.products.data() + first * static_cast<std::size_t>(d.coefficients.rows);
        double* unused = d.unused.data() + first * static_cast<std::size_t>(d.coefficients.rows);
        for (int i = begin; i < end; ++i) {
            pairColumns(forcing.pairs, bones[static_cast<std::size_t>(i)], gravity, column, column + inertia);
            double* lane = x + (i - begin);
            for (Eigen::Index k = 0; k < inertia; ++k, lane += lanes) *lane = column[k];
            for (const Eigen::Index pair : d.two)
                for (Eigen::Index k = 0; k < 12; ++k, lane += lanes) *lane = column[inertia + 12 * pair + k];
        }
        table.polynomialDouble(d.coefficients.values.data(), d.coefficients.rows, 0, d.coefficients.columns, 1, x,
                               product, unused);
        for (int i = begin; i < end; ++i)
            for (int j = 0; j < r; ++j) forces[i * r + j] = product[j * lanes + (i - begin)];
    });
}

}  // namespace pliant
