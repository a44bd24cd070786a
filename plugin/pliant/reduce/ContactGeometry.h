// SPDX-License-Identifier: Zlib
// What a reduced body collides with: capsule segments along its strands, or the surface of a solid.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Progress.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/reduce/ReduceOptions.h"

namespace pliant {

struct SurfaceChoice {
    ContactGeometry geometry = ContactGeometry::Automatic;
    bool isFilled = true;  ///< Whether the simulation mesh fills the inside of the surface.
    double refine = 0.0;   ///< Refinement of the drawn surface, as ReduceOptions::refine.
    double wall = 0.0;     ///< Thickness of an open surface's wall, m; 0: nobody has said it.
};

/// Makes skeleton, contact surface and trees of a model whose frame, basis and drawn surface are made.
///
/// Automatic: the surface where the drawn surface is closed and the mesh fills it, a sheet of some thickness around it
/// where it is open by a tenth of its area and more and nothing fills it (SheetSurface.h), and segments where it is
/// hollow, has a hole, or the body is made of strands.
/// The mean thickness t of strands, their area A and their volume V obey t A / V = 2 (tubes of radius t; sheets 1,
/// balls 3), and t is a small share of their extent. Lone bars with sharp edges are solids all
/// the same (StrandShape.h), and so are single strands for which the segments would be more than the points of the
/// surface: of six sides and bricks much smaller than those, of parts that run into each other.
/// @param surface what collides, mesh frame @param drawn the same triangles as they are drawn, which follow the mesh
/// already @param meshBasis 3n x r, mesh frame
/// @param notes receives what was chosen instead of a surface that could not be made, a sentence each
/// @throws Error where ContactGeometry::Surface is asked for and cannot be made
void makeContactGeometry(const SurfaceMesh& surface, const SurfaceMesh& drawn, const MatrixX& meshBasis,
                         const SurfaceChoice& choice, const ProgressCallback& progress, std::vector<std::string>& notes,
                         ReducedModel& model);

}  // namespace pliant
