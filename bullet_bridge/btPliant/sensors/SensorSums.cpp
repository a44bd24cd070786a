// SPDX-License-Identifier: Zlib
#include "btPliant/sensors/SensorSums.h"

#include <algorithm>
#include <functional>

namespace btPliantInternal {

SensorHits hitsOf(const std::vector<SensorSide>& sides, const btCollisionObject* object) {
    const auto before = [](const SensorSide& side, const btCollisionObject* other) {
        return std::less<const btCollisionObject*>()(side.object, other);
    };
    const auto first = std::lower_bound(sides.begin(), sides.end(), object, before);
    auto last = first;
    while (last != sides.end() && last->object == object) ++last;
    return {first, last};
}

}  // namespace btPliantInternal
