// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "pliant/math/SegmentDistance.h"

namespace pliant {
namespace {

double uniform(std::mt19937& random, double low, double high) {
    return low + (high - low) * (static_cast<double>(random()) / 4294967296.0);
}

TaperedSegment randomSegment(std::mt19937& random, double taper) {
    TaperedSegment s;
    for (int k = 0; k < 3; ++k) {
        s.start[k] = uniform(random, -1.0, 1.0);
        s.extent[k] = uniform(random, -1.0, 1.0);
    }
    s.radius = uniform(random, 0.1, 0.2);
    s.taper = taper * uniform(random, -0.1, 0.1);
    return s;
}

/// Minimum over a grid, refined twice around its best point: the function is convex.
double searchedDistance(const TaperedSegment& a, const TaperedSegment& b) {
    double least = 1e300;
    SegmentParameters best{0.5, 0.5};
    for (double width = 0.5; width > 1e-6; width *= 0.2) {
        const SegmentParameters centre = best;
        for (int i = -10; i <= 10; ++i)
            for (int j = -10; j <= 10; ++j) {
                const SegmentParameters at{std::min(1.0, std::max(0.0, centre.s + 0.1 * i * width)),
                                           std::min(1.0, std::max(0.0, centre.t + 0.1 * j * width))};
                const double distance = capsuleDistance(a, b, at);
                if (distance < least) {
                    least = distance;
                    best = at;
                }
            }
    }
    return least;
}

TEST(SegmentDistance, EqualsASearchForConstantRadii) {
    std::mt19937 random(5);
    for (int i = 0; i < 400; ++i) {
        const TaperedSegment a = randomSegment(random, 0.0), b = randomSegment(random, 0.0);
        EXPECT_NEAR(capsuleDistance(a, b, closestParameters(a, b)), searchedDistance(a, b), 1e-5);
    }
}

TEST(SegmentDistance, EqualsASearchForTaperedRadii) {
    std::mt19937 random(6);
    for (int i = 0; i < 400; ++i) {
        const TaperedSegment a = randomSegment(random, 1.0), b = randomSegment(random, 1.0);
        EXPECT_NEAR(capsuleDistance(a, b, closestParameters(a, b)), searchedDistance(a, b), 1e-5);
    }
}

TEST(SegmentDistance, HandlesParallelAndLoneSpheres) {
    TaperedSegment a, b;
    a.extent = Vector3(1.0, 0.0, 0.0);
    b.start = Vector3(0.25, 0.5, 0.0);
    b.extent = Vector3(-1.0, 0.0, 0.0);
    a.radius = b.radius = 0.1;
    EXPECT_NEAR(capsuleDistance(a, b, closestParameters(a, b)), 0.3, 1e-15);
    double s0 = 0.0, s1 = 0.0;
    ASSERT_TRUE(sideBySide(a, b, s0, s1));
    EXPECT_NEAR(s0, 0.0, 1e-15);
    EXPECT_NEAR(s1, 0.25, 1e-15);
    b.extent.setZero();
    const SegmentParameters at = closestParameters(a, b);
    EXPECT_NEAR(at.s, 0.25, 1e-15);
    EXPECT_FALSE(sideBySide(a, b, s0, s1));
    a.extent.setZero();
    EXPECT_NEAR(capsuleDistance(a, b, closestParameters(a, b)), std::sqrt(0.25 + 0.0625) - 0.2, 1e-15);
}

TEST(SegmentDistance, FindsTheThickEndOfATaperedSegment) {
    // Parallel axes: the closest sphere is that at the thick end, not any point of the common stretch.
    TaperedSegment a, b;
    a.extent = b.extent = Vector3(1.0, 0.0, 0.0);
    b.start = Vector3(0.0, 1.0, 0.0);
    a.radius = 0.1;
    a.taper = 0.4;
    b.radius = 0.1;
    const SegmentParameters at = closestParameters(a, b);
    EXPECT_NEAR(at.s, 1.0, 1e-9);
    EXPECT_NEAR(capsuleDistance(a, b, at), 0.4, 1e-9);
}

}  // namespace
}  // namespace pliant
