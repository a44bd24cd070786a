// SPDX-License-Identifier: Zlib
// Vertex normals from triangles.
#pragma once

#include <string>

#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// Fills `normals` (3 x n, unit length): sum of face normals weighted by the corner's angle, over all triangles that
/// meet at the vertex's position (texture seams stay smooth). Soup safe: where sheets of opposite sides meet, each
/// vertex keeps the normal of its own triangles; a vertex without any area gets (0, 0, 1).
void computeNormals(SurfaceMesh& mesh);

/// @throws Error  no triangles, NaN or infinite position, vertex number out of range, arrays of unequal length
void checkSurfaceMesh(const SurfaceMesh& mesh, const std::string& where);

}  // namespace pliant
