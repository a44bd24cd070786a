// SPDX-License-Identifier: Zlib
// Gram-Schmidt in the inner product of a sparse matrix M, block by block. Products with M are made once for a block and
// travel with it: what is taken out of X is taken out of M X too.
#pragma once

#include <Eigen/Core>

#include "pliant/fem/FullModel.h"

namespace pliant {

/// M X (m x b) out of M (m x m, symmetric) and X (m x b). Columns are spread over the caller's oneTBB arena; same bits
/// for any number of threads.
Eigen::MatrixXd massProduct(const SparseMatrix& M, const Eigen::Ref<const Eigen::MatrixXd>& X);

/// Columns Q (m x c) with Q' M Q = 1, and M Q, growing block by block. Columns of length zero may be among them.
class OrthonormalColumns {
public:
    /// @param capacity columns at most, m x capacity numbers are set aside twice
    OrthonormalColumns(const SparseMatrix& M, Eigen::Index capacity);

    Eigen::Index count() const { return m_count; }            ///< Number c of columns.
    auto columns() const { return m_Q.leftCols(m_count); }    ///< Columns Q, m x c.
    auto products() const { return m_MQ.leftCols(m_count); }  ///< Products M Q, m x c.
    /// Columns of Q from `begin` on.
    auto block(Eigen::Index begin) const { return m_Q.middleCols(begin, m_count - begin); }

    /// Appends X = added (m x b) made orthogonal to all columns before and among themselves, every projection done
    /// twice.
    /// @return R ((c + b) x b) with X = [Q before, Q new] R, upper trapezoidal. A column whose length falls below
    /// `dependent` of what it had gets zeros in Q and on the diagonal of R.
    Eigen::MatrixXd append(const Eigen::Ref<const Eigen::MatrixXd>& added, double dependent);

    /// Q <- Q Y for the first columns: Y (c x kept), Y'Y = 1.
    void turn(const Eigen::Ref<const Eigen::MatrixXd>& Y);

private:
    void takeOut(Eigen::Index begin, Eigen::Index end, Eigen::MatrixXd& X, Eigen::Ref<Eigen::MatrixXd> shares) const;

    const SparseMatrix& m_M;
    MatrixX m_Q, m_MQ;
    Eigen::Index m_count = 0;
};

}  // namespace pliant
