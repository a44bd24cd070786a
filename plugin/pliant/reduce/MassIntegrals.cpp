// SPDX-License-Identifier: Zlib
#include "pliant/reduce/MassIntegrals.h"

#include <Eigen/Geometry>
#include <array>

namespace pliant {
namespace {

using Rows = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::Stride<Eigen::Dynamic, 3>>;

/// Component `axis` of every vertex: n x r out of 3n x r.
Rows component(const MatrixX& field, int axis) {
    return {field.data() + axis, field.rows() / 3, field.cols(), Eigen::Stride<Eigen::Dynamic, 3>(field.rows(), 3)};
}

/// a x b for the tensor a b'.
Vector3 crossOf(const Matrix3& ab) {
    return {ab(1, 2) - ab(2, 1), ab(2, 0) - ab(0, 2), ab(0, 1) - ab(1, 0)};
}

}  // namespace

InertiaIntegrals massIntegrals(const SparseMatrix& M, const Points& restPositions, const MatrixX& basis) {
    const Eigen::Index n = restPositions.cols(), r = basis.cols();
    const auto count = static_cast<std::size_t>(r);
    const MatrixX MU = M * basis;
    InertiaIntegrals result;
    result.translation.resize(3, r);
    result.rotation.resize(3, r);
    result.first.resize(count);
    for (Eigen::Index j = 0; j < r; ++j) {
        const Eigen::Map<const Points> momentum(MU.col(j).data(), 3, n);
        const Matrix3 S = restPositions * momentum.transpose();
        result.translation.col(j) = momentum.rowwise().sum();
        result.first[static_cast<std::size_t>(j)] = S;
        result.rotation.col(j) = crossOf(S);
    }
    result.second.resize(count * count);
    result.coriolis.resize(count * count);
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            const MatrixX product = component(basis, a).transpose() * component(MU, b);
            for (std::size_t i = 0; i < count; ++i)
                for (std::size_t j = 0; j < count; ++j)
                    result.second[i * count + j](a, b) =
                        product(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        }
    for (std::size_t i = 0; i < count * count; ++i) result.coriolis[i] = crossOf(result.second[i]);
    return result;
}

}  // namespace pliant
