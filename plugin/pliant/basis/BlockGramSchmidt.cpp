// SPDX-License-Identifier: Zlib
#include "pliant/basis/BlockGramSchmidt.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace pliant {

Eigen::MatrixXd massProduct(const SparseMatrix& M, const Eigen::Ref<const Eigen::MatrixXd>& X) {
    Eigen::MatrixXd product(M.rows(), X.cols());
    tbb::parallel_for(Eigen::Index(0), X.cols(), [&](Eigen::Index j) { product.col(j).noalias() = M * X.col(j); });
    return product;
}

OrthonormalColumns::OrthonormalColumns(const SparseMatrix& M, Eigen::Index capacity)
    : m_M(M), m_Q(M.rows(), capacity), m_MQ(M.rows(), capacity) {}

void OrthonormalColumns::takeOut(Eigen::Index begin, Eigen::Index end, Eigen::MatrixXd& X,
                                 Eigen::Ref<Eigen::MatrixXd> shares) const {
    for (int pass = 0; pass < 2; ++pass) {
        const Eigen::MatrixXd part = m_MQ.middleCols(begin, end - begin).transpose() * X;
        X.noalias() -= m_Q.middleCols(begin, end - begin) * part;
        shares += part;
    }
}

Eigen::MatrixXd OrthonormalColumns::append(const Eigen::Ref<const Eigen::MatrixXd>& added, double dependent) {
    Eigen::MatrixXd X = added;
    const Eigen::Index before = m_count, b = X.cols();
    Eigen::MatrixXd R = Eigen::MatrixXd::Zero(before + b, b);
    if (before > 0) takeOut(0, before, X, R.topRows(before));
    const Eigen::MatrixXd MX = massProduct(m_M, X);
    for (Eigen::Index j = 0; j < b; ++j) {
        Eigen::MatrixXd x = X.col(j);
        VectorX Mx = MX.col(j);
        if (j > 0) {
            takeOut(before, before + j, x, R.block(before, j, j, 1));
            Mx.noalias() -= m_MQ.middleCols(before, j) * R.block(before, j, j, 1);
        }
        double length = std::sqrt(std::max(0.0, x.col(0).dot(Mx)));
        const double whole = std::hypot(R.col(j).head(before + j).norm(), length);
        if (!(length > 1e-3 * whole)) {
            // What is left of a nearly dependent column has lost digits against earlier ones.
            if (before + j > 0) takeOut(0, before + j, x, R.block(0, j, before + j, 1));
            Mx.noalias() = m_M * x.col(0);
            length = std::sqrt(std::max(0.0, x.col(0).dot(Mx)));
        }
        const bool kept = length > dependent * whole;
        R(before + j, j) = kept ? length : 0.0;
        m_Q.col(before + j) = kept ? VectorX(x / length) : VectorX::Zero(x.rows());
        m_MQ.col(before + j) = kept ? VectorX(Mx / length) : VectorX::Zero(x.rows());
    }
    m_count = before + b;
    return R;
}

void OrthonormalColumns::turn(const Eigen::Ref<const Eigen::MatrixXd>& Y) {
    const Eigen::Index kept = Y.cols();
    m_Q.leftCols(kept) = (m_Q.leftCols(m_count) * Y).eval();
    m_MQ.leftCols(kept) = (m_MQ.leftCols(m_count) * Y).eval();
    m_count = kept;
}

}  // namespace pliant
