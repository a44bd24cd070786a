// SPDX-License-Identifier: Zlib
// Internal: contacts with Bullet's planes.
#pragma once

#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

void planeDiscrete(ContactPair& pair, const PlacedShape& placed, double reach, SkeletonContacts& out);
void planeContinuous(ContactPair& pair, const PlacedShape& placed, double step, double reach, SkeletonContacts& out);
double planeMargin(const ContactPair& pair, const btCollisionShape& shape);
bool planeBounds(const ContactPair& pair, const PlacedShape& placed, double step);
Requirement planeNeeds(const ContactPair& pair, const PlacedShape& placed, double step);

}  // namespace btPliantInternal
