// SPDX-License-Identifier: Zlib
// Vertex normals from triangles.
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// Fills `normals` (3 x n, unit length): sum of face normals weighted by the corner's angle, over all triangles that
/// meet at the vertex's position (texture seams stay smooth). Soup safe: where sheets of opposite sides meet, each
/// vertex keeps the normal of its own triangles; a vertex without any area gets (0, 0, 1).
PLIANT_INTERNAL_API void computeNormals(SurfaceMesh& mesh);

/// Number of each vertex's position among the distinct positions (bit for bit equal; -0 equals 0), 0..count - 1.
PLIANT_INTERNAL_API std::vector<int> positionNumbers(const Points& positions, int& count);

}  // namespace pliant
