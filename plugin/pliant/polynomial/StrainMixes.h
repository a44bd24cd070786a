// SPDX-License-Identifier: Zlib
// What turns the strain samples of an element into weighted rows W whose sum of squares is twice an energy.
//
// Samples at Gauss points, weighted by roots, are coefficients in orthonormal Legendre polynomials turned by an
// orthogonal matrix. Two strain components meet in the energy only where they have the same polynomial, so C^(1/2) acts
// polynomial by polynomial on the components that have it: no rows are added, and nothing is lost.
#pragma once

#include "pliant/mesh/ElasticMaterial.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

/// Rows of the lambda_L part per unit lambda_L, tr(E)^2: 19 x 63 for bricks (products of Legendre polynomials of degree
/// <= 2 that are constant along one axis at least), 1 x 6 for tetrahedra. The mu_L part per unit mu_L is the samples
/// themselves.
MatrixX traceMix(ElementKind kind);

/// Rows of e' C e for any symmetric positive semidefinite C (Pa, or Pa s for damping): 63 x 63 or 6 x 6.
MatrixX materialMix(ElementKind kind, const Matrix6& C);

}  // namespace pliant
