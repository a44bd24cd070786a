// SPDX-License-Identifier: Zlib
// How much of a shape a stream of air sees.
#pragma once

#include "pliant/math/Types.h"

class btCollisionShape;

namespace btPliantInternal {

/// Area of a shape's silhouette, m^2. Boxes, spheres, capsules and cylinders: exact. Other convex shapes: of the
/// polygon of their outermost points in 64 directions, exact for those of a few corners, at most 0.2 % too small for
/// round ones. Compounds: the sum of their parts', as if none stood behind another. Zero for meshes and planes, which
/// do not move.
/// @param direction of the stream, of length 1, in the shape's own frame
double silhouetteOf(const btCollisionShape& shape, const pliant::Vector3& direction);

}  // namespace btPliantInternal
