// SPDX-License-Identifier: Zlib
// Strain-rate damping of a mesh, restricted to a basis [B07 2.37].
#pragma once

#include <vector>

#include "pliant/math/Progress.h"
#include "pliant/math/StrainRateDamping.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

/// Viscosity of the law S = phi tr(E') 1 + 2 psi E', Pa s; both like Lame constants: psi >= 0, 3 phi + 2 psi >= 0.
Matrix6 isotropicViscosity(double phi, double psi);

/// @param mesh       n vertices; its elastic constants do not matter
/// @param basis      3n x r
/// @param viscosity  of each material of the mesh, Pa s, symmetric positive semidefinite; order as the stiffness
/// @param progress   stage "damping"
/// @throws Error for wrong sizes, and for a viscosity that is not symmetric or has a negative eigenvalue: it would feed
/// energy in. Threads, bits and memory as reduceEnergyParts.
StrainRateDamping reduceDamping(const VolumeMesh& mesh, const MatrixX& basis, const std::vector<Matrix6>& viscosity,
                                const ProgressCallback& progress = {});

}  // namespace pliant
