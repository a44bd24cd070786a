// SPDX-License-Identifier: Zlib
// The surface points of a shell as what collides: spheres of radius 0 that follow the drawn surface.
#pragma once

#include "pliant/model/ReducedModel.h"
#include "pliant/shell/MakeShell.h"

namespace pliant {

/// Fills `skeleton` (a sphere of radius 0 and a lone segment for every shell point), contactSurface.shell and
/// contactSurface.thickness of a model with mesh, basis and frame. A shell point moves as the triangle that it lies on.
/// Trees are not made.
/// @param surface what collides, in the mesh frame
/// @param embedding where its vertices are in the model's mesh: surfaceEmbedding, where it is what is drawn
/// @throws Error as makeShell
void makeSurfaceSkeleton(const SurfaceMesh& surface, const std::vector<MaterialPoint>& embedding,
                         const ShellOptions& options, ReducedModel& model);

}  // namespace pliant
