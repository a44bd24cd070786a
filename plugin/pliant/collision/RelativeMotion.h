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

/// What is not a number is taken to have come this far, metres.
constexpr double kFarthestApart = 1e6;

/// Metres that any ball of one body has come relative to any of the other, at most.
inline double motionBetween(const RelativePlace& then, const RelativePlace& now) {
    const double motion = (now.apart - then.apart).norm() + (now.swung - then.swung);
    return motion < kFarthestApart ? motion : kFarthestApart;
}

}  // namespace pliant
