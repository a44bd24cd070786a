// SPDX-License-Identifier: Zlib
// Frames of bones, and what they do to points.
#include "TwoBones.h"

namespace pliant::test {
namespace {

using testing::HasSubstr;

TEST(Similarity, ComposesAndInverts) {
    const Similarity a{turn(0.7, Vector3(1, 2, 3).normalized()), Vector3(1, -2, 3), 1.5};
    const Similarity b{turn(-1.1, Vector3(0, 1, 1).normalized()), Vector3(-4, 0, 2), 0.25};
    const Vector3 x(0.3, 0.4, -0.5);
    EXPECT_LT(((a * b).point(x) - a.point(b.point(x))).norm(), 1e-14);
    EXPECT_LT((a.inverse().point(a.point(x)) - x).norm(), 1e-14);
    EXPECT_NEAR((a * b).scale, 0.375, 1e-15);
}

TEST(Skeleton, PosesCarryTheBonesBelow) {
    const Skeleton skeleton = twoBones();
    Pose pose = stance(skeleton);
    pose[0].rotation = turn(pi / 2, Vector3::UnitZ());
    pose[1].rotation = turn(pi / 2, Vector3::UnitZ());
    std::vector<Similarity> maps;
    restToNow(skeleton, pose, maps);
    EXPECT_LT((maps[0].point({1, 0, 0}) - Vector3(0, 1, 0)).norm(), 1e-15);
    // The end of the lower bone, at x = 2, folds back above the origin.
    EXPECT_LT((maps[1].point({2, 0, 0}) - Vector3(-1, 1, 0)).norm(), 1e-15);
}

TEST(Skeleton, BindPoseMovesNothing) {
    Skeleton skeleton = twoBones();
    skeleton.bones[0].bind = {turn(0.4, Vector3::UnitY()), Vector3(0, 3, 0), 1.0};
    skeleton.bones[1].bind = {turn(1.4, Vector3::UnitX()), Vector3(2, 3, 1), 1.0};
    std::vector<Similarity> maps;
    restToNow(skeleton, bindPose(skeleton), maps);
    for (const Similarity& map : maps) EXPECT_LT((map.point({5, 6, 7}) - Vector3(5, 6, 7)).norm(), 1e-14);
}

TEST(Skeleton, RefusesWhatIsNone) {
    Skeleton skeleton = twoBones();
    EXPECT_EQ(errorOf([&] { checkSkeleton(skeleton, "f"); }), "");
    skeleton.bones[0].parent = 1;
    EXPECT_THAT(errorOf([&] { checkSkeleton(skeleton, "f"); }), HasSubstr("f: bone \"upper\" hangs on bone 1"));
    skeleton = twoBones();
    skeleton.bones[1].name = "upper";
    EXPECT_THAT(errorOf([&] { checkSkeleton(skeleton, "f"); }), HasSubstr("two bones are called \"upper\""));
    skeleton = twoBones();
    skeleton.bones[1].bind.scale = 0.0;
    EXPECT_THAT(errorOf([&] { checkSkeleton(skeleton, "f"); }), HasSubstr("bind frame of bone \"lower\""));
    skeleton.bones.clear();
    EXPECT_THAT(errorOf([&] { checkSkeleton(skeleton, "f"); }), HasSubstr("without bones"));
}

}  // namespace
}  // namespace pliant::test
