// SPDX-License-Identifier: Zlib
// Internal: Bullet's shapes that a hand's own thread knows, as fields and as points.
#pragma once

#include "btPliant/hand/ToolPoints.h"
#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

/// The signed distance of a shape where it stands.
/// @return whether it has one in closed form: a plane, sphere, box, capsule or cylinder
bool fieldOf(const btCollisionShape& shape, const btTransform& transform, ShapeField& field);
/// About `count` points of a sphere, box, capsule or cylinder in its own frame; none of other shapes.
ToolPoints toolPoints(const btCollisionShape& shape, int count);

}  // namespace btPliantInternal
