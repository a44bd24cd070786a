// SPDX-License-Identifier: Zlib
// A drawn surface whose triangles can follow the deformation of the mesh that it is embedded in.
#pragma once

#include "pliant/model/ReducedModel.h"

namespace pliant {

/// Halves edges of `drawn` where the body deforms between their ends. What is drawn is what touches, and triangles are
/// flat: a floppy plate of twelve triangles would lie on its eight corners, whatever its middle does.
///
/// The measure: shapes at rest, psi_j with the eigenvalues lambda_j of the reduced stiffness, as large as forces of the
/// size of the body's weight make them, w_j = psi_j sqrt(m) g / lambda_j. A piece is coarse where the mesh's w at its
/// middle and the mean of w at its corners differ by more than `tolerance` times the largest |w| of the mesh's
/// vertices, and by more than a thousandth of the surface's diagonal or a hundredth of the body's thickness (twice its
/// volume over the area), whichever is less: stiff bodies keep their triangles. Edges shorter than the mean diagonal of
/// the mesh's elements stay, as the mesh itself bends no finer.
/// @param meshBasis 3n x r, mesh frame @param model has mesh, restEigenvalues and restEigenvectors
/// @param tolerance above 0 @return the number of triangles that were added
int refineSurface(const MatrixX& meshBasis, const ReducedModel& model, double tolerance, SurfaceMesh& drawn);

}  // namespace pliant
