// SPDX-License-Identifier: Zlib
// What may touch a triangle, against the distance itself.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "btPliant/narrowphase/SegmentTriangle.h"
#include "btPliant/narrowphase/TriangleReach.h"

namespace {

using btPliantInternal::TriangleReach;
using pliant::CapsuleSegment;
using pliant::Vector3;

constexpr double kReach = 0.05, kSunk = 0.02;  // m

/// Distance of a capsule from a triangle, m; both ends have one radius.
double distanceOf(const CapsuleSegment& segment, const Vector3 corners[3], const Vector3& inside) {
    btPliantInternal::SegmentTriangleContact found;
    btPliantInternal::nearestSegmentTriangle(segment.end, corners, nullptr, inside, found);
    return (found.axisPoint - found.onTriangle).norm() - segment.radius[0];
}

// Nothing that is within reach is missed, and of what lies in the box around a triangle, but not near it, most is told.
TEST(TriangleReach, MissesNothingAndTellsWhatIsFar) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    const auto point = [&](double size) {
        return Vector3(size * number(random), size * number(random), size * number(random));
    };
    int near = 0, far = 0, told = 0;
    for (int i = 0; i < 20000; ++i) {
        const Vector3 corners[3] = {point(0.3), point(0.3), point(0.3)}, inside = point(1.0), middle = point(0.3);
        CapsuleSegment segment;
        segment.end[0] = middle;
        segment.end[1] = middle + point(0.05);
        segment.radius[0] = segment.radius[1] = 0.01 * std::abs(number(random));
        const TriangleReach reach(corners, kReach, kSunk);
        const Vector3 centre = 0.5 * (segment.end[0] + segment.end[1]);
        const double ball = 0.5 * (segment.end[1] - segment.end[0]).norm() + segment.radius[0];
        if (distanceOf(segment, corners, inside) <= kReach) {
            ++near;
            EXPECT_TRUE(reach.mayTouch(segment)) << i;
            EXPECT_TRUE(reach.mayTouch(centre, ball)) << i;
        } else {
            ++far;
            told += reach.mayTouch(segment) ? 0 : 1;
        }
    }
    EXPECT_GT(near, 1000);
    EXPECT_GT(told, 0.8 * far);
}

// What has come through the face is still near, whichever side that is; what is farther is not.
TEST(TriangleReach, HoldsWhatHasSunk) {
    const Vector3 corners[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const TriangleReach reach(corners, kReach, kSunk);
    for (const double side : {1.0, -1.0}) {
        EXPECT_TRUE(reach.mayTouch(Vector3(0.3, 0.3, side * (kReach + 0.9 * kSunk)), 0.0));
        EXPECT_FALSE(reach.mayTouch(Vector3(0.3, 0.3, side * (kReach + 1.1 * kSunk)), 0.0));
    }
}

// The normal of three corners that are nearly on a line is rounding, and cuts nothing off that is near one of them.
TEST(TriangleReach, OfALineKeepsBothEnds) {
    const Vector3 corners[3] = {{0, 0, 0}, {1, 1, 1}, {0.5, 0.5 + 1e-15, 0.5}};
    const TriangleReach reach(corners, kReach, 0.0);
    for (const Vector3& corner : corners) EXPECT_TRUE(reach.mayTouch(corner, 0.0));
}

// A triangle without an area has no planes.
TEST(TriangleReach, KnowsNothingOfOneWithoutAnArea) {
    const Vector3 corners[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    EXPECT_TRUE(TriangleReach(corners, kReach, kSunk).mayTouch(Vector3(9, 9, 9), 0.1));
}

}  // namespace
