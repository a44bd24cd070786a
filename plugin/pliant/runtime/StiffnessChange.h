// SPDX-License-Identifier: Zlib
// How far K(q) may be from K(p), measured by the stiffness at rest. Private to runtime/.
#pragma once

#include "pliant/math/StrainEnergyPolynomial.h"

namespace pliant {

/// With K0 = LL', every matrix of K(q) = K0 + sum q_i A_i + sum_{i<=j} q_i q_j B_ij is seen as L^-1 (.) L^-T. There
///     K(q) - K(p) = sum d_i A_i + sum_{i<=j} (d_i q_j + p_i d_j) B_ij,   d = q - p,
/// whose Frobenius norm is that of the first sum, by the Gram matrix of the A_i, and at most the sum of those of the
/// second.
class StiffnessChange {
public:
    explicit StiffnessChange(const StrainEnergyPolynomial& energy);

    /// @return upper bound of |x'(K(q) - K(p)) x| / x'K0 x over all x; infinite where K0 is not positive definite
    /// @param p, q r numbers
    double bound(const double* p, const double* q) const;
    /// Whether K(q) is K0 everywhere, as of linear flesh.
    bool isZero() const { return m_isZero; }
    double lowestStiffness() const { return m_lowest; }  ///< Smallest eigenvalue of K0, 1/s^2.

private:
    int m_r;
    double m_lowest = 0.0;
    bool m_isZero = false;
    MatrixX m_gram;     ///< <A_i, A_j>, r x r
    VectorX m_quartic;  ///< |B_ij|, packed i <= j
};

}  // namespace pliant
