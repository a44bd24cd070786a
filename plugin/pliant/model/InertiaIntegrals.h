// SPDX-License-Identifier: Zlib
/// @file
/// Constants of a moving reduced body [S].
#pragma once

#include <vector>

#include "pliant/math/Types.h"

namespace pliant {

/// Constants of a moving reduced body [S], all from the one consistent mass matrix. Body frame: origin at the rest
/// centre of mass, axes along the rest principal axes. psi_j(X) is basis column j as a field, rho the density, X the
/// rest position.
struct InertiaIntegrals {
    double mass = 0.0;                           ///< Mass, kg.
    Vector3 principalInertia = Vector3::Zero();  ///< Principal moments of inertia of the rest shape, kg m^2.
    /// D_j = int rho psi_j, 3 x r, sqrt(kg). Zero to rounding for bases of free bodies (mean-axis conditions).
    MatrixX translation;
    /// H0_j = int rho X x psi_j, 3 x r, m sqrt(kg). Zero to rounding for bases of free bodies.
    MatrixX rotation;
    std::vector<Matrix3> first;     ///< S_j = int rho X psi_j', r matrices 3 x 3.
    std::vector<Matrix3> second;    ///< S_ij = int rho psi_i psi_j', entry i * r + j, 3 x 3; S_ji = S_ij'.
    std::vector<Vector3> coriolis;  ///< C_ij = int rho psi_i x psi_j, entry i * r + j; C_ji = -C_ij.
};

}  // namespace pliant
