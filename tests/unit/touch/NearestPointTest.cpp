// SPDX-License-Identifier: Zlib
// The nearest of points in clusters against looking at every one, in registers of any width.
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "pliant/math/Types.h"
#include "pliant/touch/NearestPointKernels.h"

namespace pliant::test {
namespace {

/// Clusters of points about places on a sphere, whose last group is filled up.
struct Clusters {
    std::vector<float> middles, points;
    int count;

    Clusters(int number, unsigned seed) : count(number) {
        std::mt19937 random(seed);
        std::normal_distribution<float> normal;
        const std::size_t groups = static_cast<std::size_t>((count + 15) / 16);
        middles.assign(64 * groups, 1e15f);
        points.resize(48 * static_cast<std::size_t>(count));
        for (int c = 0; c < count; ++c) {
            const Vector3 centre = Vector3(static_cast<double>(normal(random)), static_cast<double>(normal(random)),
                                           static_cast<double>(normal(random)))
                                       .normalized();
            double radius = 0.0;
            for (int i = 0; i < 16; ++i)
                for (int k = 0; k < 3; ++k) at(c, i, k) = static_cast<float>(centre[k]) + 0.1f * normal(random);
            for (int i = 0; i < 16; ++i) radius = std::max(radius, (point(c, i) - point(c, 0)).norm());
            float* middle = middles.data() + 64 * (c / 16) + c % 16;
            for (int k = 0; k < 3; ++k) middle[16 * k] = at(c, 0, k);
            middle[48] = 1.00001f * static_cast<float>(radius);
        }
    }
    float& at(int cluster, int i, int k) {
        return points[48 * static_cast<std::size_t>(cluster) + static_cast<std::size_t>(16 * k + i)];
    }
    Vector3 point(int cluster, int i) {
        return {static_cast<double>(at(cluster, i, 0)), static_cast<double>(at(cluster, i, 1)),
                static_cast<double>(at(cluster, i, 2))};
    }
    ClusterView view() const { return {middles.data(), points.data(), count}; }
    double leastDistance(const Vector3& place) {
        double least = std::numeric_limits<double>::max();
        for (int c = 0; c < count; ++c)
            for (int i = 0; i < 16; ++i) least = std::min(least, (point(c, i) - place).norm());
        return least;
    }
};

TEST(NearestPoint, IsTheOneThatLookingAtAllOfThemFinds) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> part(-2.0, 2.0);
    for (const int count : {1, 5, 16, 17, 61}) {
        Clusters clusters(count, static_cast<unsigned>(count));
        for (int n = 0; n < 500; ++n) {
            const Vector3 place(part(random), part(random), part(random));
            const float at[3] = {static_cast<float>(place[0]), static_cast<float>(place[1]),
                                 static_cast<float>(place[2])};
            const ClusteredPoint found = nearestClusteredPoint(clusters.view(), at);
            ASSERT_LT(found.index, 16 * count);
            // Rounding of the place and of the squares, 8 x 2^-24 of 3.5 m.
            EXPECT_NEAR((clusters.point(found.index / 16, found.index % 16) - place).norm(),
                        clusters.leastDistance(place), 2e-6);
            EXPECT_NEAR(std::sqrt(static_cast<double>(found.squaredDistance)), clusters.leastDistance(place), 2e-6);
        }
    }
}

TEST(NearestPoint, IsTheSameInRegistersOfAnyWidth) {
    std::mt19937 random(8);
    std::uniform_real_distribution<float> part(-2.0f, 2.0f);
    int widths = 0;
    for (const int lanes : {8, 16}) {
        Clusters clusters(61, 3);
        ClusteredPoint wide;
        const float origin[3] = {0.0f, 0.0f, 0.0f};
        if (!nearestClusteredPointBy(lanes, clusters.view(), origin, wide)) continue;
        ++widths;
        for (int n = 0; n < 500; ++n) {
            const float place[3] = {part(random), part(random), part(random)};
            ClusteredPoint narrow;
            ASSERT_TRUE(nearestClusteredPointBy(4, clusters.view(), place, narrow));
            ASSERT_TRUE(nearestClusteredPointBy(lanes, clusters.view(), place, wide));
            EXPECT_EQ(wide.index, narrow.index);
            EXPECT_EQ(wide.squaredDistance, narrow.squaredDistance);
        }
    }
    if (widths == 0) GTEST_SKIP() << "the processor has registers of four numbers alone";
}

TEST(NearestPoint, OfSeveralAsNearIsTheFirst) {
    Clusters clusters(20, 5);
    for (int i = 0; i < 16; ++i)
        for (int k = 0; k < 3; ++k) clusters.at(18, i, k) = clusters.at(4, i, k);
    for (int k = 0; k < 4; ++k)
        clusters.middles[static_cast<std::size_t>(64 + 16 * k + 2)] =
            clusters.middles[static_cast<std::size_t>(16 * k + 4)];
    const float place[3] = {clusters.at(4, 3, 0), clusters.at(4, 3, 1), clusters.at(4, 3, 2)};
    EXPECT_EQ(nearestClusteredPoint(clusters.view(), place).index, 16 * 4 + 3);
}

TEST(NearestPoint, ComesToAnEndWhereThePlaceIsNoNumber) {
    Clusters clusters(20, 6);
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    for (const float bad : {nan, infinity, -infinity}) {
        const float place[3] = {bad, 0.0f, 0.0f};
        const ClusteredPoint found = nearestClusteredPoint(clusters.view(), place);
        EXPECT_GE(found.index, 0);
        EXPECT_LT(found.index, 320);
    }
}

}  // namespace
}  // namespace pliant::test
