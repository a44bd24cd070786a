// SPDX-License-Identifier: Zlib
#include "pliant/runtime/StiffnessChange.h"

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "pliant/math/EigenvalueSolver.h"

namespace pliant {

StiffnessChange::StiffnessChange(const StrainEnergyPolynomial& energy) : m_r(energy.dimension()) {
    EigenvalueSolver solver(m_r);
    solver.compute(energy.linearStiffness);
    m_lowest = solver.info() == Eigen::Success ? solver.eigenvalues()[0] : 0.0;
    if (!(m_lowest > 0.0)) return;
    m_isZero = (energy.cubic.array() == 0.0).all() && (energy.quartic.array() == 0.0).all();
    if (m_isZero) return;
    // Any root of K0^-1 gives the same norms: V Lambda^-1/2 V'.
    const MatrixX root = solver.eigenvectors() * solver.eigenvalues().cwiseSqrt().cwiseInverse().asDiagonal() *
                         solver.eigenvectors().transpose();
    const MatrixX coefficients = stiffnessCoefficients(energy);
    MatrixX full(m_r, m_r), half(m_r, m_r), seen(m_r * m_r, m_r), one(m_r, m_r);
    const auto look = [&](Eigen::Index column) -> const MatrixX& {
        const double* entry = coefficients.col(column).data();
        for (int a = 0; a < m_r; ++a)
            for (int b = a; b < m_r; ++b) full(a, b) = full(b, a) = *entry++;
        half.noalias() = root * full;
        one.noalias() = half * root;
        return one;
    };
    for (int i = 0; i < m_r; ++i) seen.col(i) = Eigen::Map<const VectorX>(look(i).data(), m_r * m_r);
    m_gram.noalias() = seen.transpose() * seen;
    m_quartic.resize(coefficients.cols() - m_r);
    for (Eigen::Index k = 0; k < m_quartic.size(); ++k) m_quartic[k] = look(m_r + k).norm();
}

double StiffnessChange::bound(const double* p, const double* q) const {
    if (!(m_lowest > 0.0)) return std::numeric_limits<double>::infinity();
    if (m_isZero) return 0.0;
    double square = 0.0, quartic = 0.0;
    const double *gram = m_gram.data(), *norm = m_quartic.data();
    for (int i = 0; i < m_r; ++i, gram += m_r) {
        const double d = q[i] - p[i];
        double row = 0.0, pairs = 0.0;
        for (int j = 0; j < m_r; ++j) row += gram[j] * (q[j] - p[j]);
        for (int j = i; j < m_r; ++j) pairs += std::abs(d * q[j] + p[i] * (q[j] - p[j])) * *norm++;
        square += d * row;
        quartic += pairs;
    }
    return std::sqrt(std::max(0.0, square)) + quartic;
}

}  // namespace pliant
