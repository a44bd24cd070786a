// SPDX-License-Identifier: Zlib
// The strain energy of a mesh, restricted to a basis, as an exact polynomial of degree 4 in q.
#pragma once

#include <vector>

#include "pliant/math/Progress.h"
#include "pliant/math/StrainEnergyPolynomial.h"
#include "pliant/math/WorkShares.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

/// Polynomials of one material region whose weighted sum is its energy: per unit lambda_L and per unit mu_L for an
/// isotropic material (m^3, times q^2..q^4), one in J for any other. See energyWeights().
using EnergyParts = std::vector<StrainEnergyPolynomial>;

/// One entry per material of the mesh, zero polynomials where no element has it.
/// @param mesh   n vertices; bricks or tetrahedra, any materials
/// @param basis  3n x r, displacement per unit q in the axes of `mesh`
/// @param progress  stage "polynomials"
/// @param shares    several processes, each with all of mesh and basis, sum a share of the elements; all get the result
/// Runs on the threads of the caller's oneTBB arena; same bits for any number of them. Memory: about 6 r^4 + 10000 r^2
/// bytes beside the result, independent of n. @throws Error for wrong sizes and for what mesh/Quadrature.h refuses.
std::vector<EnergyParts> reduceEnergyParts(const VolumeMesh& mesh, const MatrixX& basis,
                                           const ProgressCallback& progress = {}, const WorkShares& shares = {});

/// Sum over materials and parts of weight * part, in this order. @param parts as reduceEnergyParts returned them
StrainEnergyPolynomial totalEnergy(const VolumeMesh& mesh, const std::vector<EnergyParts>& parts);

/// Both in one.
StrainEnergyPolynomial reducePolynomial(const VolumeMesh& mesh, const MatrixX& basis,
                                        const ProgressCallback& progress = {});

}  // namespace pliant
