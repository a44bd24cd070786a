// SPDX-License-Identifier: Zlib
/// @file
/// The reduced strain energy of St.Venant-Kirchhoff materials.
#pragma once

#include <cstddef>

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"

namespace pliant {

/// The reduced strain energy of St.Venant-Kirchhoff materials: a polynomial of degree 4 in the reduced coordinates q (r
/// x 1).
///
///     E(q) = 1/2 q' K0 q + sum_{i<=j<=k} cubic_ijk q_i q_j q_k + sum_{i<=j<=k<=l} quartic_ijkl q_i q_j q_k q_l
///
/// Each monomial is stored once, its permutations summed (as Vega's .cub does; [BJ05 eq. 11] writes unsymmetrised
/// sums). Units: q is mass-normalised (m sqrt(kg)), E in J, R = dE/dq, K = d2E/dq2.
struct PLIANT_API StrainEnergyPolynomial {
    MatrixX linearStiffness;  ///< K0, r x r, symmetric, 1/s^2.
    VectorX cubic;            ///< Coefficients of degree 3, cubicCount(r) of them, lexicographic in i <= j <= k.
    VectorX quartic;          ///< Coefficients of degree 4, quarticCount(r) of them, lexicographic in i <= j <= k <= l.

    /// The number r of reduced coordinates.
    int dimension() const { return static_cast<int>(linearStiffness.rows()); }

    /// The number of monomials of degree 2 in r coordinates.
    static std::size_t pairCount(std::size_t r) { return r * (r + 1) / 2; }
    /// The number of monomials of degree 3 in r coordinates.
    static std::size_t cubicCount(std::size_t r) { return r * (r + 1) * (r + 2) / 6; }
    /// The number of monomials of degree 4 in r coordinates.
    static std::size_t quarticCount(std::size_t r) { return r * (r + 1) * (r + 2) * (r + 3) / 24; }

    /// The strain energy E(q), J. A plain reference evaluation, O(r^4), in double; the run time uses batched kernels
    /// that tests hold against these.
    double energy(const VectorX& q) const;
    /// The internal force R(q) = dE/dq, r x 1; a reference evaluation.
    VectorX force(const VectorX& q) const;
    /// The tangent stiffness K(q) = dR/dq, r x r, symmetric; a reference evaluation.
    MatrixX stiffness(const VectorX& q) const;
};

/// Position of pair (a, b), a <= b < r, among the r(r+1)/2 pairs in lexicographic order.
inline std::size_t pairIndex(std::size_t r, std::size_t a, std::size_t b) {
    return a * r - a * (a + 1) / 2 + b;
}

/// K(q) = K0 + K1(q) + K2(q) as one matrix acting on monomials: column-stacked coefficients of [q_i (r columns); q_i
/// q_j with i <= j (p columns)], one row per pair (a, b), a <= b. Size p x (r + p), p = r(r+1)/2. Without K0, which the
/// run time adds in double.
PLIANT_API MatrixX stiffnessCoefficients(const StrainEnergyPolynomial& polynomial);

}  // namespace pliant
