// SPDX-License-Identifier: Zlib
// G += W W' for blocks of columns, at the speed of matrix multiplication and with the same bits for any thread count.
#pragma once

#include "pliant/math/Types.h"

namespace pliant {

/// G is cut into fixed tiles; threads share out the tiles, so each entry is summed in the order of the blocks.
class SymmetricProduct {
public:
    explicit SymmetricProduct(Eigen::Index size);

    /// @param W size x count, column-major, a column per strain row  @param stride doubles from one column to the next
    void add(const double* W, Eigen::Index stride, Eigen::Index count);

    /// The product, size x size; only the lower triangle is meaningful.
    const MatrixX& lower() const { return m_G; }
    MatrixX& lower() { return m_G; }

private:
    void addToTile(Eigen::Index row, Eigen::Index column, const double* W, Eigen::Index stride, Eigen::Index count);

    MatrixX m_G;
};

}  // namespace pliant
