// SPDX-License-Identifier: Zlib
// Strain-rate damping [B07 eq. 2.37] at run time: D(q) of math/StrainRateDamping.h without allocation. Private to
// runtime/.
#pragma once

#include "pliant/math/StrainRateDamping.h"
#include "pliant/runtime/kernels/CoefficientPanels.h"

namespace pliant {

/// Working memory of D(q), sized once for a model; of no size for models without the section.
struct StrainRateScratch {
    explicit StrainRateScratch(const StrainRateDamping& damping);

    kernels::AlignedArray<double> half;     ///< The product (dm/dq)' G, r x N, row by row.
    kernels::AlignedArray<double> matrix;   ///< The damping matrix D(q), packed upper triangle, row by row, 1/s.
    kernels::AlignedArray<double> vectors;  ///< Three vectors of r numbers for callers.
};

/// Leaves share D(q) in scratch.matrix. r N r/2 + N r^2 / 2 multiplications, N = r + r(r+1)/2: some ten times those of
/// K(q).
/// @param share factor, >= 0; @param q r numbers
void strainRateMatrix(const StrainRateDamping& damping, double share, const double* q, StrainRateScratch& scratch);

}  // namespace pliant
