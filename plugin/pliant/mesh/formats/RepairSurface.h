// SPDX-License-Identifier: Zlib
// What a surface file may have wrong with it: repaired with a note, or refused.
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// Merges vertices that agree in position, normal, texture coordinate and colour; leaves out triangles with two corners
/// at one place or no area, triangles that are there twice, and vertices that no triangle uses; computes missing
/// normals. Vertices keep their order. Then mendSurface() (MendSurface.h), which may append some.
/// @param hasNormals whether its normals are the file's own, not computed already
/// @param where the file, for notes and errors  @return a note for each thing repaired, with numbers, and one for
/// what is only worth knowing (separate parts, edges with more than two triangles)
/// @throws Error for NaN, a vertex number out of range, or no triangle left
std::vector<std::string> repairSurface(SurfaceMesh& mesh, bool hasNormals, const std::string& where);

/// Triangles that hang together by vertices at the same position.
struct SurfaceParts {
    std::vector<int> part;         ///< Part of each of the m triangles, numbered by lowest triangle.
    std::vector<int> triangles;    ///< Number of triangles in each part.
    std::vector<int> firstVertex;  ///< Lowest vertex of each part.
    int count() const { return static_cast<int>(triangles.size()); }
};
SurfaceParts surfaceParts(const SurfaceMesh& mesh);

}  // namespace pliant
