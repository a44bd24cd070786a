// SPDX-License-Identifier: Zlib
// Internal: contacts with Bullet's signed distance fields (btSdfCollisionShape).
#pragma once

#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

bool isField(const btCollisionObjectWrapper& other);
void fieldDiscrete(ContactPair& pair, const PlacedShape& placed, double reach, SkeletonContacts& out);
void fieldContinuous(ContactPair& pair, const PlacedShape& placed, double step, double reach, SkeletonContacts& out);
/// Points of its surface on a grid as fine as the points of the solid.
void fieldPoints(const btCollisionShape& shape, ShapePointVisitor& visitor);

}  // namespace btPliantInternal
