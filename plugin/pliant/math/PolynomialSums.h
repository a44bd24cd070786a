// SPDX-License-Identifier: Zlib
// New polynomials out of old ones: sums, fewer coordinates, other coordinates. All exact up to rounding.
#pragma once

#include "pliant/math/Api.h"
#include "pliant/math/StrainEnergyPolynomial.h"

namespace pliant {

PLIANT_INTERNAL_API StrainEnergyPolynomial zeroPolynomial(int r);

/// Adds weight * polynomial to `target`, which has the same dimension.
PLIANT_INTERNAL_API void addScaled(double weight, const StrainEnergyPolynomial& polynomial,
                                   StrainEnergyPolynomial& target);

/// The energy of the first `dimension` coordinates, the others held at zero: the monomials that have no others.
PLIANT_INTERNAL_API StrainEnergyPolynomial truncated(const StrainEnergyPolynomial& polynomial, int dimension);

/// E(T s) as a polynomial in s. @param T r x r', any matrix: r' coordinates s with q = T s. Costs 4 r^4 r' operations
/// and 4 r^4 bytes or so.
PLIANT_INTERNAL_API StrainEnergyPolynomial transformed(const StrainEnergyPolynomial& polynomial, const MatrixX& T);

}  // namespace pliant
