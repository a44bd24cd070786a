// SPDX-License-Identifier: Zlib
// A polygon in space, not quite plane and perhaps concave, becomes triangles.
#pragma once

#include <array>
#include <vector>

#include "pliant/math/Types.h"

namespace pliant {

/// @param corners  3 x k, k >= 3, in order around the polygon
/// @return k - 2 triangles of corner numbers with the polygon's sense of rotation. Convex quadrilaterals are cut along
/// the shorter diagonal, everything else by clipping ears in the plane of the mean normal.
std::vector<std::array<int, 3>> triangulatePolygon(const Points& corners);

}  // namespace pliant
