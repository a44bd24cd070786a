// SPDX-License-Identifier: Zlib
// Internal: bounds of the deformed drawn surface.
#pragma once

#include "pliant/collision/DeformedBody.h"

namespace btPliantInternal {

/// Bounds of the deformed triangles along the axes of `worldFromBody`, from the spheres of the triangle tree:
/// conservative, and in each direction at most 2 % of the root's radius more than the best sphere allows.
pliant::Aabb triangleBounds(const pliant::DeformedBody& body, const pliant::RigidTransform& worldFromBody);

}  // namespace btPliantInternal
