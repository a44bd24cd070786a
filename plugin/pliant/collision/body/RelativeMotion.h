// SPDX-License-Identifier: Zlib
// How far two bodies have come relative to each other. What they go together, as in free fall, does not count, and of
// the way of their frames only what is left of it at the end: segments that were farther apart than this are not in
// touch, wherever they have been in between.
#pragma once

#include "pliant/collision/body/DeformedBody.h"

namespace pliant {

/// Where two bodies are, as far as it tells how far their spheres come towards each other.
struct RelativePlacement {
    Vector3 apart = Vector3::Zero();   ///< Way from A's origin to B's, world, m.
    double relativeMotionBound = 0.0;  ///< Sum of DeformedBody::relativeMotionBound() of both, m.

    static RelativePlacement of(const DeformedBody& a, const DeformedBody& b) {
        return {b.worldFromBody().translation - a.worldFromBody().translation,
                a.relativeMotionBound() + b.relativeMotionBound()};
    }
};

/// Metres that what comes from nowhere (or is there: not a number) is taken to have come. More would leave sums of ways
/// without room for small ones.
constexpr double kLargestMotion = 1e6;

inline double clampMotion(double way) {
    return way < kLargestMotion ? way : kLargestMotion;
}

/// Metres that any sphere of one body has come relative to any of the other, at most.
inline double motionBetween(const RelativePlacement& then, const RelativePlacement& now) {
    return clampMotion((now.apart - then.apart).norm() + (now.relativeMotionBound - then.relativeMotionBound));
}

}  // namespace pliant
