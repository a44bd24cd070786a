// SPDX-License-Identifier: Zlib
// Internal: contacts of two reduced bodies, and of a body with itself.
#pragma once

#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

bool isReducedBody(const btCollisionObjectWrapper& other);
void collideBody(ContactPair& pair, const PlacedShape& placed, double reach, SkeletonContacts& out);
void collideBodyContinuous(ContactPair& pair, const PlacedShape& placed, double step, double reach,
                           SkeletonContacts& out);
double bodyMargin(const ContactPair& pair, const btCollisionShape& shape);
bool bodyStaysApart(const ContactPair& pair, const PlacedShape& placed, double step);
Requirement bodyRequirement(const ContactPair& pair, const PlacedShape& placed, double step);

}  // namespace btPliantInternal
