// SPDX-License-Identifier: Zlib
// Internal: contacts with Bullet's planes.
#pragma once

#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

void collidePlane(ContactPair& pair, const PlacedShape& placed, double reach, SkeletonContacts& out);
void collidePlaneContinuous(ContactPair& pair, const PlacedShape& placed, double step, double reach,
                            SkeletonContacts& out);
double planeMargin(const ContactPair& pair, const btCollisionShape& shape);
bool planeStaysApart(const ContactPair& pair, const PlacedShape& placed, double step);
Requirement planeRequirement(const ContactPair& pair, const PlacedShape& placed, double step);

}  // namespace btPliantInternal
