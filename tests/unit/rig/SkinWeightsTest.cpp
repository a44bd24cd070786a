// SPDX-License-Identifier: Zlib
// Weights of a skin: what is limited, what is refused, what they do.
#include "TwoBones.h"

namespace pliant::test {
namespace {

using testing::HasSubstr;

Skeleton bones(int count) {
    Skeleton skeleton;
    for (int b = 0; b < count; ++b) {
        Bone bone;
        bone.name = "b" + std::to_string(b);
        skeleton.bones.push_back(bone);
    }
    return skeleton;
}

TEST(SkinWeights, FourLargestStayAndWhatIsCutIsTold) {
    WeightChanges changes;
    const SkinWeights skin = limitWeights(
        bones(6), {{{5, 0.1}, {0, 0.2}, {1, 0.05}, {2, 0.3}, {3, 0.2}, {4, 0.15}}, {{2, 3.0}, {1, 0.0}}}, "f", changes);
    EXPECT_EQ(changes.cutPoints, 1);
    EXPECT_NEAR(changes.largestCut, 0.15, 1e-14);
    EXPECT_EQ(changes.scaledPoints, 1);
    EXPECT_EQ(Eigen::Vector4i(skin.bones.col(0)), Eigen::Vector4i(2, 0, 3, 4));
    EXPECT_NEAR(skin.weights(0, 0), 0.3 / 0.85, 1e-14);
    EXPECT_NEAR(skin.weights.col(0).sum(), 1.0, 1e-15);
    EXPECT_EQ(Eigen::Vector4i(skin.bones.col(1)), Eigen::Vector4i(2, 0, 0, 0));
    EXPECT_EQ(Eigen::Vector4d(skin.weights.col(1)), Eigen::Vector4d(1, 0, 0, 0));
}

TEST(SkinWeights, ABoneNamedTwiceCountsWithBoth) {
    WeightChanges changes;
    const SkinWeights skin = limitWeights(bones(2), {{{0, 0.4}, {1, 0.3}, {1, 0.3}}}, "f", changes);
    EXPECT_EQ(skin.bones(0, 0), 1);
    EXPECT_NEAR(skin.weights(0, 0), 0.6, 1e-15);
    EXPECT_EQ(changes.cutPoints + changes.scaledPoints, 0);
}

TEST(SkinWeights, RefusesPointsWithoutBonesAndBadNumbers) {
    const auto told = [](const std::vector<Influence>& point) {
        WeightChanges changes;
        return errorOf([&] { limitWeights(bones(2), {{{0, 1.0}}, point}, "fox.glb", changes); });
    };
    EXPECT_THAT(told({{0, 0.0}}), HasSubstr("fox.glb: vertex 1: follows no bone"));
    EXPECT_THAT(told({{1, -0.5}, {0, 1.0}}), HasSubstr("vertex 1: follows bone \"b1\" with the weight -0.5"));
    EXPECT_THAT(told({{1, NAN}}), HasSubstr("weight nan"));
    EXPECT_THAT(told({{2, 1.0}}), HasSubstr("follows bone 2 of 2"));
    EXPECT_THAT(told({{1, 1e308}, {0, 1e308}}), HasSubstr("follows no bone"));
}

TEST(SkinWeights, PointsBetweenBonesAreBlended) {
    const Rig rig = twoBonedRig();
    Pose pose = stance(rig.skeleton);
    pose[0].translation = Vector3(0, 0, 4);
    pose[1].rotation = turn(pi / 2, Vector3::UnitZ());
    pose[1].scale = 2.0;
    std::vector<Similarity> maps;
    restToNow(rig.skeleton, pose, maps);
    Points now;
    skinPoints(rig.weights, maps, rig.surface.positions, now);
    EXPECT_LT((Vector3(now.col(0)) - Vector3(0.5, 0, 4)).norm(), 1e-15);
    EXPECT_LT((Vector3(now.col(1)) - Vector3(1, 0, 4)).norm(), 1e-15);
    EXPECT_LT((Vector3(now.col(2)) - Vector3(1, 2, 4)).norm(), 1e-15);
}

}  // namespace
}  // namespace pliant::test
