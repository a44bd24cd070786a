// SPDX-License-Identifier: Zlib
// How far a curve goes between its keys, exactly: pieces of Hermite's are cubic, and a cubic turns where its derivative
// has a root.
#pragma once

#include <limits>

#include "pliant/rig/Clip.h"

namespace pliant {

/// The least and the largest value of a curve, and when it has them.
struct TrackRange {
    double least = std::numeric_limits<double>::infinity();  ///< In the unit of the curve.
    double most = -std::numeric_limits<double>::infinity();  ///< In the unit of the curve.
    double leastTime = 0.0;                                  ///< Time of the first key, s.
    double mostTime = 0.0;                                   ///< Time of the last key, s.

    /// Takes one more value in.
    void add(double value, double time) {
        if (value < least) least = value, leastTime = time;
        if (value > most) most = value, mostTime = time;
    }
};

/// The range of one component over from <= t < to (from <= t <= to of curves without steps); what evaluate() tells
/// before the first key and after the last one counts. Takes as long as there are keys in between.
/// @param track has keys  @param from, to s
TrackRange rangeOf(const Track& track, Eigen::Index component, double from, double to);

/// The range of one component over all times.
TrackRange rangeOf(const Track& track, Eigen::Index component);

}  // namespace pliant
