// SPDX-License-Identifier: Zlib
// Scales of bones between the keys of their clips.
#include <chrono>

#include "TwoBones.h"
#include "pliant/rig/TrackRange.h"

namespace pliant::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

MatrixX row(std::initializer_list<double> numbers) {
    MatrixX values(1, static_cast<Eigen::Index>(numbers.size()));
    std::copy(numbers.begin(), numbers.end(), values.data());
    return values;
}

/// A bone whose scale goes along a spline.
Clip scaled(int bone, Track track) {
    Clip clip;
    clip.name = "grow";
    clip.motions.resize(1);
    clip.motions[0].bone = bone;
    clip.motions[0].scale = std::move(track);
    return clip;
}

std::string told(const Clip& clip) {
    Rig rig = twoBonedRig();
    rig.clips = {clip};
    return errorOf([&] {
        checkClip(rig.skeleton, clip, "f");
        checkBoneScales(rig, "f");
    });
}

// From 1 with the slope m to 1 with the slope -m over a second: 1 + m s (1 - s), whose extreme is 1 + m / 4.
Track arch(double slope) {
    return splineTrack({2, 3}, row({1, 1}), row({0, -slope}), row({slope, 0}));
}

TEST(TrackRange, ExtremesOfASplineAreExact) {
    const TrackRange range = rangeOf(arch(3.0), 0);
    EXPECT_NEAR(range.most, 1.75, 1e-15);
    EXPECT_NEAR(range.mostTime, 2.5, 1e-15);
    EXPECT_EQ(range.least, 1.0);
    const TrackRange part = rangeOf(arch(3.0), 0, 2.0, 2.25);
    EXPECT_NEAR(part.most, 1.0 + 3.0 * 0.25 * 0.75, 1e-15);
    // s (s - 1) (s - 1/2) turns at 1/2 -+ sqrt(3)/6, where it is +-sqrt(3)/36.
    const TrackRange wave = rangeOf(splineTrack({0, 1}, row({0, 0}), row({0, 0.5}), row({0.5, 0})), 0);
    EXPECT_NEAR(wave.most, std::sqrt(3.0) / 36, 1e-15);
    EXPECT_NEAR(wave.least, -std::sqrt(3.0) / 36, 1e-15);
    EXPECT_NEAR(wave.leastTime, 0.5 + std::sqrt(3.0) / 6, 1e-14);
}

TEST(TrackRange, StepsAndTimesOutsideOfTheKeys) {
    const Track steps = stepTrack({0, 1, 2}, row({3, 5, 4}));
    EXPECT_EQ(rangeOf(steps, 0, 0.0, 1.0).most, 3.0) << "the jump is not in it";
    EXPECT_EQ(rangeOf(steps, 0, 0.5, 1.5).most, 5.0);
    EXPECT_EQ(rangeOf(steps, 0, 1.0, 1.5).least, 5.0);
    EXPECT_EQ(rangeOf(steps, 0, 7.0, 9.0).least, 4.0);
    EXPECT_EQ(rangeOf(arch(3.0), 0, 0.0, 2.5).least, 1.0);
    EXPECT_EQ(rangeOf(arch(3.0), 0, 5.0, 6.0).most, 1.0);
}

TEST(Scales, SplinesThatLeaveTheLimitsBetweenKeysAreRefused) {
    EXPECT_EQ(told(scaled(0, arch(3.9))), "") << "1.975";
    EXPECT_THAT(told(scaled(0, arch(4.1))),
                AllOf(HasSubstr("clip \"grow\", 2."), HasSubstr("bone \"upper\" is scaled by 2.0")));
    EXPECT_EQ(told(scaled(0, arch(-1.9))), "");
    EXPECT_THAT(told(scaled(0, arch(-2.1))), HasSubstr("bone \"upper\" is scaled by 0.4"));
    EXPECT_THAT(told(scaled(0, arch(-4.4))), AllOf(HasSubstr("bone \"upper\": a scale of -0.1"), HasSubstr("at 2.5")));
}

