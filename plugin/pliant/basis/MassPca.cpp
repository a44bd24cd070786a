// SPDX-License-Identifier: Zlib
#include "pliant/basis/MassPca.h"

#include <algorithm>
#include <cmath>

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
constexpr Eigen::Index blockSize = 32;

/// B (block of columns) made orthogonal in M to the columns of Q, twice; what was taken out is added to `shares`.
void takeOut(const SparseMatrix& M, const Eigen::Ref<const Eigen::MatrixXd>& Q, Eigen::MatrixXd& B,
             Eigen::Ref<Eigen::MatrixXd> shares) {
    for (int pass = 0; pass < 2; ++pass) {
        const Eigen::MatrixXd part = Q.transpose() * (M * B);
        B.noalias() -= Q * part;
        shares += part;
    }
}

/// R (c x c, upper triangular) of A = Q R with Q' M Q = 1, by block Gram-Schmidt with every projection done twice:
/// accurate to rounding of A without squaring it, and without a factor of M, which fills in. A column that depends on
/// earlier ones gets a zero in Q and on the diagonal.
MatrixX triangularFactorIn(const SparseMatrix& M, const MatrixX& A) {
    const Eigen::Index c = A.cols();
    Eigen::MatrixXd Q(A.rows(), c), R = Eigen::MatrixXd::Zero(c, c);
    for (Eigen::Index begin = 0; begin < c; begin += blockSize) {
        const Eigen::Index size = std::min(blockSize, c - begin);
        Eigen::MatrixXd block = A.middleCols(begin, size);
        if (begin > 0) takeOut(M, Q.leftCols(begin), block, R.block(0, begin, begin, size));
        for (Eigen::Index j = 0; j < size; ++j) {
            Eigen::MatrixXd x = block.col(j);
            if (j > 0) takeOut(M, Q.middleCols(begin, j), x, R.block(begin, begin + j, j, 1));
            const double before = std::sqrt(A.col(begin + j).dot(M * A.col(begin + j)));
            double length = std::sqrt(x.col(0).dot(M * x.col(0)));
            if (begin > 0 && length < 1e-3 * before) {
                // What is left of a nearly dependent column has lost digits against earlier blocks.
                takeOut(M, Q.leftCols(begin), x, R.block(0, begin + j, begin, 1));
                length = std::sqrt(x.col(0).dot(M * x.col(0)));
            }
            const bool dependent = !(length > 1e-15 * before);
            R(begin + j, begin + j) = dependent ? 0.0 : length;
            Q.col(begin + j) = dependent ? VectorX::Zero(A.rows()) : VectorX(x / length);
        }
    }
    return R;
}

}  // namespace

void orthonormalise(const SparseMatrix& M, MatrixX& U) {
    for (int pass = 0; pass < 2; ++pass) {
        if (!divideByFactor(U.transpose() * (M * U), U)) throw Error("basis", "its columns depend on each other");
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
