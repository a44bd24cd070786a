// SPDX-License-Identifier: Zlib
// The closed surface around triangles that need not close.
#pragma once

#include <cstddef>

#include "pliant/math/Api.h"
#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// What is seen from outside of the places at distance `offset` from triangles: sheets get thickness, holes and gaps
/// narrower than twice the offset are bridged, parts inside of others vanish. Closed, outward, of the first material,
/// without texture coordinates; what lies apart stays apart. Its vertices are on the grid cells that the level set
/// crosses and lie at `offset` from the triangles but where these leave ridges (surface nets). Any number of threads
/// gives the same bits.
/// @param surface triangles in any order and orientation, m  @param offset m, > 0
/// @param spacing of the grid, m, > 0 and below 2 offset, above which it would see through a sheet
/// @throws Error for a surface without triangles, and a grid of more than kMostOffsetSamples
PLIANT_INTERNAL_API SurfaceMesh offsetSurface(const SurfaceMesh& surface, double offset, double spacing);

constexpr std::size_t kMostOffsetSamples = std::size_t(1) << 26;

}  // namespace pliant
