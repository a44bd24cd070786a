// SPDX-License-Identifier: Zlib
// Reduced strain-rate damping [B07 2.37]: the second Piola stress is linear in the rate of Green strain, so the damping
// force is D(q) q' with a symmetric positive semidefinite D(q), quadratic in q. Motion that strains nothing is not
// damped, whatever q: rigid turning of a bent body, unlike with the papers' beta K(q).
//
// With the strain rows e = W m(q) over the monomials m = [q_i; q_i q_j, i <= j], e' = W (dm/dq) q' and
// D(q) = (dm/dq)' G (dm/dq), G = W'W weighted by the viscosity. Unlike the energy's, G's coefficients have no
// four-index symmetry (the printed 2.37 needs D2^{acbd} and its dots on the second factors): all of G is kept.
#pragma once

#include "pliant/math/Types.h"

namespace pliant {

struct StrainRateDamping {
    int r = 0;
    MatrixX gram;  ///< G, N x N symmetric, N = r + r(r+1)/2, pairs lexicographic; empty = no damping

    bool empty() const { return gram.size() == 0; }
    /// D(q), r x r, kg/s in mass-normalised coordinates 1/s.
    MatrixX matrix(const VectorX& q) const;
    /// D(q) q', r: left-hand side of the equation of motion; q'' + D(q) q' + R(q) = f.
    VectorX force(const VectorX& q, const VectorX& velocity) const;
};

/// D in other coordinates, q = T s: T' D(T s) T. @param T r x r', any matrix
StrainRateDamping transformed(const StrainRateDamping& damping, const MatrixX& T);

}  // namespace pliant
