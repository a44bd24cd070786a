// SPDX-License-Identifier: Zlib
// Characters of other formats, made by hand, whose answers are known; and files that are none.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "TextRigs.h"
#include "TwoBones.h"
#include "pliant/rig/gltf/ReadRig.h"
#include "pliant/rig/import/ImportFile.h"

namespace pliant::test {
namespace {

using testing::HasSubstr;

/// The surface with its clip at its end.
Points bent(const Rig& rig) {
    Pose pose;
    std::vector<Similarity> maps;
    Points now;
    poseAt(rig.skeleton, rig.clips.at(0), rig.clips.at(0).end, pose);
    restToNow(rig.skeleton, pose, maps);
    skinPoints(rig.weights, maps, rig.surface.positions, now);
    return now;
}

/// The number of the vertex at a place.
Eigen::Index vertexAt(const Rig& rig, const Vector3& place) {
    Eigen::Index nearest = 0;
    EXPECT_LT((rig.surface.positions.colwise() - place).colwise().norm().minCoeff(&nearest), 1e-6);
    return nearest;
}

void expectTwoBones(const Rig& rig) {
    const int lower = findBone(rig.skeleton, "lower");
    ASSERT_GE(lower, 0);
    const Bone& bone = rig.skeleton.bones[static_cast<std::size_t>(lower)];
    EXPECT_EQ(rig.skeleton.bones[static_cast<std::size_t>(bone.parent)].name, "upper");
    EXPECT_LT((bone.head() - Vector3(1, 0, 0)).norm(), 1e-6);
    ASSERT_EQ(bone.ends.size(), 1U);
    EXPECT_LT((bone.ends[0] - Vector3(2, 0, 0)).norm(), 1e-6);
    EXPECT_EQ(rig.surface.triangleCount(), 2);
    ASSERT_EQ(rig.surface.vertexCount(), 4);
    EXPECT_NEAR(rig.weights.weights(0, vertexAt(rig, {1, 0, 0})), 0.5, 1e-6);
    EXPECT_GT(rig.surface.normals.row(2).minCoeff(), 0.99) << "both triangles look to +z";
    ASSERT_EQ(rig.clips.size(), 1U);
    EXPECT_NEAR(rig.clips[0].end - rig.clips[0].start, 1.0, 1e-6);
    const Points now = bent(rig);
    EXPECT_LT((Vector3(now.col(vertexAt(rig, {2, 0, 0}))) - Vector3(1, 1, 0)).norm(), 1e-6);
    EXPECT_LT((Vector3(now.col(vertexAt(rig, {2, 1, 0}))) - Vector3(0, 1, 0)).norm(), 1e-6);
}

TEST(ImportRig, Collada) {
    const TemporaryFolder folder;
    expectTwoBones(readRig(folder.write("fox.dae", twoBonedCollada())).rig);
}

TEST(ImportRig, DirectX) {
    const TemporaryFolder folder;
    expectTwoBones(readRig(folder.write("fox.X", twoBonedDirectX())).rig);
}

TEST(ImportRig, BvhHasNoSkin) {
    const TemporaryFolder folder;
    const std::string path = folder.write("fox.bvh", twoBonedBvh());
    EXPECT_THAT(errorOf([&] { readRig(path); }), HasSubstr("fox.bvh: has no surface with a skin"));
}

// Assimp's own samples, as Debian packs them.
TEST(ImportRig, SamplesOfAssimp) {
    namespace fs = std::filesystem;
    const char* given = std::getenv("PLIANT_ASSIMP_MODELS");
    const std::string samples = given ? given : "/usr/share/assimp/models";
    ASSERT_TRUE(fs::exists(samples)) << "install assimp-testmodels (" << samples << " is not there)";
    int read = 0;
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(samples)) {
        const std::string path = entry.path().string();
        if (!import::isImported(path)) continue;
        const std::string message = errorOf([&] {
            const Rig rig = readRig(path).rig;
            EXPECT_GT(rig.skeleton.boneCount(), 1) << path;
            ++read;
        });
        if (!message.empty()) {
            EXPECT_THAT(message, HasSubstr(entry.path().filename().string()));
            RecordProperty(entry.path().filename().string(), message);
            std::printf("  %s\n", message.c_str());
        }
    }
    EXPECT_GE(read, 3);
}

TEST(ImportRig, GarbageOfEveryFormatIsOneMessage) {
    const TemporaryFolder folder;
    std::string noise = "noise";
    for (unsigned i = 0; i < 4000; ++i) noise += static_cast<char>((i * i * 2654435761U) >> 24U);
    for (const std::string& extension : import::importedExtensions())
        for (const std::string& text :
             {std::string(), std::string("x"), noise, std::string("Kaydara FBX Binary  \0\x1a\0", 23),
              std::string("xof 0303bin 0032"), std::string("HIERARCHY\nROOT a\n{")}) {
            const std::string path = folder.write("bad" + extension, text);
            const std::string message = errorOf([&] { readRig(path); });
            EXPECT_THAT(message, HasSubstr("bad" + extension));
            EXPECT_EQ(message.find('\n'), std::string::npos) << message;
            EXPECT_EQ(folder.fileCount(), static_cast<int>(&extension - &import::importedExtensions()[0]) + 1);
        }
    EXPECT_THAT(errorOf([&] { readRig(folder.path("none.fbx")); }),
                HasSubstr("none.fbx: cannot be read: no such file"));
}

TEST(ImportRig, CutFilesAreReadOrRefused) {
    const TemporaryFolder folder;
    const std::string whole = twoBonedCollada();
    for (std::size_t length = 0; length < whole.size(); length += whole.size() / 12) {
        const std::string path = folder.write("cut.dae", whole.substr(0, length));
        EXPECT_THAT(errorOf([&] { readRig(path); }), HasSubstr("cut.dae")) << length;
    }
}

TEST(ImportRig, AMissingProgramIsTold) {
    const TemporaryFolder folder;
    const std::string path = folder.write("fox.dae", twoBonedCollada());
    ::setenv("PLIANT_IMPORTER", "/nowhere/pliant-import", 1);
    const std::string message = errorOf([&] { readRig(path); });
    ::unsetenv("PLIANT_IMPORTER");
    EXPECT_THAT(message, HasSubstr("fox.dae: \"/nowhere/pliant-import\", which reads such files, cannot be run"));
}

}  // namespace
}  // namespace pliant::test
