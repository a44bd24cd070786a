// SPDX-License-Identifier: Zlib
// What of a closed surface is seen from outside. Internal to makeDistanceField.
#pragma once

#include "pliant/field/OutsideRegion.h"
#include "pliant/skeleton/SurfaceDistance.h"

namespace pliant {

struct OuterSurface {
    Points points;            ///< Vertices, 3 x n, m.
    Triangles triangles;      ///< Vertex numbers of each triangle, 3 x m.
    double hiddenArea = 0.0;  ///< Area of what was left out, m^2.
};

/// The surface without what lies inside: parts within others, and where parts or sheets run into each other. A triangle
/// that is hidden in part is cut into pieces of about a spacing; pieces are left out where both of their sides are
/// known to be inside.
/// @param points 3 x n, m  @param whole of the same points and triangles
OuterSurface outerSurface(const FieldGrid& grid, const OutsideRegion& outside, const Points& points,
                          const Triangles& triangles, const SurfaceDistance& whole);

}  // namespace pliant
