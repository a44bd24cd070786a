// SPDX-License-Identifier: Zlib
#include "pliant/basis/MassPca.h"

#include <algorithm>
#include <cmath>

#include "pliant/basis/BlockGramSchmidt.h"
#include "pliant/basis/Canonical.h"
#include "pliant/basis/DenseSolvers.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

/// Directions shorter than this share of the longest are rounding of the shapes that were given.
constexpr double rankShare = 1e-10;
/// Singular values closer than this are one (mirror twins of a symmetric body).
constexpr double clusterTolerance = 1e-6;

Error tooManyColumns(int asked, Eigen::Index available) {
    return Error("basis",
                 std::to_string(asked) + " columns asked for, but the shapes span only " + std::to_string(available),
                 "ask for a smaller dimension or for more modes");
}

/// Columns that are made orthogonal to all earlier ones together.
constexpr Eigen::Index columnsTogether = 32;

/// R (c x c, upper triangular) of A = Q R with Q' M Q = 1, by block Gram-Schmidt: accurate to rounding of A without
/// squaring it, and without a factor of M, which fills in. A column that depends on earlier ones gets a zero on the
/// diagonal.
MatrixX triangularFactorIn(const SparseMatrix& M, const MatrixX& A) {
    const Eigen::Index c = A.cols();
    OrthonormalColumns Q(M, c);
    MatrixX R = MatrixX::Zero(c, c);
    for (Eigen::Index begin = 0; begin < c; begin += columnsTogether) {
        const Eigen::Index size = std::min(columnsTogether, c - begin);
        R.block(0, begin, begin + size, size) = Q.append(A.middleCols(begin, size), 1e-15);
    }
    return R;
}

}  // namespace

void orthonormalise(const SparseMatrix& M, MatrixX& U) {
    for (int pass = 0; pass < 2; ++pass) {
        if (!divideByFactor(U.transpose() * massProduct(M, U), U))
            throw Error("basis", "its columns depend on each other");
    }
}

MassPca massPca(const SparseMatrix& M, const MatrixX& A, int dimension) {
    if (dimension < 1 || dimension > A.cols()) throw tooManyColumns(dimension, A.cols());
    return massPca(M, A, [dimension](const VectorX&) { return dimension; });
}

MassPca massPca(const SparseMatrix& M, const MatrixX& A, const std::function<int(const VectorX&)>& chooseDimension) {
    // The singular values and right vectors of z = L' A are those of R: z = (L' Q) R, and L' Q is orthonormal.
    const SingularValues svd = singularValues(triangularFactorIn(M, A));
    const VectorX& sigma = svd.values;
    Eigen::Index rank = 0;
    while (rank < sigma.size() && sigma[rank] > rankShare * sigma[0]) ++rank;
    MassPca pca;
    pca.singularValues = sigma.head(rank);
    const int dimension = chooseDimension(pca.singularValues);
    if (dimension < 1 || dimension > rank) throw tooManyColumns(dimension, rank);
    // A few more columns than asked for, so that a cluster at the end is turned as a whole.
    const Eigen::Index kept = std::min<Eigen::Index>(rank, dimension + 6);
    MatrixX U = A * (svd.right.leftCols(kept) * sigma.head(kept).cwiseInverse().asDiagonal());
    orthonormalise(M, U);
    canonicalise(M, sigma, clusterTolerance, U);
    pca.basis = U.leftCols(dimension);
    orthonormalise(M, pca.basis);
    return pca;
}

MatrixX massGramSchmidt(const SparseMatrix& M, const MatrixX& A, int dimension, double tolerance) {
    MatrixX U(A.rows(), std::max(dimension, 0));
    MatrixX MU(A.rows(), U.cols());
    Eigen::Index count = 0;
    for (Eigen::Index j = 0; j < A.cols() && count < U.cols(); ++j) {
        VectorX x = A.col(j);
        const double length = std::sqrt(x.dot(M * x));
        if (!(length > 0.0)) continue;
        x /= length;
        for (int pass = 0; pass < 2; ++pass) {
            const VectorX shares = MU.leftCols(count).transpose() * x;
            x -= U.leftCols(count) * shares;
        }
        const VectorX Mx = M * x;
        const double rest = std::sqrt(x.dot(Mx));
        if (!(rest > tolerance)) continue;
        U.col(count) = x / rest;
        MU.col(count++) = Mx / rest;
    }
    if (dimension < 1 || count < dimension) throw tooManyColumns(dimension, count);
    orthonormalise(M, U);
    return U;
}

}  // namespace pliant
