// SPDX-License-Identifier: Zlib
// The strain energy of a mesh, restricted to a basis, as an exact polynomial of degree 4 in q.
#pragma once

#include "pliant/math/Progress.h"
#include "pliant/math/StrainEnergyPolynomial.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

/// @param mesh   n vertices; bricks or tetrahedra, any number of materials
/// @param basis  3n x r, displacement per unit q in the axes of `mesh`
/// @param progress  stage "polynomials"
/// Runs on the threads of the caller's oneTBB arena; same bits for any number of them. Memory: about 2 r^4 + 4000 r^2
/// bytes, independent of n. @throws Error for wrong sizes and for what fem/Quadrature.h refuses.
StrainEnergyPolynomial reducePolynomial(const VolumeMesh& mesh, const MatrixX& basis,
                                        const ProgressCallback& progress = {});

}  // namespace pliant
