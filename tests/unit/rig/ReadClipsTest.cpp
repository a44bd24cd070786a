// SPDX-License-Identifier: Zlib
// Clips of one file for the skeleton of another.
#include "HandMadeGlb.h"
#include "TextRigs.h"
#include "TwoBones.h"
#include "pliant/rig/gltf/ReadRig.h"

namespace pliant::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(ReadClips, MotionOfABvhOnASkeletonOfOtherLengths) {
    const TemporaryFolder folder;
    const ClipsFile file = readClips(folder.write("walk.bvh", twoBonedBvh()), twoBones());
    ASSERT_EQ(file.clips.size(), 1U);
    EXPECT_NEAR(file.clips[0].end, 1.0, 1e-9);
    Pose pose;
    poseAt(twoBones(), file.clips[0], 1.0, pose);
    EXPECT_LT(pose[1].rotation.angularDistance(turn(0.5 * pi, Vector3::UnitZ())), 1e-6);
    EXPECT_LT((pose[1].translation - Vector3(1, 0, 0)).norm(), 1e-12) << "3 m in the file, 1 m here";
    EXPECT_LT((pose[0].translation - Vector3(0, 0.5, 0)).norm(), 1e-6) << "what moves the first bone does";
    poseAt(twoBones(), file.clips[0], 0.5, pose);
    EXPECT_LT(pose[1].rotation.angularDistance(turn(0.25 * pi, Vector3::UnitZ())), 1e-6);
}

TEST(ReadClips, OfGltfWithoutASkinAndByNamesAlone) {
    const TemporaryFolder folder;
    HandMadeGlb made = twoBonedGlb();
    made.file["nodes"][2] = {{"name", "tail"}};
    made.file.erase("skins");
    made.file.erase("meshes");
    json& channels = made.file["animations"][0]["channels"];
    channels.push_back(channels[0]);
    channels[1]["target"]["node"] = 2;
    const ClipsFile file = readClips(folder.write("walk.glb", made.glb()), twoBones());
    ASSERT_EQ(file.clips.size(), 1U);
    ASSERT_EQ(file.clips[0].motions.size(), 1U);
    EXPECT_EQ(file.clips[0].motions[0].bone, 1);
    EXPECT_THAT(file.notes, Contains(HasSubstr("1 channels that move no bone are left out")));
    Skeleton other = twoBones();
    other.bones[1].name = "shin";
    EXPECT_THAT(errorOf([&] { readClips(folder.path("walk.glb"), other); }),
                HasSubstr("walk.glb: has no clip that moves a bone of this skeleton"));
}

}  // namespace
}  // namespace pliant::test
