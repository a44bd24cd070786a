// SPDX-License-Identifier: Zlib
// Modal derivatives: how mode i changes as mode j grows [BJ05 section 4].
//
// Static form, the default: K Phi_ij = -(H : psi_j) psi_i, for free bodies with inertia relief, -(1 - M Rg Rg') in
// front of the product and Phi M-orthogonal to the rigid modes. That is the second-order answer of the nonlinear
// statics, symmetric in i and j, and regular where eigenvalues repeat.
// Shifted form, [BJ05 app. D] for free bodies: (K - lambda_i M) Phi_ij = (M psi_i psi_i' - 1)(H : psi_j) psi_i with
// psi_i' M Phi_ij = 0. It is not symmetric (k^2 shapes) and does not exist where eigenvalues repeat. The paper adds the
// rank-one matrix psi_i psi_i' and iterates with MINRES; here psi_i is projected out instead, which has the same
// solution, and the static compliance preconditions. Without iterations: the coordinate in which psi_i is largest is
// held and the system is factored. Either way the rigid part of Phi, which the mean-axis conditions forbid, is taken
// out.
#pragma once

#include <utility>
#include <vector>

#include "pliant/basis/BasisOptions.h"
#include "pliant/basis/LinearModes.h"
#include "pliant/basis/StaticCompliance.h"
#include "pliant/math/Progress.h"
#include "pliant/math/WorkShares.h"

namespace pliant {

struct ModalDerivatives {
    std::vector<std::pair<int, int>> pairs;  ///< Pairs (i, j) of modes, lexicographic; i <= j in the static form.
    MatrixX shapes;                          ///< Derivatives Phi_ij as solved, not normalised, 3n x pairs.size().
};

/// All k (k + 1) / 2 derivatives of the modes psi (3n x k) in the static form.
/// @param threads workers of the element loops, 0 = all cores; does not change the result
/// @param shares  processes that each have model and modes and solve a share of the pairs; all get all shapes
ModalDerivatives modalDerivatives(const StaticCompliance& compliance, const MatrixX& psi, int threads = 0,
                                  const ProgressCallback& progress = {}, const WorkShares& shares = {});

/// All k^2 derivatives in the shifted form. @param form Shifted or ShiftedMinres  @param shares of the modes i
/// @throws Error for an anchored body, naming the modes where eigenvalues repeat, and where MINRES does not converge
ModalDerivatives shiftedModalDerivatives(const StaticCompliance& compliance, const LinearModes& modes,
                                         DerivativeForm form = DerivativeForm::Shifted, int threads = 0,
                                         const ProgressCallback& progress = {}, const WorkShares& shares = {});

}  // namespace pliant
