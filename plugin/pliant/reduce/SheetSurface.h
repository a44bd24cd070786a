// SPDX-License-Identifier: Zlib
// What collides of an open surface, or of walls that are too thin: a sheet of some thickness around it.
#pragma once

#include "pliant/math/Api.h"
#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// The thickness that an open surface collides with, m: that of its wall, but at least 0.3 % of the diagonal of its
/// box, below which the distance field has no inside, and at most 0.5 %, so that what collides is within 0.25 % of what
/// is drawn, and within 0.5 % where that has sharp creases.
/// @param wall thickness of the wall, m; 0 where nobody has said it: 0.5 % of the diagonal
double sheetThickness(const SurfaceMesh& surface, double wall);

/// The area that the open edges enclose over that of the surface: 1 of a flat sheet, 0.5 of half a sphere, little of a
/// tube with open ends, and of what is closed but for a hole.
PLIANT_INTERNAL_API double openShare(const SurfaceMesh& surface);

/// Every triangle on both sides, half of `thickness` away along the normals of its vertices, and rims along open edges:
/// closed. Triangles may face any way; where they fit together in no one way (at edges of three and more, on a Moebius
/// strip) the sheet ends, and the next one begins in it. Without texture coordinates, of one material.
PLIANT_INTERNAL_API SurfaceMesh sheetSurface(const SurfaceMesh& surface, double thickness);

/// How thick the walls of a closed thin-walled body are on the whole, m: twice its volume over its area.
PLIANT_INTERNAL_API double wallOf(const SurfaceMesh& surface);

/// A closed surface moved out by `distance` (m) along the normals of its vertices, both sides of creases by as much.
/// Without texture coordinates, of one material.
PLIANT_INTERNAL_API SurfaceMesh thickenedSurface(const SurfaceMesh& surface, double distance);

}  // namespace pliant
