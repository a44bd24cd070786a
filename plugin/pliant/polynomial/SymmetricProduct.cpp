// SPDX-License-Identifier: Zlib
#include "pliant/polynomial/SymmetricProduct.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "pliant/fem/Blas.h"

namespace pliant {
namespace {

// Both are part of the result's bits. Measured with OpenBLAS: smaller tiles pack their operands too often, more columns
// at a time fall out of the second cache.
constexpr Eigen::Index tileSize = 256;
constexpr Eigen::Index columnsAtOnce = 504;

}  // namespace

SymmetricProduct::SymmetricProduct(Eigen::Index size) : m_G(MatrixX::Zero(size, size)) {}

void SymmetricProduct::add(const double* W, Eigen::Index stride, Eigen::Index count) {
    const Eigen::Index size = m_G.rows(), tiles = (size + tileSize - 1) / tileSize;
    std::vector<std::pair<Eigen::Index, Eigen::Index>> lowerTiles;
    for (Eigen::Index column = 0; column < tiles; ++column)
        for (Eigen::Index row = column; row < tiles; ++row) lowerTiles.emplace_back(row, column);

    for (Eigen::Index first = 0; first < count; first += columnsAtOnce)
        tbb::parallel_for(std::size_t(0), lowerTiles.size(), [&](std::size_t t) {
            addToTile(lowerTiles[t].first * tileSize, lowerTiles[t].second * tileSize, W + first * stride, stride,
                      std::min(columnsAtOnce, count - first));
        });
}

void SymmetricProduct::addToTile(Eigen::Index row, Eigen::Index column, const double* W, Eigen::Index stride,
                                 Eigen::Index count) {
    const auto index = [](Eigen::Index value) { return static_cast<std::size_t>(value); };
    const std::size_t size = index(m_G.rows()), rows = index(std::min(tileSize, m_G.rows() - row)),
                      columns = index(std::min(tileSize, m_G.rows() - column));
    double* tile = m_G.data() + row + column * m_G.rows();
    if (row == column)
        addSquare(columns, index(count), W + row, index(stride), tile, size);
    else
        multiplyTransposed(rows, columns, index(count), W + row, index(stride), W + column, index(stride), 1.0, tile,
                           size);
}

}  // namespace pliant
