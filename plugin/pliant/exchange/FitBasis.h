// SPDX-License-Identifier: Zlib
// What an imported basis leaves open, found by least squares: its rows at simulation vertices, density and stiffness.
#pragma once

#include <vector>

#include "pliant/fem/FullModel.h"
#include "pliant/math/Types.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

struct FittedBasis {
    MatrixX basis;  ///< Basis over the vertices of the mesh, 3n x r.
    /// Root mean square of what the mesh does not reproduce, as a share of that of the displacements.
    double residual = 0.0;
};

/// The field over `mesh` whose values at `positions` come closest to the given ones, smooth where these say nothing:
/// min sum |W U - u|^2 + eps sum over edges |U_a - U_b|^2 with interpolation weights W.
/// @param positions 3 x s, the mesh's frame  @param displacements 3s x r  @param fixed vertices whose rows are zero
FittedBasis fitBasis(const VolumeMesh& mesh, const Points& positions, const MatrixX& displacements,
                     const std::vector<int>& fixed);

/// The density, kg/m^3, for which U'MU = 1 on average (Vega's reduced coordinates have unit mass).
double fittedDensity(const VolumeMesh& mesh, const MatrixX& basis);

/// Young's modulus, Pa, for which the mesh's stiffness in the basis has the trace of the given one; the mesh's Poisson
/// ratio is kept. @param K0 r x r. NaN where the mesh resists none of the basis
double fittedYoungsModulus(const VolumeMesh& mesh, const MatrixX& basis, const MatrixX& K0);

/// How far U'MU is from 1.
struct Normalisation {
    double largestError = 0.0;  ///< Largest entry of |U'MU - 1|.
    double meanDiagonal = 0.0;  ///< Trace of U'MU over r: the factor by which masses are off, where it is that alone.
};
Normalisation normalisation(const SparseMatrix& M, const MatrixX& basis);

/// Largest share of a column that moves the centre of mass: max |D_j| / sqrt(m), 0 for free bodies, below 1.
double slidingShare(const SparseMatrix& M, const MatrixX& basis);

/// Vertices whose rows are zero against the largest row: those that the basis holds. @param share of the largest row
std::vector<int> heldVertices(const MatrixX& basis, double share);

}  // namespace pliant
