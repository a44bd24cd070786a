// SPDX-License-Identifier: Zlib
// How far two bodies have come relative to each other. What they go together, as in free fall, does not count, and of
// the way of their frames only what is left of it at the end: strands that were farther apart than this are not in
// touch, wherever they have been in between.
#pragma once

#include "pliant/collision/DeformedBody.h"

namespace pliant {

/// Where two bodies are, as far as it tells how far their balls come towards each other.
struct RelativePlace {
    Vector3 apart = Vector3::Zero();  ///< from A's origin to B's, world, metres
    double swung = 0.0;               ///< of both, DeformedBody::swung(), metres

    static RelativePlace of(const DeformedBody& a, const DeformedBody& b) {
        return {b.worldFromBody().translation - a.worldFromBody().translation, a.swung() + b.swung()};
    }
};

/// Metres that what comes from nowhere (or is there: not a number) is taken to have come. More would leave sums of ways
/// without room for small ones.
constexpr double kFar = 1e6;

inline double atMostFar(double way) {
    return way < kFar ? way : kFar;
}

/// Metres that any ball of one body has come relative to any of the other, at most.
inline double motionBetween(const RelativePlace& then, const RelativePlace& now) {
    return atMostFar((now.apart - then.apart).norm() + (now.swung - then.swung));
}

}  // namespace pliant
