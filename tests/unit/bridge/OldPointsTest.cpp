// SPDX-License-Identifier: Zlib
// Points of the last substep that are found by order, beside those that a look at each one finds.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "btPliant/narrowphase/OldPoints.h"

namespace {

using btPliantInternal::OldPoints;

/// The first of the old points that fits best and has not been taken up, by a look at each; -1: none.
/// @param distance of a candidate, negative where it does not fit
template <class Distance>
int bestOf(const std::vector<btManifoldPoint>& old, std::vector<bool>& taken, const Distance& distance) {
    int best = -1;
    double least = 0.0;
    for (std::size_t i = 0; i < old.size(); ++i) {
        if (taken[i]) continue;
        const double d = distance(old[i]);
        if (d < 0.0 || (best >= 0 && d >= least)) continue;
        best = static_cast<int>(i);
        least = d;
    }
    if (best >= 0) taken[static_cast<std::size_t>(best)] = true;
    return best;
}

double ofFeature(const btManifoldPoint& old, const btManifoldPoint& point) {
    if (old.m_index0 != point.m_index0 || old.m_index1 != point.m_index1) return -1.0;
    return std::abs(double(old.m_partId0) - double(point.m_partId0)) +
           std::abs(double(old.m_partId1) - double(point.m_partId1));
}

double ofPlace(const btManifoldPoint& old, const btManifoldPoint& point, double reach) {
    const auto squared = static_cast<double>(old.m_positionWorldOnA.distance2(point.m_positionWorldOnA));
    return old.m_normalWorldOnB.dot(point.m_normalWorldOnB) > btScalar(0.7) && squared <= reach * reach ? squared
                                                                                                        : -1.0;
}

/// Points of few features and few places, so that many are alike, some of them far away or nowhere.
class Points {
public:
    explicit Points(unsigned seed, double origin) : m_random(seed), m_origin(origin) {}
    btManifoldPoint draw(int number) {
        btManifoldPoint point;
        point.m_index0 = below(5) - 2;
        point.m_index1 = below(3) == 0 ? std::numeric_limits<int>::min() : below(5);
        point.m_partId0 = below(4) == 0 ? std::numeric_limits<int>::max() : below(50);
        point.m_partId1 = below(50) - 25;
        point.m_positionWorldOnA = btVector3(place(), place(), place());
        if (below(40) == 0) point.m_positionWorldOnA.setX(std::numeric_limits<btScalar>::quiet_NaN());
        if (below(40) == 0) point.m_positionWorldOnA.setX(-std::numeric_limits<btScalar>::infinity());
        point.m_normalWorldOnB = btVector3(0, below(4) == 0 ? -1 : 1, 0);
        point.m_lifeTime = number;  // by which it is known again
        return point;
    }

private:
    int below(unsigned count) { return static_cast<int>(m_random() % count); }
    btScalar place() { return static_cast<btScalar>(m_origin + 0.01 * below(12)); }

    std::mt19937 m_random;
    double m_origin;
};

TEST(OldPoints, FoundByOrderAreThoseThatALookAtEachFinds) {
    int features = 0, places = 0;
    OldPoints found;
    for (unsigned seed = 0; seed < 300; ++seed) {
        Points points(seed, seed % 3 == 0 ? 0.0 : seed % 3 == 1 ? -1e6 : 1e3);
        const double reach = seed % 4 == 0 ? 0.0 : 0.011 * (seed % 4);
        std::vector<btManifoldPoint> old;
        found.clear();
        for (int i = 0; i < 60; ++i) {
            old.push_back(points.draw(i));
            found.add(old.back());
        }
        std::vector<bool> taken(old.size());
        found.beginFeatures();
        std::vector<btManifoldPoint> without;
        for (int i = 0; i < 60; ++i) {
            const btManifoldPoint point = points.draw(1000 + i);
            const int known = bestOf(old, taken, [&](const btManifoldPoint& p) { return ofFeature(p, point); });
            const btManifoldPoint* match = found.matchFeature(point);
            ASSERT_EQ(match ? match->m_lifeTime : -1, known) << seed << ", " << i;
            match ? void(++features) : without.push_back(point);
        }
        found.endFeatures();
        for (const btManifoldPoint& point : without) {
            const int known = bestOf(old, taken, [&](const btManifoldPoint& p) { return ofPlace(p, point, reach); });
            const btManifoldPoint* match = found.matchNearest(point, reach);
            ASSERT_EQ(match ? match->m_lifeTime : -1, known) << seed << ", " << point.m_lifeTime;
            if (match) ++places;
        }
    }
    EXPECT_GT(features, 2000);
    EXPECT_GT(places, 200);
}

}  // namespace
