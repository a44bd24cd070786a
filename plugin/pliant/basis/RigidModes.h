// SPDX-License-Identifier: Zlib
#pragma once

#include "pliant/fem/FullModel.h"

namespace pliant {

/// Three translations and three rotations about the centre of mass, 3n x 6, Rg' M Rg = 1.
MatrixX rigidModes(const FullModel& model);
/// The same with any mass matrix of the mesh, of `totalMass` kg.
MatrixX rigidModes(const VolumeMesh& mesh, const SparseMatrix& M, double totalMass);

/// X - Rg Rg' M X: the part of X (3n x k) that is M-orthogonal to `rigid` (3n x 6, or 3n x 0: X itself).
MatrixX withoutRigidMotion(const SparseMatrix& M, const MatrixX& rigid, const MatrixX& X);

}  // namespace pliant
