// SPDX-License-Identifier: Zlib
/// @file
/// Reduced strain-rate damping [B07 eq. 2.37].
#pragma once

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"

namespace pliant {

/// Reduced strain-rate damping [B07 eq. 2.37]: the second Piola stress is linear in the rate of Green strain, so the
/// damping force is D(q) q' with a symmetric positive semidefinite D(q), quadratic in q. Motion that strains nothing is
/// not damped, whatever q: rigid turning of a bent body, unlike with beta K(q) [BJ05].
///
/// With the strain rows e = W m(q) over the monomials m = [q_i; q_i q_j, i <= j], e' = W (dm/dq) q' and D(q) = (dm/dq)'
/// G (dm/dq), G = W'W weighted by the viscosity. Unlike the energy's, G's coefficients have no four-index symmetry (the
/// printed eq. 2.37 needs D2^{acbd} and its dots on the second factors): all of G is kept.
struct PLIANT_API StrainRateDamping {
    int r = 0;     ///< The number of reduced coordinates.
    MatrixX gram;  ///< G, N x N, symmetric, N = r + r(r+1)/2, pairs lexicographic; empty = no damping.

    /// Whether there is no damping.
    bool empty() const { return gram.size() == 0; }
    /// The damping matrix D(q), r x r, 1/s in mass-normalised coordinates.
    MatrixX matrix(const VectorX& q) const;
    /// D(q) q', r x 1, on the left-hand side of the equation of motion q'' + D(q) q' + R(q) = f.
    VectorX force(const VectorX& q, const VectorX& velocity) const;
};

/// The damping in other coordinates, q = T s: T' D(T s) T.
/// @param damping in the coordinates q
/// @param T r x r', any matrix
PLIANT_API StrainRateDamping transformed(const StrainRateDamping& damping, const MatrixX& T);

}  // namespace pliant
