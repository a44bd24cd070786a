// SPDX-License-Identifier: Zlib
// What keeps a surface from enclosing its inside, or its triangles from facing outwards.
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// Closes seams within 1e-4 of the diagonal where the surface is closed by that, and leaves them as they are where it
/// is not. Leaves out walls inside of a closed surface (BackToBack.h), and of one that encloses nothing the backs that
/// look like their fronts. Turns triangles of a closed surface until they face outwards, and of an open one without
/// normals of its own until neighbours agree. Normals follow: they are computed anew, or, where the file has some,
/// turned where they point into a closed surface.
/// @param where the file, for notes  @return a note for each thing mended, with numbers
std::vector<std::string> mendSurface(SurfaceMesh& mesh, bool hasNormals, const std::string& where);

}  // namespace pliant
