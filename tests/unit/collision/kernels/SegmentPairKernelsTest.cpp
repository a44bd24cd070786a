// SPDX-License-Identifier: Zlib
// What the kernel leaves out is apart, what is near it keeps, and registers of any width give the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "pliant/collision/kernels/SegmentPairKernels.h"
#include "pliant/math/SegmentDistance.h"

namespace pliant {
namespace {

constexpr int kSegments = 24, kWayParts = 100;
constexpr float kReach = 0.01f;

struct Strands {
    std::vector<int> ends;
    std::vector<float> now, then;

    /// Of about 2 cm in a box of 8 cm, which come by up to `way` metres.
    Strands(std::mt19937& random, float way) {
        std::uniform_real_distribution<float> part(-1.0f, 1.0f);
        for (int i = 0; i < kSegments; ++i) {
            const float middle[3] = {0.04f * part(random), 0.04f * part(random), 0.04f * part(random)};
            for (int end = 0; end < 2; ++end) {
                ends.push_back(2 * i + end);
                for (const float centre : middle) {
                    now.push_back(centre + 0.01f * part(random));
                    then.push_back(now.back() + way * part(random));
                }
                now.push_back(0.004f + 0.001f * part(random));
                then.push_back(now.back());
            }
        }
    }
    SegmentEnds segments(bool moves) const { return {ends.data(), now.data(), moves ? then.data() : nullptr}; }

    TaperedSegment at(int segment, double t, const float* shift, const float* movedShift) const {
        Vector3 end[2];
        double radius[2];
        for (int e = 0; e < 2; ++e) {
            const auto first = static_cast<std::size_t>(4 * (2 * segment + e));
            for (std::size_t k = 0; k < 3; ++k) {
                const double start = static_cast<double>(now[first + k]) + static_cast<double>(shift[k]),
                             goal = static_cast<double>(then[first + k]) + static_cast<double>(movedShift[k]);
                end[e][static_cast<int>(k)] = start + t * (goal - start);
            }
            radius[e] = static_cast<double>(now[first + 3]);
        }
        return {end[0], end[1] - end[0], radius[0], radius[1] - radius[0]};
    }
};

struct Case {
    explicit Case(unsigned seed, bool moving) : random(seed), moves(moving), a(random, 0.05f), b(random, 0.05f) {
        const float shift[3] = {0.03f, -0.01f, 0.02f}, movedShift[3] = {-0.02f, 0.01f, 0.03f};
        std::copy_n(shift, 3, reach.shift);
        std::copy_n(movedShift, 3, reach.movedShift);
        reach.reach = kReach;
        for (int i = 0; i < kSegments; ++i)
            for (int j = 0; j < kSegments; ++j) pairs.emplace_back(i, j);
        pairs.pop_back();  // no whole number of registers
    }
    /// Of the solids at any of the moments.
    double leastDistance(const std::pair<int, int>& pair) const {
        const float none[3] = {};
        double least = 1e30;
        for (int i = 0; i <= (moves ? kWayParts : 0); ++i) {
            const TaperedSegment x = a.at(pair.first, i / double(kWayParts), none, none),
                                 y = b.at(pair.second, i / double(kWayParts), reach.shift, reach.movedShift);
            least = std::min(least, capsuleDistance(x, y, closestParameters(x, y)));
        }
        return least;
    }
    std::vector<std::pair<int, int>> keptBy(int lanes) const {
        std::vector<std::pair<int, int>> kept = pairs;
        const int left = keepMeetingBy(lanes, a.segments(moves), b.segments(moves), reach, kept.data(),
                                       static_cast<int>(kept.size()));
        kept.resize(static_cast<std::size_t>(std::max(0, left)));
        return kept;
    }

    std::mt19937 random;
    bool moves;
    Strands a, b;
    SegmentReach reach;
    std::vector<std::pair<int, int>> pairs;
};

TEST(SegmentPairKernels, LeaveOutOnlyWhatStaysApart) {
    for (unsigned seed = 1; seed <= 8; ++seed) {
        const Case given(seed, seed % 2 == 0);
        const auto kept = given.keptBy(4);
        EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
        int near = 0;
        for (const auto& pair : given.pairs) {
            const bool isKept = std::binary_search(kept.begin(), kept.end(), pair);
            const double least = given.leastDistance(pair);
            near += least <= static_cast<double>(kReach);
            // Single precision is off by less than a micrometre here; the caller adds that to the reach.
            if (isKept) continue;
            EXPECT_GT(least, static_cast<double>(kReach) - 1e-6) << pair.first << ", " << pair.second;
        }
        EXPECT_GT(near, 10);
        // Of what stays apart a third is kept at most, and where nothing moves next to nothing.
        const auto left = static_cast<int>(kept.size()), apart = static_cast<int>(given.pairs.size()) - near;
        EXPECT_LE(left - near, given.moves ? apart / 3 : apart / 50);
    }
}

TEST(SegmentPairKernels, KeepTheSameInRegistersOfAnyWidth) {
    for (unsigned seed = 1; seed <= 4; ++seed) {
        Case given(seed, seed % 2 == 0);
        const auto narrow = given.keptBy(4);
        for (const int lanes : {8, 16}) {
            const auto wide = given.keptBy(lanes);
            if (wide.empty()) continue;  // the processor has no such registers
            EXPECT_EQ(wide, narrow);
        }
        const int left = keepMeeting(given.a.segments(given.moves), given.b.segments(given.moves), given.reach,
                                     given.pairs.data(), static_cast<int>(given.pairs.size()));
        ASSERT_EQ(static_cast<std::size_t>(left), narrow.size());
        EXPECT_TRUE(std::equal(narrow.begin(), narrow.end(), given.pairs.begin()));
    }
}

TEST(SegmentPairKernels, KnowNoOtherWidth) {
    const Case given(1, false);
    std::vector<std::pair<int, int>> pairs = given.pairs;
    EXPECT_LT(keepMeetingBy(5, given.a.segments(false), given.b.segments(false), given.reach, pairs.data(), 1), 0);
}

TEST(SegmentPairKernels, KeepWhatHasNoPlaneBetween) {
    Strands strands = Case(1, false).a;
    std::copy_n(strands.now.begin(), 8, strands.now.begin() + 8);  // the second lies on the first
    for (std::size_t k = 16; k < 24; ++k) strands.now[k] = std::numeric_limits<float>::quiet_NaN();
    std::vector<std::pair<int, int>> pairs = {{0, 1}, {0, 2}};
    EXPECT_EQ(keepMeeting(strands.segments(false), strands.segments(false), SegmentReach(), pairs.data(), 2), 2);
}

}  // namespace
}  // namespace pliant
