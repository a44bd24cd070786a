// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/MovingBoxes.h"

#include <algorithm>

namespace pliant {

void listMeetingOnTheWay(const DeformedBody& a, const DeformedBody& b, double margin, SegmentPairs& found) {
    const Vector3 shift = b.worldFromBody().translation - a.worldFromBody().translation,
                  predictedShift = b.predictedOrigin() - a.predictedOrigin();
    const MovingBoxTest test(
        BoxTest(shift, cullingMargin(a.outerBox(), b.outerBox(), shift, margin)),
        BoxTest(predictedShift, cullingMargin(a.predictedBox(0), b.predictedBox(0), predictedShift, margin)));
    found.clear();
    descendTogether(MovingBoxes(a), MovingBoxes(b), test,
                    [&found](int segmentA, int segmentB) { found.emplace_back(segmentA, segmentB); });
    keepMeetingOnTheWay(a, b, margin, found);
    std::sort(found.begin(), found.end());
}

}  // namespace pliant
