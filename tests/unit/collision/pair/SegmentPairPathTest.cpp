// SPDX-License-Identifier: Zlib
// When two segments first meet on straight ways, against looking at many moments.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "pliant/collision/pair/SegmentPairPath.h"

namespace pliant {
namespace {

constexpr int kPassageParts = 2000;
constexpr double kPassageMargin = 0.002;

struct Passage {
    explicit Passage(std::mt19937& random) {
        std::uniform_real_distribution<double> part(-1.0, 1.0);
        const auto vector = [&](double size) {
            return Vector3(size * Vector3(part(random), part(random), part(random)));
        };
        for (TaperedSegment* segment : {&a, &b}) {
            segment->start = vector(0.05);
            segment->extent = vector(0.04);
            segment->radius = 0.005 + 0.003 * part(random);
            segment->taper = 0.002 * part(random);
        }
        for (EndMotions* motion : {&motionA, &motionB}) {
            motion->start = vector(0.08);
            motion->end = motion->start + vector(0.03);
        }
    }
    double distance(double t) const {
        const TaperedSegment x = at(a, motionA, t), y = at(b, motionB, t);
        return capsuleDistance(x, y, closestParameters(x, y));
    }
    static TaperedSegment at(TaperedSegment segment, const EndMotions& motion, double t) {
        segment.start += t * motion.start;
        segment.extent += t * (motion.end - motion.start);
        return segment;
    }
    /// First of many moments at which they are within the margin; above 1: none.
    double firstMoment() const {
        for (int i = 0; i <= kPassageParts; ++i)
            if (distance(i / double(kPassageParts)) <= kPassageMargin) return i / double(kPassageParts);
        return 2.0;
    }

    TaperedSegment a, b;
    EndMotions motionA, motionB;
};

TEST(SegmentPairPath, FindsTheFirstMoment) {
    std::mt19937 random(3);
    int met = 0, passed = 0;
    for (int i = 0; i < 1500; ++i) {
        const Passage passage(random);
        SegmentParameters at;
        double time = 0.0;
        const bool found = SegmentPairPath(passage.a, passage.motionA, passage.b, passage.motionB)
                               .firstWithin(kPassageMargin, at, time);
        const double first = passage.firstMoment();
        if (first <= 1.0) {
            ASSERT_TRUE(found) << i;
            EXPECT_LE(time, first + 1e-9) << i;  // from below
            ++met;
        }
        if (!found) {
            EXPECT_GT(first, 1.0) << i;
            ++passed;
            continue;
        }
        // What is taken to touch has come within a hundredth of the radii, and there the nearest points are given.
        const double reach = kPassageMargin + 0.0101 * (passage.a.largestRadius() + passage.b.largestRadius());
        EXPECT_LE(passage.distance(time), reach) << i;
        const TaperedSegment x = Passage::at(passage.a, passage.motionA, time),
                             y = Passage::at(passage.b, passage.motionB, time);
        EXPECT_NEAR(capsuleDistance(x, y, at), passage.distance(time), 1e-12) << i;
    }
    EXPECT_GT(met, 150);
    EXPECT_GT(passed, 300);
}

TEST(SegmentPairPath, KnowsAtOnceWhatGoesAway) {
    TaperedSegment a, b;
    a.extent = Vector3(0.1, 0.0, 0.0);
    b.start = Vector3(0.05, -0.05, -0.03);
    b.extent = Vector3(0.0, 0.1, 0.0);
    a.radius = b.radius = 0.01;
    const EndMotions still{Vector3::Zero(), Vector3::Zero()}, away{Vector3(0, 0, -9), Vector3(0, 0, -9)},
        along{Vector3(9, 0, 0), Vector3(9, 0, 0)};
    SegmentParameters at;
    double time = 0.0;
    EXPECT_FALSE(SegmentPairPath(a, still, b, away).firstWithin(0.0, at, time));
    EXPECT_EQ(time, 0.0);
    EXPECT_FALSE(SegmentPairPath(a, still, b, along).firstWithin(0.0, at, time));
    EXPECT_EQ(time, 0.0);
}

TEST(SegmentPairPath, MeetsWhatStandsInTheWay) {
    TaperedSegment a, b;
    a.extent = Vector3(0.1, 0.0, 0.0);
    b.start = Vector3(0.05, -0.05, 1.0);
    b.extent = Vector3(0.0, 0.1, 0.0);
    a.radius = b.radius = 0.01;
    const EndMotions still{Vector3::Zero(), Vector3::Zero()}, down{Vector3(0, 0, -4), Vector3(0, 0, -4)};
    SegmentParameters at;
    double time = 0.0;
    ASSERT_TRUE(SegmentPairPath(a, still, b, down).firstWithin(0.0, at, time));
    EXPECT_NEAR(time, 0.98 / 4.0, 1e-4);
    EXPECT_NEAR(at.s, 0.5, 1e-12);
}

}  // namespace
}  // namespace pliant
