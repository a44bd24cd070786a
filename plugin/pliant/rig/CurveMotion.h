// SPDX-License-Identifier: Zlib
// Internal: curves of clips with their first and second derivatives, two components side by side. Private to rig/.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "pliant/math/Lanes.h"
#include "pliant/rig/Clip.h"

namespace pliant {

/// Up to four components of a track, two by two.
struct CurveNumbers {
    TwoDoubles low{}, high{};

    double operator[](int i) const { return i < 2 ? low[i] : high[i - 2]; }
};

/// A value with its first and second derivative.
struct CurveMotion {
    CurveNumbers value, first, second;
};

/// Where the last track was read. Tracks of one file have the same keys, most often, and one search is enough for all.
struct KeySearch {
    std::size_t after = 0;  ///< The first key behind the time, or their number.

    /// As std::upper_bound(), which finds the only place of this kind.
    void find(const std::vector<double>& times, double time) {
        const bool holds = after <= times.size() && (after == 0 || times[after - 1] <= time) &&
                           (after == times.size() || time < times[after]);
        if (!holds)
            after = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
    }
};

/// Two numbers of a column, or its last one and zero.
template <int components, int from>
TwoDoubles twoOf(const double* column) {
    TwoDoubles two{};
    if constexpr (from + 1 < components) loadLanes(two, column + from);
    if constexpr (from + 1 == components) two[0] = column[from];
    return two;
}

/// The four numbers that a cubic piece is made of, and what each counts.
struct CurvePiece {
    const double *start, *end, *departure, *arrival;
    double length;
    double value[4], first[3], second[3];

    CurvePiece(const Track& track, Eigen::Index before, double time)
        : start(track.values.col(before).data()),
          end(track.values.col(before + 1).data()),
          departure(track.departures.col(before).data()),
          arrival(track.arrivals.col(before + 1).data()) {
        const double from = track.times[static_cast<std::size_t>(before)];
        length = track.times[static_cast<std::size_t>(before) + 1] - from;
        const double s = (time - from) / length, ss = s * s, sss = ss * s;
        value[0] = 2 * sss - 3 * ss + 1, value[1] = length * (sss - 2 * ss + s);
        value[2] = 3 * ss - 2 * sss, value[3] = length * (sss - ss);
        first[0] = 6 * s * (1 - s), first[1] = 3 * ss - 4 * s + 1, first[2] = 3 * ss - 2 * s;
        second[0] = 6 - 12 * s, second[1] = 6 * s - 4, second[2] = 6 * s - 2;
    }
    template <int components, int from>
    void evaluate(TwoDoubles& at, TwoDoubles& rate, TwoDoubles& bend) const {
        const TwoDoubles a = twoOf<components, from>(start), b = twoOf<components, from>(end),
                         m0 = twoOf<components, from>(departure), m1 = twoOf<components, from>(arrival);
        const TwoDoubles chord = (b - a) / length;
        at = value[0] * a + value[1] * m0 + value[2] * b + value[3] * m1;
        rate = first[0] * chord + first[1] * m0 + first[2] * m1;
        bend = (second[0] * chord + second[1] * m0 + second[2] * m1) / length;
    }
};

/// As evaluate() of Clip.h, with derivatives.
template <int components>
CurveMotion motionOfCurve(const Track& track, double time, KeySearch& search) {
    CurveMotion motion;
    search.find(track.times, time);
    const auto after = static_cast<Eigen::Index>(search.after);
    const Eigen::Index before = std::max<Eigen::Index>(0, after - 1);
    if (after == 0 || after == track.values.cols() || track.steps) {
        const double* value = track.values.col(before).data();
        motion.value = {twoOf<components, 0>(value), twoOf<components, 2>(value)};
        return motion;
    }
    const CurvePiece piece(track, before, time);
    piece.evaluate<components, 0>(motion.value.low, motion.first.low, motion.second.low);
    if constexpr (components > 2)
        piece.evaluate<components, 2>(motion.value.high, motion.first.high, motion.second.high);
    return motion;
}

}  // namespace pliant
