// SPDX-License-Identifier: Zlib
#pragma once

#include <algorithm>

#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

inline void sortByFeature(SkeletonContacts& contacts) {
    std::sort(contacts.begin(), contacts.end(),
              [](const pliant::SkeletonContact& x, const pliant::SkeletonContact& y) { return x.feature < y.feature; });
}

}  // namespace btPliantInternal
