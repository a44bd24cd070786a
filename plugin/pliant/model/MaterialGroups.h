// SPDX-License-Identifier: Zlib
/// @file
/// What each material region contributes to a reduced model, so that stiffness and density can be edited without the
/// mesh's elements: energy and mass are weighted sums of these parts ([BJ05 section 6.5]; see EditMaterial.h).
#pragma once

#include <vector>

#include "pliant/math/StrainEnergyPolynomial.h"
#include "pliant/math/Types.h"

namespace pliant {

/// Mass integrals of a region per unit of density; times kg/m^3 they add up to InertiaIntegrals. Body frame.
struct MassParts {
    double volume = 0.0;                     ///< Volume, m^3.
    Vector3 firstMoment = Vector3::Zero();   ///< First moment int X dV, m^4.
    Matrix3 secondMoment = Matrix3::Zero();  ///< Second moment int X X' dV, m^5.
    MatrixX translation;                     ///< Integrals of psi_j over the volume, 3 x r.
    std::vector<Matrix3> first;              ///< Integrals of X psi_j' over the volume, r matrices.
    std::vector<Matrix3>
        second;  ///< Integrals of psi_i psi_j' over the volume, entry i * r + j; their traces are the reduced mass.
};

/// Energy and mass of one material of ReducedModel::mesh, in the order of its materials.
struct MaterialGroup {
    /// Isotropic: energy per unit lambda_L and per unit mu_L (q in, m^3 out). Other laws: the energy itself, J.
    std::vector<StrainEnergyPolynomial> energy;
    MassParts mass;  ///< Mass integrals per unit of density.
};

}  // namespace pliant
