// SPDX-License-Identifier: Zlib
#include "pliant/math/StrainRateDamping.h"

namespace pliant {
namespace {

/// (dm/dq)' X: row i collects X_i, and q_j X_(i,j) of every pair that i is in (twice for (i, i)).
MatrixX gathered(int r, const VectorX& q, const MatrixX& X) {
    MatrixX result = X.topRows(r);
    Eigen::Index pair = r;
    for (int i = 0; i < r; ++i)
        for (int j = i; j < r; ++j, ++pair) {
            result.row(i) += q[j] * X.row(pair);
            result.row(j) += q[i] * X.row(pair);
        }
    return result;
}

}  // namespace

MatrixX StrainRateDamping::matrix(const VectorX& q) const {
    const MatrixX half = gathered(r, q, gram);  // r x N
    return gathered(r, q, half.transpose());
}

VectorX StrainRateDamping::force(const VectorX& q, const VectorX& velocity) const {
    VectorX rate(gram.rows());  // (dm/dq) q'
    rate.head(r) = velocity;
    Eigen::Index pair = r;
    for (int i = 0; i < r; ++i)
        for (int j = i; j < r; ++j) rate[pair++] = q[i] * velocity[j] + q[j] * velocity[i];
    return gathered(r, q, gram * rate);
}

// m(T s) = P m(s) with a matrix P of T's entries and their products; G becomes P' G P.
StrainRateDamping transformed(const StrainRateDamping& damping, const MatrixX& T) {
    StrainRateDamping result;
    if (damping.empty()) return result;
    const int r = damping.r, s = static_cast<int>(T.cols());
    MatrixX P = MatrixX::Zero(damping.gram.rows(), s + s * (s + 1) / 2);
    P.topLeftCorner(r, s) = T;
    Eigen::Index row = r;
    for (int i = 0; i < r; ++i)
        for (int j = i; j < r; ++j, ++row) {
            Eigen::Index column = s;
            for (int a = 0; a < s; ++a)
                for (int b = a; b < s; ++b)
                    P(row, column++) = a == b ? T(i, a) * T(j, a) : T(i, a) * T(j, b) + T(i, b) * T(j, a);
        }
    const MatrixX half = damping.gram * P;
    result.gram = P.transpose() * half;
    result.r = s;
    return result;
}

}  // namespace pliant
