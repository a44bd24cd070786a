// SPDX-License-Identifier: Zlib
// Internal: contacts of two reduced bodies, and of a body with itself.
#pragma once

#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

bool isBody(const btCollisionObjectWrapper& other);
void bodyDiscrete(ContactPair& pair, const PlacedShape& placed, double reach, SkeletonContacts& out);
void bodyContinuous(ContactPair& pair, const PlacedShape& placed, double step, double reach, SkeletonContacts& out);
double bodyMargin(const ContactPair& pair, const btCollisionShape& shape);
bool bodyBounds(const ContactPair& pair, const PlacedShape& placed, double step);
Requirement bodyNeeds(const ContactPair& pair, const PlacedShape& placed, double step);

}  // namespace btPliantInternal
