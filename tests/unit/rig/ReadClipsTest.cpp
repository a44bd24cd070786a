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

/// A file whose bones stand in centimetres and other axes, for a character in metres.
TEST(ReadClips, RootsAreCarriedOverFromWhatIsAboveThem) {
    const TemporaryFolder folder;
    HandMadeGlb made = twoBonedGlb();
    made.file.erase("skins");
    made.file.erase("meshes");
    const double half = std::sqrt(0.5);
    made.file["nodes"][2] = {{"name", "unit"}};
    made.file["nodes"][2]["children"] = json::array({0});
    made.file["nodes"][2]["scale"] = json::array({0.01, 0.01, 0.01});
    made.file["nodes"][2]["rotation"] = json::array({half, 0.0, 0.0, half});  // y to z
    const int places = made.addFloats({0, 95, 0, 100, 95, 0}, "VEC3", 3);
    json& animation = made.file["animations"][0];
    json sampler = animation["samplers"][0];
    sampler["output"] = places;
    animation["samplers"].push_back(sampler);
    json channel = animation["channels"][0];
    channel["sampler"] = 1;
    channel["target"]["node"] = 0;
    channel["target"]["path"] = "translation";
    animation["channels"].push_back(channel);
    const ClipsFile file = readClips(folder.write("unit.glb", made.glb()), twoBones());
    EXPECT_THAT(file.notes, Contains(HasSubstr("bone \"upper\" are carried over from other axes or another unit")));
    Pose pose;
    poseAt(twoBones(), file.clips[0], 0.0, pose);
    EXPECT_LT((pose[0].translation - Vector3(0, 0, 0.95)).norm(), 1e-6);
    EXPECT_EQ(pose[0].scale, 1.0);
    poseAt(twoBones(), file.clips[0], 1.0, pose);
    EXPECT_LT((pose[0].translation - Vector3(1, 0, 0.95)).norm(), 1e-6);
    EXPECT_LT(pose[1].rotation.angularDistance(turn(0.5 * pi, Vector3::UnitZ())), 1e-6) << "below the root as it is";
}

}  // namespace
}  // namespace pliant::test
