// SPDX-License-Identifier: Zlib
#include "pliant/exchange/ElasticPart.h"

#include <Eigen/QR>
#include <algorithm>
#include <vector>

#include "pliant/basis/BlockGramSchmidt.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

/// A column of which less than this is left, of its length, is rigid motion or depends on earlier ones.
constexpr double leftOver = 1e-4;

using Numbers = std::vector<Eigen::Index>;

Eigen::Index count(const Numbers& numbers) {
    return static_cast<Eigen::Index>(numbers.size());
}

MatrixX pick(const Eigen::Ref<const Eigen::MatrixXd>& A, const Numbers& columns) {
    MatrixX result(A.rows(), count(columns));
    for (std::size_t j = 0; j < columns.size(); ++j) result.col(static_cast<Eigen::Index>(j)) = A.col(columns[j]);
    return result;
}

MatrixX pickRows(const MatrixX& A, const Numbers& rows) {
    return pick(A.transpose(), rows).transpose();
}

}  // namespace

ElasticPart elasticPart(const SparseMatrix& M, const MatrixX& rigid, const MatrixX& U) {
    const Eigen::Index r = U.cols();
    const MatrixX moved = rigid.transpose() * massProduct(M, U);  // 6 x r
    const MatrixX rest = U - rigid * moved;
    ElasticPart part;
    VectorX lengths(r);
    for (Eigen::Index j = 0; j < r; ++j) {
        lengths[j] = std::sqrt(U.col(j).dot(M * U.col(j)));
        part.rigidShare = std::max(part.rigidShare, moved.col(j).norm() / lengths[j]);
    }
    OrthonormalColumns Q(M, r);
    const Eigen::MatrixXd R = Q.append(rest, leftOver);
    Numbers kept, dropped;
    for (Eigen::Index j = 0; j < r; ++j) (R(j, j) > leftOver * lengths[j] ? kept : dropped).push_back(j);
    if (kept.empty()) throw Error("basis", "a free body cannot move by rigid motion alone", "name its held vertices");

    // (1 - Rg Rg'M) U = Q R. With T in rows K (kept) and D (dropped): R_KK T_K + R_KD T_D = 1, and T_D such that U T
    // turns the body as little as it can.
    part.basis = pick(Q.columns(), kept);
    const MatrixX inverse =
        pickRows(pick(R, kept), kept).triangularView<Eigen::Upper>().solve(MatrixX::Identity(count(kept), count(kept)));
    const MatrixX RD = pickRows(pick(R, dropped), kept);
    const MatrixX turned = moved.bottomRows(3);
    const MatrixX byKept = pick(turned, kept) * inverse;
    MatrixX TD = MatrixX::Zero(count(dropped), count(kept));
    if (!dropped.empty()) TD = -(pick(turned, dropped) - byKept * RD).completeOrthogonalDecomposition().solve(byKept);
    const MatrixX TK = inverse * (MatrixX::Identity(count(kept), count(kept)) - RD * TD);
    part.coordinates = MatrixX::Zero(r, count(kept));
    for (std::size_t j = 0; j < kept.size(); ++j) part.coordinates.row(kept[j]) = TK.row(static_cast<Eigen::Index>(j));
    for (std::size_t j = 0; j < dropped.size(); ++j)
        part.coordinates.row(dropped[j]) = TD.row(static_cast<Eigen::Index>(j));
    part.turningShare = (moved * part.coordinates).bottomRows(3).colwise().norm().maxCoeff();
    return part;
}

}  // namespace pliant
