// SPDX-License-Identifier: Zlib
// Internal: the table of the shapes that reduced bodies touch.
#pragma once

#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

/// The row of a shape; null: reduced bodies do not touch it.
const ShapeCollider* colliderOf(const btCollisionObjectWrapper& other);

}  // namespace btPliantInternal
