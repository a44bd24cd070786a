// SPDX-License-Identifier: Zlib
// The surface points of a shell as what collides: spheres of radius 0 that follow the drawn surface.
#pragma once

#include "pliant/model/ReducedModel.h"
#include "pliant/shell/MakeShell.h"

namespace pliant {

/// Fills `skeleton` (a sphere of radius 0 and a lone segment for every shell point), contactSurface.shell and
/// contactSurface.thickness of a model whose drawn surface follows its mesh already (followMesh). A shell point moves
/// as the drawn triangle that it lies on. Trees are not made.
/// @param surface the model's drawn surface, in the mesh frame
/// @throws Error as makeShell
void makeSurfaceSkeleton(const SurfaceMesh& surface, const ShellOptions& options, ReducedModel& model);

}  // namespace pliant
