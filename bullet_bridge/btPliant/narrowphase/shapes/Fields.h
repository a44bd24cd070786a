// SPDX-License-Identifier: Zlib
// Internal: Bullet's shapes as fields of distributed contact, with their margins.
#pragma once

#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

// Of the table in ShapeColliders.cpp.
void planeField(const PlacedShape& placed, ShapeField& out);
void boxField(const PlacedShape& placed, ShapeField& out);
void sphereField(const PlacedShape& placed, ShapeField& out);
void capsuleField(const PlacedShape& placed, ShapeField& out);
void cylinderField(const PlacedShape& placed, ShapeField& out);

}  // namespace btPliantInternal
