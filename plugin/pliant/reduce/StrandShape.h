// SPDX-License-Identifier: Zlib
// Which bodies are made of strands: of long round parts, which capsule segments along their middle are a surface for.
#pragma once

#include "pliant/math/Api.h"
#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// Share of the turning of a closed surface, length times angle summed over its convex edges, that lies in edges of
/// more than 75 degrees: nearly 0 of a long round bar (a prism of five sides is round), 1 of a box.
PLIANT_INTERNAL_API double sharpShare(const SurfaceMesh& surface);

/// Whether a closed surface is that of strands: twice its volume over its area is its thickness, as of a long
/// cylinder, which is small beside the body. A single bar whose sides meet at sharp edges is none, since capsules
/// inside of it leave furrows between them and leave its edges out; where strands together are many times as long as
/// the body, woven or wound, capsules along each of them part them better than points of their surface, whatever their
/// section.
/// @param thickness m, median radius of the largest inscribed spheres (ContactSurface::thickness)
/// @param area m^2, of the surface
PLIANT_INTERNAL_API bool isMadeOfStrands(const SurfaceMesh& surface, double thickness, double area);

/// Whether the strands that a closed surface is made of are together ten times as long as the diagonal of its box, and
/// more.
/// @param thickness m, as of isMadeOfStrands()
PLIANT_INTERNAL_API bool isWoven(const SurfaceMesh& surface, double thickness);

}  // namespace pliant
