// SPDX-License-Identifier: Zlib
// Modal derivatives: how mode i bends as mode j grows, K Phi_ij = -(H : psi_j) psi_i [BJ05 section 4]. Free bodies:
// with inertia relief, K Phi = -(1 - M Rg Rg')(H : psi_j) psi_i, Phi M-orthogonal to the rigid modes. That is the
// second-order answer of the nonlinear statics, symmetric in i and j, and stays regular where eigenvalues repeat;
// [BJ05 app. D] does not.
#pragma once

#include <utility>
#include <vector>

#include "pliant/basis/StaticCompliance.h"
#include "pliant/math/Progress.h"

namespace pliant {

struct ModalDerivatives {
    std::vector<std::pair<int, int>> pairs;  ///< (i, j), i <= j, lexicographic
    MatrixX shapes;                          ///< 3n x pairs.size(), Phi_ij as solved, not normalised
};

/// All k (k + 1) / 2 derivatives of the modes psi (3n x k).
/// @param threads workers of the element loops, 0 = all cores; does not change the result
ModalDerivatives modalDerivatives(const StaticCompliance& compliance, const MatrixX& psi, int threads = 0,
                                  const ProgressCallback& progress = {});

}  // namespace pliant
