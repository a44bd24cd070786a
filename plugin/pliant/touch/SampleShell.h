// SPDX-License-Identifier: Zlib
// The points of a distributed shell, out of the triangles of a surface.
#pragma once

#include "pliant/math/Api.h"
#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/touch/DistributedShell.h"

namespace pliant {

constexpr int kMostShellPoints = 4000000;  ///< Most points that users may ask for.

/// About `points` samples, or one for each triangle where these are more: triangles are halved along their longest side
/// until the pieces are small enough, and each is stood for by its centroid, so that pressures that are linear in place
/// are summed exactly. Where there is a field, pieces are turned so that their area vectors point into the body, and
/// those that lie deep inside it (inner parts, which nothing can touch) are left out; without one the triangles'
/// winding counts.
/// @param shellFrame of the samples, from that of the surface  @param field in the frame of the samples, may be null
/// @throws Error where the surface has no triangle with an area
PLIANT_INTERNAL_API ShellSamples sampleShell(const SurfaceMesh& surface, const RigidTransform& shellFrame, int points,
                                             const DistanceField* field);

}  // namespace pliant
