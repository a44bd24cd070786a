// SPDX-License-Identifier: Zlib
// Constants of a moving reduced body, [S] Shabana, Dynamics of Multibody Systems; all from the one consistent mass
// matrix. Body frame: origin at the rest centre of mass, axes along the rest principal axes. psi_j(X) is basis column j
// as a field.
#pragma once

#include <vector>

#include "pliant/math/Types.h"

namespace pliant {

struct InertiaIntegrals {
    double mass = 0.0;                           ///< kg
    Vector3 principalInertia = Vector3::Zero();  ///< kg m^2, of the rest shape
    /// D_j = int rho psi_j, 3 x r. Zero to rounding for bases of free bodies (mean-axis conditions).
    MatrixX translation;
    /// H0_j = int rho X x psi_j, 3 x r. Zero to rounding for bases of free bodies.
    MatrixX rotation;
    /// S_j = int rho X psi_j', r matrices 3 x 3.
    std::vector<Matrix3> first;
    /// S_ij = int rho psi_i psi_j', entry i * r + j, 3 x 3; S_ji = S_ij'.
    std::vector<Matrix3> second;
    /// C_ij = int rho psi_i x psi_j, entry i * r + j; C_ji = -C_ij.
    std::vector<Vector3> coriolis;
};

}  // namespace pliant
