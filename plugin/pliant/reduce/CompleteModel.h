// SPDX-License-Identifier: Zlib
// What every reduced model needs beyond mesh, basis and energy, wherever those come from (our pipeline, or files of
// others).
#pragma once

#include "pliant/fem/FullModel.h"
#include "pliant/math/Progress.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/reduce/ContactGeometry.h"

namespace pliant {

/// Fills what follows from `model.mesh`, `model.fixedVertices` and `model.energy`, which must be set: anchored, body
/// frame, basis in it, eigenvectors of K0, inertia integrals, drawn surface with its basis, contact skeleton and trees.
/// Leaves name, provenance and elasticEigenvalues to the caller.
/// @param M mass matrix, 3n x 3n, kg: the one of the basis  @param meshBasis 3n x r, components in the mesh frame
/// @param surface what collides, in the mesh frame  @param drawn what is drawn: the same, or with vertices split;
/// refined where the choice asks for it
/// @param notes receives what was refined, and chosen in place of a contact surface, a sentence each
void completeModel(const SparseMatrix& M, const MatrixX& meshBasis, const SurfaceMesh& surface,
                   const SurfaceMesh& drawn, const SurfaceChoice& choice, const ProgressCallback& progress,
                   std::vector<std::string>& notes, ReducedModel& model);

}  // namespace pliant
