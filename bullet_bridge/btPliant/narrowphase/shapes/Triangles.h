// SPDX-License-Identifier: Zlib
// Internal: contacts with the triangles of meshes, scaled meshes and height fields.
#pragma once

#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

/// Whether a shape is concave, lists its triangles and is no reduced body.
bool hasTriangles(const btCollisionObjectWrapper& other);
void triangleDiscrete(ContactPair& pair, const PlacedShape& placed, double reach, SkeletonContacts& out);
void triangleContinuous(ContactPair& pair, const PlacedShape& placed, double step, double reach, SkeletonContacts& out);

}  // namespace btPliantInternal
