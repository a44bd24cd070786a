// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/MeetingPairs.h"

#include <algorithm>
#include <cmath>

#include "pliant/collision/kernels/SegmentPairKernels.h"

namespace pliant {

namespace {

/// Metres that single precision may be off by in telling how far ends of segments stand off along a line: differences
/// of numbers no larger than the shift and both boxes, each rounded, times a direction, in three products. 4e-6 = 64 x
/// 2^-24 covers them with room.
double roundingOf(const BoxF& boxA, const BoxF& boxB, const Vector3& shift) {
    double scale = shift.cwiseAbs().maxCoeff();
    for (const BoxF* box : {&boxA, &boxB})
        for (int k = 0; k < 3; ++k)
            scale += static_cast<double>(std::max(std::fabs(box->lower[k]), std::fabs(box->negUpper[k])));
    return 4e-6 * scale;
}

void setShift(const Vector3& shift, float* three) {
    for (int k = 0; k < 3; ++k) three[k] = static_cast<float>(shift[k]);
}

SegmentEnds endsOf(const DeformedBody& body, bool moves) {
    return {body.model().skeleton().segments.data(), body.rotatedSpheres(), moves ? body.predictedSpheres() : nullptr};
}

void keep(const SegmentEnds& a, const SegmentEnds& b, const SegmentReach& reach, SegmentPairs& pairs) {
    pairs.resize(static_cast<std::size_t>(keepMeeting(a, b, reach, pairs.data(), static_cast<int>(pairs.size()))));
}

}  // namespace

SegmentPairs& pairsOfThread() {
    static thread_local SegmentPairs pairs;
    return pairs;
}

void keepNear(const DeformedBody& a, const DeformedBody& b, double margin, SegmentPairs& pairs) {
    const Vector3 shift = b.worldFromBody().translation - a.worldFromBody().translation;
    SegmentReach reach;
    setShift(shift, reach.shift);
    reach.reach = static_cast<float>(margin + roundingOf(a.outerBox(), b.outerBox(), shift));
    keep(endsOf(a, false), endsOf(b, false), reach, pairs);
}

void keepMeetingOnTheWay(const DeformedBody& a, const DeformedBody& b, double margin, SegmentPairs& pairs) {
    const Vector3 shift = b.worldFromBody().translation - a.worldFromBody().translation,
                  then = b.predictedOrigin() - a.predictedOrigin();
    SegmentReach reach;
    setShift(shift, reach.shift);
    setShift(then, reach.movedShift);
    reach.reach = static_cast<float>(margin + std::max(roundingOf(a.outerBox(), b.outerBox(), shift),
                                                       roundingOf(a.predictedBox(0), b.predictedBox(0), then)));
    keep(endsOf(a, true), endsOf(b, true), reach, pairs);
}

}  // namespace pliant
