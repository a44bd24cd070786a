// SPDX-License-Identifier: Zlib
// Internal: contacts with Bullet's convex shapes, whose distances hold their own margins.
#pragma once

#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

void convexDiscrete(ContactPair& pair, const PlacedShape& placed, double reach, SkeletonContacts& out);
void convexContinuous(ContactPair& pair, const PlacedShape& placed, double step, double reach, SkeletonContacts& out);
// The same, with a short cut for what lies above one face of a box.
void boxDiscrete(ContactPair& pair, const PlacedShape& placed, double reach, SkeletonContacts& out);
void boxContinuous(ContactPair& pair, const PlacedShape& placed, double step, double reach, SkeletonContacts& out);

}  // namespace btPliantInternal
