// SPDX-License-Identifier: Zlib
// How far a bone carries what follows it. Internal to collision/body.
#pragma once

#include <cmath>

#include "pliant/math/Lanes.h"
#include "pliant/math/Types.h"

namespace pliant {

/// Two numbers of `after` less those of `before`.
inline TwoDoubles changeOfTwo(const double* after, const double* before) {
    TwoDoubles end, start;
    loadLanes(end, after);
    loadLanes(start, before);
    return end - start;
}

inline double lengthOfThree(const double* v) {
    return std::sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);
}

/// How a map of a bone changes: the ways of a point by it, whole and with a shift taken off, m, and the Frobenius norm
/// of the change of L. Two numbers side by side, in sums of the order, and so the bits, of Eigen's, which takes
/// them one by one and three times as long.
struct BoneWay {
    double whole, relative, turn;

    BoneWay(const double* before, const double* after, const Vector3& point, const Vector3& shift) {
        const TwoDoubles x = changeOfTwo(after, before), y = changeOfTwo(after + 3, before + 3),
                         z = changeOfTwo(after + 6, before + 6), t = changeOfTwo(after + 9, before + 9);
        const double x2 = after[2] - before[2], y2 = after[5] - before[5], z2 = after[8] - before[8];
        const TwoDoubles way = ((x * point[0] + y * point[1]) + z * point[2]) + t;
        const double way2 = (x2 * point[0] + (y2 * point[1] + z2 * point[2])) + (after[11] - before[11]);
        const TwoDoubles rest = way - TwoDoubles{shift[0], shift[1]};
        const double rest2 = way2 - shift[2];
        const TwoDoubles w = way * way, r = rest * rest;
        const TwoDoubles squares =
            (TwoDoubles{w[0], r[0]} + TwoDoubles{w[1], r[1]}) + TwoDoubles{way2 * way2, rest2 * rest2};
        const TwoDoubles turns =
            (x * x + TwoDoubles{x2 * x2, y[0] * y[0]}) + (TwoDoubles{y[1] * y[1], y2 * y2} + z * z);
        whole = std::sqrt(squares[0]);
        relative = std::sqrt(squares[1]);
        turn = std::sqrt(turns[0] + turns[1] + z2 * z2);
    }
};

}  // namespace pliant
