// SPDX-License-Identifier: Zlib
// What collides of an open surface: a sheet of some thickness around it.
#pragma once

#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// The thickness that an open surface collides with, m: that of its wall, but at least 0.3 % of the diagonal of its
/// box, below which the distance field has no inside, and at most 0.5 %, so that what collides is within 0.25 % of what
/// is drawn.
/// @param wall thickness of the wall, m; 0 where nobody has said it: 0.5 % of the diagonal
double sheetThickness(const SurfaceMesh& surface, double wall);

/// Every triangle on both sides, half of `thickness` away along the normals of its vertices, and rims along open edges:
/// closed. Triangles may face any way; where they fit together in no one way (at edges of three and more, on a Moebius
/// strip) the sheet ends, and the next one begins in it. Without normals and texture coordinates, of one material.
SurfaceMesh sheetSurface(const SurfaceMesh& surface, double thickness);

}  // namespace pliant
