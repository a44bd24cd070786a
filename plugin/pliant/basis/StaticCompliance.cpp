// SPDX-License-Identifier: Zlib
#include "pliant/basis/StaticCompliance.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/basis/BlockGramSchmidt.h"
#include "pliant/basis/Canonical.h"
#include "pliant/basis/RigidModes.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

/// Elastic eigenvalues below this share of the stretch eigenvalue are zero. A real body of that softness is some 30,000
/// times as long as it is thick. Rounding moves eigenvalues by the square of the length over the height of a brick: by
/// 3e-10 in a plate 6,000 times as long as it is thick, whose lowest has a share of 5e-9, and by 1e-14 in one of 50.
constexpr double zeroShare = 1e-10;
/// Where an estimate from above is below this share, a Sturm count decides.
constexpr double suspectShare = 1e-6;
constexpr Eigen::Index testVectors = 4;

/// Six coordinates whose holding just determines the place of the body: the pivots of QR on Rg' (6 x 3n), which are far
/// apart and never in line.
std::vector<int> holdingCoordinates(const MatrixX& rigid) {
    const Eigen::ColPivHouseholderQR<MatrixX> qr(rigid.transpose());
    const auto& order = qr.colsPermutation().indices();
    return std::vector<int>(order.data(), order.data() + rigid.cols());
}

double stretchEigenvalueOf(const FullModel& model, const SparseMatrix& K, const MatrixX& rigid) {
    double smallest = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
        Matrix3 B = Matrix3::Zero();
        B(axis, axis) = 1.0;
        const VectorX u = withoutRigidMotion(model.massMatrix(), rigid, linearField(model.mesh(), B));
        smallest = std::min(smallest, u.dot(K * u) / u.dot(model.massMatrix() * u));
    }
    return smallest;
}

Restriction determinate(const FullModel& model, const Restriction& anchors, const MatrixX& rigid) {
    return rigid.cols() == 0 ? anchors : Restriction(model.degreesOfFreedom(), holdingCoordinates(rigid));
}

}  // namespace

StaticCompliance::StaticCompliance(const FullModel& model, const std::vector<int>& fixedVertices)
    : m_model(model),
      m_motionBoundSpheres(Restriction::ofVertices(model.mesh(), fixedVertices)),
      m_rigid(fixedVertices.empty() ? rigidModes(model) : MatrixX(model.degreesOfFreedom(), 0)),
      m_rigidMomenta(model.massMatrix() * m_rigid),
      m_K(model.restStiffness()),
      m_stretch(stretchEigenvalueOf(model, m_K, rigidModes(model))),
      m_determinate(determinate(model, m_motionBoundSpheres, m_rigid)),
      m_solver(SymmetricSolver::Kind::PositiveDefinite) {
    if (m_motionBoundSpheres.freeSize() == 0)
        throw Error("fixed vertices", "every vertex is fixed", "leave some free to move");
    bool loose = true;
    try {
        m_solver.factor(m_determinate.reduced(m_K));
        loose = looksLoose();
    } catch (const Error&) {
        refuseMechanisms();
        throw;
    }
    if (loose) refuseMechanisms();
}

// Inverse iteration on a few vectors without symmetry. A zero mode outgrows every other one by the ratio of their
// eigenvalues, 1e8 and more, in each of the three rounds; the quotient x'M C M x / |C M x|^2 in M is then its own.
bool StaticCompliance::looksLoose() const {
    const SparseMatrix& M = m_model.massMatrix();
    MatrixX load =
        massProduct(M, m_motionBoundSpheres.expand(genericVectors(m_motionBoundSpheres.freeSize(), testVectors)));
    double softest = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 3; ++round) {
        const MatrixX u = apply(load), Mu = massProduct(M, u);
        for (Eigen::Index j = 0; j < u.cols(); ++j) {
            const double square = u.col(j).dot(Mu.col(j)), quotient = u.col(j).dot(load.col(j)) / square;
            if (!std::isfinite(quotient) || !(square > 0.0)) return true;
            softest = std::min(softest, std::abs(quotient));
            load.col(j) = Mu.col(j) / std::sqrt(square);
        }
    }
    return softest < suspectShare * m_stretch;
}

int StaticCompliance::countBelow(double tau) const {
    SymmetricSolver sturm(SymmetricSolver::Kind::Indefinite);
    sturm.factor(m_motionBoundSpheres.reduced(SparseMatrix(m_K - tau * m_model.massMatrix())));
    return sturm.negativePivots();
}

void StaticCompliance::refuseMechanisms() const {
    const int zeros = countBelow(zeroShare * m_stretch);
    if (zeros == static_cast<int>(m_rigid.cols())) return;
    const std::string found = "the body has " + std::to_string(zeros) + " zero modes";
    if (isFree())
        throw Error(
            "linear modes", found + " where a free body has exactly six",
            "look for disconnected parts, for hinges (elements that meet at an edge or a corner only), and for a "
            "body tens of thousands of times as long as it is thick");
    throw Error("linear modes", found + " although vertices are fixed",
                "fix at least three vertices that are not in line, and look for disconnected parts and hinges");
}

MatrixX StaticCompliance::apply(const MatrixX& loads) const {
    if (!isFree()) return m_motionBoundSpheres.expand(m_solver.solve(m_motionBoundSpheres.reduced(loads)));
    const MatrixX balanced = loads - m_rigidMomenta * (m_rigid.transpose() * loads);
    const MatrixX u = m_determinate.expand(m_solver.solve(m_determinate.reduced(balanced)));
    return u - m_rigid * (m_rigidMomenta.transpose() * u);
}

}  // namespace pliant
