// SPDX-License-Identifier: Zlib
// Wavefront .obj surfaces with .mtl materials.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// Reads a .obj: polygons (triangulated), groups, texture coordinates, normals, vertex colours (v x y z r g b), and the
/// materials of its .mtl files. Polygon soup is fine. Missing normals are computed (computeNormals).
/// Vertices are numbered in the order in which faces first use them.
/// @param warnings  when given, receives what was tolerated: missing .mtl, unreadable texture, faces without extent
/// left out
/// @throws Error    missing file, no faces, NaN or infinite vertex, index out of range (all with file:line)
PLIANT_INTERNAL_API SurfaceMesh readObj(const std::string& path, std::vector<std::string>* warnings = nullptr);

/// Writes `path` and, beside it, a .mtl of the same name. Each file is written under another name and then renamed:
/// nothing half-written stays. @throws Error when the file cannot be written.
PLIANT_INTERNAL_API void writeObj(const SurfaceMesh& mesh, const std::string& path);

}  // namespace pliant
