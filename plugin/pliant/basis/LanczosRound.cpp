// SPDX-License-Identifier: Zlib
#include "pliant/basis/LanczosRound.h"

#include <algorithm>

#include "pliant/basis/BlockGramSchmidt.h"
#include "pliant/basis/Canonical.h"
#include "pliant/basis/DenseSolvers.h"
#include "pliant/basis/RigidModes.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

/// Right-hand sides that are solved together. One sweep through the factors serves them all, and eigenvalues that
/// repeat up to so many times are found in one run; larger blocks make spaces of lower degree and need more of them.
constexpr Eigen::Index lanczosBlock = 4;
/// Of |s C M x - theta x| in M, relative to theta: of the modes that are kept (and of those that may form a cluster
/// with the last of them), and of those behind, which are only counted. Eigenvalues are right to its square.
constexpr double fullAccuracy = 1e-11, looseAccuracy = 1e-6;
constexpr double nearShare = 1e-3;
constexpr int mostRestarts = 100;

/// Block Lanczos for s Q C Q' M with C the compliance, Q = 1 - known known' M and s the stretch eigenvalue, whose
/// eigenvalues theta = s / lambda are near 1. Every new block is made orthogonal to all columns before (twice), so that
/// T = V' M (s Q C Q') M V may be filled by whole columns and stays right when the space is cut back to its best Ritz
/// vectors (thick restart).
class BlockLanczos {
public:
    BlockLanczos(const StaticCompliance& compliance, const MatrixX& known, Eigen::Index accurate, Eigen::Index count)
        : m_compliance(compliance),
          m_known(known),
          m_M(compliance.anchoring().reduced(compliance.model().massMatrix())),
          m_accurate(std::min(accurate, count)),
          m_count(std::min(count, compliance.elasticCount() - known.cols())),
          m_capacity(
              std::min(compliance.elasticCount() - known.cols(), std::max(3 * count, count + 20 * lanczosBlock)) +
              2 * lanczosBlock),
          m_V(m_M, m_capacity),
          m_T(MatrixX::Zero(m_capacity, m_capacity)) {}

    LinearModes run(int round, const ProgressCallback& progress) {
        const MatrixX generic = genericVectors(m_M.rows(), (round + 1) * lanczosBlock);
        m_V.append(applied(massProduct(m_M, generic.middleCols(round * lanczosBlock, lanczosBlock))), independent);
        double solved = lanczosBlock;
        for (int restarts = 0; restarts < mostRestarts;) {
            reportProgress(progress, "linear modes", std::min(0.9, 0.9 * solved / static_cast<double>(m_capacity)));
            expand();
            solved += lanczosBlock;
            const SymmetricEigen ritz = symmetricEigen(m_T.topLeftCorner(m_done, m_done));
            if (m_done >= m_count && converged(ritz)) return modes(ritz);
            if (m_V.count() + lanczosBlock <= m_capacity) continue;
            restart(ritz);
            ++restarts;
        }
        throw Error("linear modes", "the Lanczos iteration did not converge", "ask for fewer modes");
    }

private:
    static constexpr double independent = 1e-12;

    /// s Q C Q' F on the free coordinates, for loads F there.
    Eigen::MatrixXd applied(const Eigen::MatrixXd& loads) const {
        const Restriction& anchors = m_compliance.anchoring();
        const SparseMatrix& M = m_compliance.model().massMatrix();
        MatrixX F = anchors.expand(MatrixX(loads));
        if (m_known.cols() > 0) F -= M * (m_known * (m_known.transpose() * F));
        const MatrixX u = withoutRigidMotion(M, m_known, m_compliance.apply(F));
        return m_compliance.stretchEigenvalue() * anchors.reduced(u);
    }

    /// The operator on the columns that have not seen it; what is new of the answer becomes the next block.
    void expand() {
        const Eigen::Index before = m_V.count(), size = before - m_done;
        const Eigen::MatrixXd R = m_V.append(applied(m_V.products().middleCols(m_done, size)), independent);
        m_T.block(0, m_done, before, size) = R.topRows(before);
        m_T.block(m_done, 0, size, before) = R.topRows(before).transpose();
        m_beta = R.bottomRows(size);
        m_done = before;
    }

    /// Ritz pairs in ascending order of theta. The residual of each is what the last block passes on to the next.
    bool converged(const SymmetricEigen& ritz) const {
        const Eigen::Index size = m_beta.cols();
        const double last = (1.0 - nearShare) * ritz.values[std::max(m_done - m_accurate, Eigen::Index(0))];
        const double rounding = 1e-15 * ritz.values[m_done - 1];
        for (Eigen::Index i = m_done - m_count; i < m_done; ++i) {
            const double residual = (m_beta * ritz.vectors.col(i).tail(size)).norm();
            const double wanted = ritz.values[i] >= last ? fullAccuracy : looseAccuracy;
            if (!(residual <= std::max(wanted * ritz.values[i], rounding))) return false;
        }
        return true;
    }

    /// Keeps the best Ritz vectors, and the block that follows them.
    void restart(const SymmetricEigen& ritz) {
        const Eigen::Index kept = std::min(m_done, m_count + 2 * lanczosBlock), size = m_beta.cols();
        Eigen::MatrixXd Y = Eigen::MatrixXd::Zero(m_done + size, kept + size);
        Y.topLeftCorner(m_done, kept) = ritz.vectors.rightCols(kept);
        Y.bottomRightCorner(size, size).setIdentity();
        m_V.turn(Y);
        m_T.setZero();
        m_T.topLeftCorner(kept, kept) = ritz.values.tail(kept).asDiagonal();
        m_done = kept;
    }

    LinearModes modes(const SymmetricEigen& ritz) const {
        const MatrixX Y = ritz.vectors.rightCols(m_count).rowwise().reverse();  // softest first
        LinearModes result;
        result.eigenvalues = m_compliance.stretchEigenvalue() * ritz.values.tail(m_count).reverse().cwiseInverse();
        result.shapes = m_compliance.anchoring().expand(MatrixX(m_V.columns().leftCols(m_done) * Y));
        return result;
    }

    const StaticCompliance& m_compliance;
    const MatrixX& m_known;
    SparseMatrix m_M;
    Eigen::Index m_accurate;  // modes to full accuracy
    Eigen::Index m_count;     // modes asked for
    Eigen::Index m_capacity;  // columns of V: the space, the block that follows it, and room for one that depends on it
    OrthonormalColumns m_V;
    MatrixX m_T;              // of the first m_done columns
    Eigen::MatrixXd m_beta;   // of the last block that was expanded, in terms of the next
    Eigen::Index m_done = 0;  // columns that the operator has been applied to
};

}  // namespace

LinearModes lanczosRound(const StaticCompliance& compliance, const MatrixX& known, int count, int extra, int round,
                         const ProgressCallback& progress) {
    return BlockLanczos(compliance, known, count, count + extra).run(round, progress);
}

LinearModes denseModes(const StaticCompliance& compliance) {
    const Restriction& anchors = compliance.anchoring();
    const MatrixX K(anchors.reduced(compliance.stiffness()));
    const MatrixX M(anchors.reduced(compliance.model().massMatrix()));
    const SymmetricEigen all = symmetricEigen(K, M);
    LinearModes modes;
    modes.eigenvalues = all.values.tail(compliance.elasticCount());
    modes.shapes = anchors.expand(MatrixX(all.vectors.rightCols(compliance.elasticCount())));
    return modes;
}

}  // namespace pliant