TEST(Scales, ProductsAlongTheChainCount) {
    // 1.5 above and 1.5 below at the same time are 2.25; a second apart they are 1.5.
    Clip both = scaled(0, arch(2.0));
    both.motions.push_back(scaled(1, arch(2.0)).motions[0]);
    EXPECT_THAT(told(both), HasSubstr("bone \"lower\" is scaled by 2."));
    for (double& time : both.motions[1].scale.times) time += 1.0;
    EXPECT_EQ(told(both), "");
    // Each factor leaves the limits, and the product does not move.
    both.motions[0].scale = stepTrack({0, 1}, row({1, 2}));
    both.motions[1].scale = stepTrack({0, 1}, row({1, 0.25}));
    EXPECT_EQ(told(both), "");
    both.motions[1].scale.times[1] = 1.001;  // for a millisecond both are as they may be, too
    EXPECT_EQ(told(both), "");
    both.motions[0].scale = stepTrack({0, 1.002}, row({1, 2}));  // for a millisecond the lower one is 0.25
    EXPECT_THAT(told(both), AllOf(HasSubstr("1.001000 s"), HasSubstr("bone \"lower\" is scaled by 0.25")));
}

// Bones in a row, each with its own keys: a second is generous, the cubic way took minutes.
TEST(Scales, ManyBonesAndKeysTakeNoLongerThanTheyAreMany) {
    const int bones = 2000, keys = 500;
    Rig rig = twoBonedRig();
    rig.skeleton.bones.clear();
    rig.clips.resize(1);
    for (int b = 0; b < bones; ++b) {
        Bone bone;
        bone.name = std::to_string(b);
        bone.parent = b - 1;
        bone.stance.translation = Vector3(b > 0, 0, 0);
        bone.bind.translation = Vector3(b, 0, 0);
        rig.skeleton.bones.push_back(bone);
        std::vector<double> times;
        MatrixX values(1, keys);
        for (int k = 0; k < keys; ++k) {
            times.push_back(k + 1e-4 * b);
            values(0, k) = b == 0 ? 1.0 + 0.4 * std::sin(k) : 1.0;
        }
        rig.clips[0].motions.push_back({b, {}, {}, smoothTrack(times, values, false)});
    }
    rig.surface.positions.resize(3, bones);
    std::vector<std::vector<Influence>> influences;
    for (int b = 0; b < bones; ++b) {
        rig.surface.positions.col(b) = Vector3(b + 0.5, 0, 0);
        influences.push_back({{b, 1.0}});
    }
    WeightChanges changes;
    rig.weights = limitWeights(rig.skeleton, influences, "f", changes);
    const auto start = std::chrono::steady_clock::now();
    findBoneEnds(rig, "f");
    checkClip(rig.skeleton, rig.clips[0], "f");
    checkBoneScales(rig, "f");
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_LT(took.count(), 5.0);
}

// Leaves of a star have no children, and look for their own skin.
TEST(Scales, ManyLeavesLookAtEachPointOnce) {
    const int leaves = 20000;
    Rig rig = twoBonedRig();
    rig.skeleton.bones.resize(1);
    std::vector<std::vector<Influence>> influences(1, {{0, 1.0}});
    rig.surface.positions.setZero(3, leaves + 1);
    for (int b = 1; b <= leaves; ++b) {
        Bone bone;
        bone.name = std::to_string(b);
        bone.parent = 0;
        bone.bind.translation = Vector3(b, 0, 0);
        rig.skeleton.bones.push_back(bone);
        rig.surface.positions.col(b) = Vector3(b + 0.25, 0, 0);
        influences.push_back({{b, 1.0}});
    }
    WeightChanges changes;
    rig.weights = limitWeights(rig.skeleton, influences, "f", changes);
    const auto start = std::chrono::steady_clock::now();
    findBoneEnds(rig, "f");
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_LT(took.count(), 0.5) << "4e8 looks at weights take longer";
    EXPECT_LT((rig.skeleton.bones[7].ends[0] - Vector3(7.25, 0, 0)).norm(), 1e-12);
}

}  // namespace
}  // namespace pliant::test
