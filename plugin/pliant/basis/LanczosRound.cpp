// SPDX-License-Identifier: Zlib
#include "pliant/basis/LanczosRound.h"

#include <Spectra/SymGEigsShiftSolver.h>

#include <algorithm>
#include <cmath>

#include "pliant/basis/Canonical.h"
#include "pliant/basis/DenseSolvers.h"
#include "pliant/basis/RigidModes.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

/// y = s Q C Q' x with C the compliance, Q = 1 - known known' M and s the stretch eigenvalue, which brings the numbers
/// near 1: Spectra compares with absolute tolerances. Its eigenvalues in M are s / lambda.
class ComplianceOperator {
public:
    using Scalar = double;

    ComplianceOperator(const StaticCompliance& compliance, const MatrixX& known, int expected,
                       const ProgressCallback& progress)
        : m_compliance(compliance), m_known(known), m_expected(expected), m_progress(progress) {}

    Eigen::Index rows() const { return m_compliance.anchoring().freeSize(); }
    Eigen::Index cols() const { return rows(); }
    void set_shift(double) {}

    void perform_op(const double* x, double* y) const {
        const SparseMatrix& M = m_compliance.model().massMatrix();
        VectorX load = m_compliance.anchoring().expand(VectorX(ConstVectorView(x, rows())));
        if (m_known.cols() > 0) load -= M * (m_known * (m_known.transpose() * load));
        const VectorX u = withoutRigidMotion(M, m_known, m_compliance.apply(load));
        VectorView(y, rows()) = m_compliance.stretchEigenvalue() * m_compliance.anchoring().reduced(u);
        if (++m_calls % 8 == 0) reportProgress(m_progress, "linear modes", std::min(0.9, 0.9 * m_calls / m_expected));
    }

private:
    const StaticCompliance& m_compliance;
    const MatrixX& m_known;
    double m_expected;
    const ProgressCallback& m_progress;
    mutable int m_calls = 0;
};

class MassOperator {
public:
    using Scalar = double;
    explicit MassOperator(SparseMatrix M) : m_M(std::move(M)) {}
    Eigen::Index rows() const { return m_M.rows(); }
    Eigen::Index cols() const { return m_M.cols(); }
    void perform_op(const double* x, double* y) const {
        VectorView(y, rows()).noalias() = m_M * ConstVectorView(x, rows());
    }

private:
    SparseMatrix m_M;
};

}  // namespace

LinearModes lanczosRound(const StaticCompliance& compliance, const MatrixX& known, int count, int round,
                         const ProgressCallback& progress) {
    const Restriction& anchors = compliance.anchoring();
    const Eigen::Index room = compliance.elasticCount() - known.cols();
    const Eigen::Index krylov = std::min<Eigen::Index>(room, std::max(2 * count + 1, count + 20));
    ComplianceOperator op(compliance, known, static_cast<int>(2 * krylov), progress);
    MassOperator mass(anchors.reduced(compliance.model().massMatrix()));
    using Solver = Spectra::SymGEigsShiftSolver<ComplianceOperator, MassOperator, Spectra::GEigsMode::ShiftInvert>;
    Solver solver(op, mass, count, krylov, 0.0);
    const MatrixX start = genericVectors(op.rows(), round + 1);
    solver.init(start.col(round).data());
    solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-12, Spectra::SortRule::SmallestAlge);
    if (solver.info() != Spectra::CompInfo::Successful)
        throw Error("linear modes", "the Lanczos iteration did not converge", "ask for fewer modes");
    LinearModes modes;
    modes.eigenvalues = solver.eigenvalues() * compliance.stretchEigenvalue();
    modes.shapes = anchors.expand(MatrixX(solver.eigenvectors()));
    return modes;
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
