// SPDX-License-Identifier: Zlib
// Shapes told by a signed distance, and their surfaces.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pliant/mesh/SurfaceMesh.h"

namespace solids {

/// A closed shape: negative inside. Lengths in metres, z is up.
struct ImplicitShape {
    std::string name;
    pliant::Vector3 lower, upper;                            ///< a box that holds it with room to spare
    pliant::Vector3 cell;                                    ///< sides of the grid's cells that its surface is cut into
    std::function<double(const pliant::Vector3&)> distance;  ///< signed, about metres near the surface
    std::function<int(const pliant::Vector3&)> materialAt;   ///< of a point of the surface, in `materials`
    std::vector<pliant::SurfaceMaterial> materials;
};

/// The closed surface, two triangles for every edge of the grid that it crosses [Gibson 1998, "Constrained elastic
/// surface nets"], its vertices moved onto the surface along the gradient; normals from the gradient.
pliant::SurfaceMesh surfaceOf(const ImplicitShape& shape);

}  // namespace solids
