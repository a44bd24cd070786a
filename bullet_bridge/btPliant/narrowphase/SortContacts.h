// SPDX-License-Identifier: Zlib
// Internal: contacts in an order that does not depend on how they were found.
#pragma once

#include <algorithm>

#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

inline void sortByFeature(SkeletonContacts& contacts) {
    std::sort(contacts.begin(), contacts.end(),
              [](const pliant::SkeletonContact& x, const pliant::SkeletonContact& y) { return x.feature < y.feature; });
}

}  // namespace btPliantInternal
