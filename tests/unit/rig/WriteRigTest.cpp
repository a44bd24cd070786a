// SPDX-License-Identifier: Zlib
// Rigs as .glb: what is kept, and what no .glb can hold.
#include <filesystem>
#include <fstream>

#include "HandMadeGlb.h"
#include "TwoBones.h"
#include "pliant/rig/gltf/ReadRig.h"
#include "pliant/rig/gltf/WriteRig.h"

namespace pliant::test {
namespace {

using testing::HasSubstr;

TEST(WriteRig, ColoursOfVerticesComeBack) {
    const TemporaryFolder folder;
    Rig rig = readRig(folder.write("fox.glb", twoBonedGlb().glb())).rig;
    rig.surface.colours.resize(4, rig.surface.positions.cols());
    for (Eigen::Index v = 0; v < rig.surface.colours.cols(); ++v)
        rig.surface.colours.col(v) << 0.25F * static_cast<float>(v), 0.5F, 0.125F, 1.0F;
    writeRig(rig, folder.path("again.glb"));
    const Rig again = readRig(folder.path("again.glb")).rig;
    ASSERT_EQ(again.surface.colours.cols(), rig.surface.colours.cols());
    EXPECT_EQ(again.surface.colours, rig.surface.colours);
}

TEST(WriteRig, MoreThanAGlbHoldsIsRefusedBeforeAFileIsTouched) {
    const TemporaryFolder folder;
    Rig rig = readRig(folder.write("fox.glb", twoBonedGlb().glb())).rig;
    const std::string path = folder.write("kept.glb", "what was there");
    for (int b = 2; b <= 65536; ++b) {
        Bone bone = rig.skeleton.bones[1];
        bone.name = "bone " + std::to_string(b);
        rig.skeleton.bones.push_back(bone);
    }
    EXPECT_THAT(errorOf([&] { writeRig(rig, path); }), HasSubstr("kept.glb: 65537 bones"));
    std::string kept;
    std::getline(std::ifstream(path), kept);
    EXPECT_EQ(kept, "what was there");
    EXPECT_EQ(errorOf([] { checkGlbLimits(65536, 0xFFFFFFFF, "f"); }), "");
    EXPECT_THAT(errorOf([] { checkGlbLimits(1, 0x100000000, "f.glb"); }), HasSubstr("f.glb: 4294967296 bytes"));
}

}  // namespace
}  // namespace pliant::test
