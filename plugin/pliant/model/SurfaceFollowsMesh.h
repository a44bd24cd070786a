// SPDX-License-Identifier: Zlib
// How the drawn surface moves with the simulation mesh.
#pragma once

#include "pliant/math/Api.h"
#include "pliant/model/ReducedModel.h"

namespace pliant {

/// Fills surface (body frame), surfaceEmbedding, surfaceBasis and surfaceNormalBasis of a model that has mesh, basis
/// and frame. Normals follow n ~ F^-T N with F = 1 + sum_j q_j grad psi_j of the embedding element, to first order dN_j
/// = -(grad psi_j)' N.
/// @param surface in the mesh frame  @param meshBasis 3n x r, components in the mesh frame
PLIANT_INTERNAL_API void followMesh(const SurfaceMesh& surface, const MatrixX& meshBasis, ReducedModel& model);

}  // namespace pliant
