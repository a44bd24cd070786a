// SPDX-License-Identifier: Zlib
#include "btPliant/data/BodyData.h"

#include <algorithm>

namespace btPliantInternal {
namespace {

/// The longest side of the box around a body, m.
double sizeOf(const BodyData& body) {
    const pliant::BoxF& box = body.deformed->outerBox();
    float size = 0;
    for (int k = 0; k < 3; ++k) size = std::max(size, -box.negUpper[k] - box.lower[k]);
    return static_cast<double>(size);
}

}  // namespace

int softCoordinates(const BodyData& body, double speed) {
    constexpr double gravity = 9.81, share = 0.01, shareOfThickness = 0.25;
    const auto frequencies = body.batch().modalFrequencies().array();
    const double yielding = shareOfThickness * body.largestRadius;
    return static_cast<int>(
        (frequencies.square() * (share * sizeOf(body)) < gravity || frequencies * yielding < speed).count());
}

bool isLimpSheet(const BodyData& body) {
    constexpr double gravity = 9.81, thin = 0.02, share = 0.002;
    const double size = sizeOf(body);
    return body.group->surface != nullptr && !body.character && body.largestRadius < thin * size &&
           (body.batch().modalFrequencies().array().square() * (share * size) < gravity).any();
}

}  // namespace btPliantInternal
