// SPDX-License-Identifier: Zlib
// Internal: contacts with Bullet's convex shapes, whose distances hold their own margins.
#pragma once

#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

void collideConvex(ContactPair& pair, const PlacedShape& placed, double reach, SkeletonContacts& out);
void collideConvexContinuous(ContactPair& pair, const PlacedShape& placed, double step, double reach,
                             SkeletonContacts& out);
// The same, with a short cut for what lies above one face of a box.
void collideBox(ContactPair& pair, const PlacedShape& placed, double reach, SkeletonContacts& out);
void collideBoxContinuous(ContactPair& pair, const PlacedShape& placed, double step, double reach,
                          SkeletonContacts& out);

}  // namespace btPliantInternal
