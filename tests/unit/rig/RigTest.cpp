// SPDX-License-Identifier: Zlib
// Ends of bones, their scales, and clips by name.
#include "TwoBones.h"

namespace pliant::test {
namespace {

using testing::HasSubstr;

TEST(Rig, BonesEndAtTheirChildrenAndTheLastOneWithItsSkin) {
    Rig rig = twoBonedRig();
    findBoneEnds(rig, "f");
    ASSERT_EQ(rig.skeleton.bones[0].ends.size(), 1U);
    EXPECT_EQ(rig.skeleton.bones[0].ends[0], Vector3(1, 0, 0));
    ASSERT_EQ(rig.skeleton.bones[1].ends.size(), 1U);
    EXPECT_LT((rig.skeleton.bones[1].ends[0] - Vector3(2, 0, 0)).norm(), 1e-15);
}

// A tail that hangs from the end of a straight back, a little backwards.
TEST(Rig, LastBonesFollowTheirSkinWhereItLiesElsewhere) {
    Rig rig = twoBonedRig();
    rig.surface.positions.col(2) = Vector3(1.2, 0, -1);
    findBoneEnds(rig, "f");
    ASSERT_EQ(rig.skeleton.bones[1].ends.size(), 1U);
    EXPECT_LT((rig.skeleton.bones[1].ends[0] - Vector3(1.2, 0, -1)).norm(), 1e-15);
    // Less than 45 degrees away the bone goes straight on.
    rig.surface.positions.col(2) = Vector3(2, 0, -0.5);
    findBoneEnds(rig, "f");
    EXPECT_LT((rig.skeleton.bones[1].ends[0] - Vector3(2, 0, 0)).norm(), 1e-15);
}

TEST(Rig, ABoneWithSkinAndWithoutLengthIsRefused) {
    Rig rig = twoBonedRig();
    rig.surface.positions.col(2) = Vector3(1, 0, 0);  // all skin of the lower bone is at its head
    EXPECT_THAT(errorOf([&] { findBoneEnds(rig, "fox.glb"); }),
                HasSubstr("fox.glb: bone \"lower\" carries skin and has no length"));
}

Clip growing(double scale) {
    Clip clip;
    clip.name = "grow";
    clip.end = 1.0;
    clip.motions.resize(1);
    clip.motions[0].bone = 0;
    MatrixX values(1, 2);
    values << 1.0, scale;
    clip.motions[0].scale = stepTrack({0, 1}, values);
    return clip;
}

TEST(Rig, BonesMayBeScaledByTwo) {
    Rig rig = twoBonedRig();
    rig.clips = {growing(2.0), growing(0.5)};
    EXPECT_EQ(errorOf([&] { checkBoneScales(rig, "f"); }), "");
    rig.clips = {growing(2.1)};
    EXPECT_THAT(errorOf([&] { checkBoneScales(rig, "f"); }),
                HasSubstr("f: clip \"grow\", 1.000000 s: bone \"upper\" is scaled by 2.1"));
    rig.clips.clear();
    rig.skeleton.bones[1].stance.scale = 0.4;
    EXPECT_THAT(errorOf([&] { checkBoneScales(rig, "f"); }), HasSubstr("f: bone \"lower\" is scaled by 0.4"));
}

TEST(Rig, AMissingClipIsToldWithThoseThatThereAre) {
    Rig rig = twoBonedRig();
    EXPECT_THAT(errorOf([&] { findClip(rig, "run", "f"); }), HasSubstr("has no clip \"run\"; it has none at all"));
    rig.clips = {growing(1.0)};
    EXPECT_THAT(errorOf([&] { findClip(rig, "run", "f"); }), HasSubstr("it has \"grow\""));
    EXPECT_EQ(findClip(rig, "grow", "f").end, 1.0);
}

}  // namespace
}  // namespace pliant::test
