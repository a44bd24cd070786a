// SPDX-License-Identifier: Zlib
#include "pliant/polynomial/SymmetricProduct.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <utility>
#include <vector>

extern "C" {  // BLAS
void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha, const double* a,
            const int* lda, const double* beta, double* c, const int* ldc);
void dgemm_(const char* transA, const char* transB, const int* m, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* b, const int* ldb, const double* beta, double* c,
            const int* ldc);
}

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
    const Eigen::Index size = m_G.rows();
    const int ld = static_cast<int>(size), ldW = static_cast<int>(stride), k = static_cast<int>(count);
    const int rows = static_cast<int>(std::min(tileSize, size - row));
    const int columns = static_cast<int>(std::min(tileSize, size - column));
    const double one = 1.0;
    double* tile = m_G.data() + row + column * size;
    if (row == column)
        dsyrk_("L", "N", &rows, &k, &one, W + row, &ldW, &one, tile, &ld);
    else
        dgemm_("N", "T", &rows, &columns, &k, &one, W + row, &ldW, W + column, &ldW, &one, tile, &ld);
}

}  // namespace pliant
