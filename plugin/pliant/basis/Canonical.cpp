// SPDX-License-Identifier: Zlib
#include "pliant/basis/Canonical.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace pliant {
namespace {

/// SplitMix64's output function: a fixed, well mixed number for every position.
double genericNumber(std::uint64_t position) {
    std::uint64_t z = (position + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    return std::ldexp(static_cast<double>(z >> 11), -52) - 1.0;
}

/// Orthogonal m x m factor of Z (m x m) by Gram-Schmidt, twice, of its columns.
MatrixX orthogonalFactor(MatrixX Z) {
    for (Eigen::Index j = 0; j < Z.cols(); ++j) {
        for (int pass = 0; pass < 2; ++pass)
            for (Eigen::Index i = 0; i < j; ++i) Z.col(j) -= Z.col(i).dot(Z.col(j)) * Z.col(i);
        Z.col(j).normalize();
    }
    return Z;
}

}  // namespace

MatrixX genericVectors(Eigen::Index rows, Eigen::Index count) {
    MatrixX G(rows, count);
    for (Eigen::Index j = 0; j < count; ++j)
        for (Eigen::Index i = 0; i < rows; ++i)
            G(i, j) = genericNumber((static_cast<std::uint64_t>(j) << 40) + static_cast<std::uint64_t>(i));
    return G;
}

MatrixX canonicalise(const SparseMatrix& M, const VectorX& values, double tolerance, MatrixX& columns) {
    const Eigen::Index k = columns.cols();
    MatrixX rotation = MatrixX::Zero(k, k);
    for (Eigen::Index begin = 0; begin < k;) {
        Eigen::Index end = begin + 1;
        while (end < k && std::abs(values[end] - values[end - 1]) <=
                              tolerance * std::max(std::abs(values[end]), std::abs(values[end - 1])))
            ++end;
        const Eigen::Index size = end - begin;
        const MatrixX cluster = columns.middleCols(begin, size);
        const MatrixX generic = genericVectors(columns.rows(), size);
        const MatrixX turn = orthogonalFactor(cluster.transpose() * (M * generic));
        rotation.block(begin, begin, size, size) = turn;
        columns.middleCols(begin, size).noalias() = cluster * turn;
        begin = end;
    }
    return rotation;
}

}  // namespace pliant
