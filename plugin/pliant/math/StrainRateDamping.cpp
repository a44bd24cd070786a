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

}  // namespace pliant
