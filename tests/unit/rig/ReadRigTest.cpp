// SPDX-License-Identifier: Zlib
// Characters in glTF files made by hand, whose answers are known.
#include "HandMadeGlb.h"
#include "TwoBones.h"
#include "pliant/mesh/formats/Base64.h"
#include "pliant/rig/gltf/ReadRig.h"
#include "pliant/rig/gltf/WriteRig.h"

namespace pliant::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

RigFile read(const HandMadeGlb& made) {
    const TemporaryFolder folder;
    return readRig(folder.write("fox.glb", made.glb()));
}

Points posed(const Rig& rig, const Pose& pose) {
    std::vector<Similarity> maps;
    Points now;
    restToNow(rig.skeleton, pose, maps);
    skinPoints(rig.weights, maps, rig.surface.positions, now);
    return now;
}

TEST(ReadRig, SkeletonSkinAndClip) {
    const RigFile file = read(twoBonedGlb());
    const Rig& rig = file.rig;
    EXPECT_THAT(file.notes, IsEmpty());
    ASSERT_EQ(rig.skeleton.boneCount(), 2);
    EXPECT_EQ(rig.skeleton.bones[1].name, "lower");
    EXPECT_EQ(rig.skeleton.bones[1].parent, 0);
    EXPECT_EQ(rig.skeleton.bones[1].head(), Vector3(1, 0, 0));
    ASSERT_EQ(rig.skeleton.bones[1].ends.size(), 1U);
    EXPECT_LT((rig.skeleton.bones[1].ends[0] - Vector3(2, 0, 0)).norm(), 1e-15);
    EXPECT_EQ(rig.surface.triangleCount(), 2);
    EXPECT_EQ(Vector3(rig.surface.normals.col(0)), Vector3(0, 0, 1)) << "computed where the file has none";
    Pose pose;
    poseAt(rig.skeleton, findClip(rig, "bend", "f"), 1.0, pose);
    const Points now = posed(rig, pose);
    EXPECT_LT((Vector3(now.col(2)) - Vector3(1, 1, 0)).norm(), 1e-7);
    EXPECT_LT((Vector3(now.col(3)) - Vector3(0, 1, 0)).norm(), 1e-7);
}

// 8 and 16 bits, a second set of joints, and padding between the rows.
TEST(ReadRig, WeightsAsFractionsOfWholeNumbers) {
    HandMadeGlb made = twoBonedGlb();
    made.attributes()["WEIGHTS_0"] =
        made.add<std::uint8_t>({255, 0, 0, 0, 51, 204, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0}, 5121, "VEC4", 4);
    made.accessor(made.attributes()["WEIGHTS_0"])["normalized"] = true;
    EXPECT_NEAR(read(made).rig.weights.weights(0, 1), 0.8, 1e-15);
    EXPECT_EQ(read(made).rig.weights.bones(0, 1), 1);
    made.attributes()["JOINTS_1"] = made.attributes()["JOINTS_0"];
    made.attributes()["WEIGHTS_1"] =
        made.add<std::uint16_t>({0, 0, 0, 0, 65535, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 5123, "VEC4", 4);
    const RigFile two = read(made);
    EXPECT_NEAR(two.rig.weights.weights(0, 1), 0.6, 1e-15) << "1.2 to 0.8";
    EXPECT_THAT(two.notes, Contains(HasSubstr("weights of 1 vertices did not have the sum 1")));
}

TEST(ReadRig, RowsWithStrideAndSparseNumbers) {
    HandMadeGlb made = twoBonedGlb();
    made.attributes()["POSITION"] = made.addFloats({0, 0, 0, 9, 1, 0, 0, 9, 2, 0, 0, 9, 2, 1, 0}, "VEC3", 3);
    json& accessor = made.accessor(made.attributes()["POSITION"]);
    accessor["count"] = 4;
    made.file["bufferViews"].back()["byteStride"] = 16;
    EXPECT_EQ(Vector3(read(made).rig.surface.positions.col(3)), Vector3(2, 1, 0));
    const int where = made.add<std::uint8_t>({3}, 5121, "SCALAR", 1);
    const int what = made.addFloats({2, 5, 0}, "VEC3", 3);
    const json view = made.accessor(where)["bufferView"], values = made.accessor(what)["bufferView"];
    made.accessor(made.attributes()["POSITION"])["sparse"] = {
        {"count", 1},
        {"indices", {{"bufferView", view}, {"componentType", 5121}}},
        {"values", {{"bufferView", values}}}};
    EXPECT_EQ(Vector3(read(made).rig.surface.positions.col(3)), Vector3(2, 5, 0));
    made.accessor(made.attributes()["POSITION"]).erase("bufferView");  // zeros, but for the sparse one
    EXPECT_EQ(Vector3(read(made).rig.surface.positions.col(1)), Vector3(0, 0, 0));
}

TEST(ReadRig, WithoutInverseBindMatricesTheyAreTheIdentity) {
    HandMadeGlb made = twoBonedGlb();
    made.file["skins"][0].erase("inverseBindMatrices");
    made.file["nodes"][1]["translation"] = {0, 0, 0.5};
    const Rig rig = read(made).rig;
    // The lower bone is bound at the origin, so where it stands its skin goes along.
    EXPECT_LT((Vector3(posed(rig, stance(rig.skeleton)).col(3)) - Vector3(2, 1, 0.5)).norm(), 1e-15);
}

// Exporters leave a node above the bones that turns axes and makes metres of centimetres.
TEST(ReadRig, NodesAboveTheBonesCarryTheCharacter) {
    HandMadeGlb made = twoBonedGlb();
    made.file["nodes"].push_back({{"name", "armature"},
                                  {"scale", {0.01, 0.01, 0.01}},
                                  {"rotation", {-0.70710678118654752, 0, 0, 0.70710678118654752}},
                                  {"translation", {0, 3, 0}},
                                  {"children", {0}}});
    const Rig rig = read(made).rig;
    ASSERT_EQ(rig.skeleton.boneCount(), 3);
    EXPECT_EQ(rig.skeleton.bones[0].name, "armature");
    EXPECT_TRUE(rig.skeleton.bones[0].ends.empty());
    const Points now = posed(rig, stance(rig.skeleton));
    EXPECT_LT((now - rig.surface.positions).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT((Vector3(now.col(3)) - Vector3(0.02, 3, -0.01)).norm(), 1e-8);
    std::vector<Similarity> maps;
    restToNow(rig.skeleton, stance(rig.skeleton), maps);
    EXPECT_NEAR(maps[1].scale, 1.0, 1e-12);
}

TEST(ReadRig, SeveralPrimitivesAndBuffersBesideTheFileOrInIt) {
    HandMadeGlb made = twoBonedGlb();
    made.file["meshes"][0]["primitives"].push_back(made.file["meshes"][0]["primitives"][0]);
    made.file["meshes"][0]["primitives"].push_back({{"mode", 1}, {"attributes", made.attributes()}});
    made.file["buffers"] = {{{"byteLength", made.bytes.size()}, {"uri", "the%20numbers.bin"}}};
    const TemporaryFolder folder;
    folder.write("the numbers.bin", made.bytes);
    const std::string path = folder.write("fox.gltf", made.file.dump());
    const RigFile file = readRig(path);
    EXPECT_EQ(file.rig.surface.triangleCount(), 4);
    EXPECT_EQ(file.rig.surface.vertexCount(), 4) << "both name the same vertices";
    EXPECT_THAT(file.notes, Contains(HasSubstr("points and lines are left out")));
    made.file["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64Encoded(made.bytes);
    EXPECT_EQ(readRig(folder.write("fox.gltf", made.file.dump())).rig.surface.triangleCount(), 4);
}

// Exporters write the vertices once, and a primitive a material. The surface is not cut open where materials meet.
TEST(ReadRig, PrimitivesShareTheVerticesThatTheyShareInTheFile) {
    HandMadeGlb made = twoBonedGlb();
    json& primitives = made.file["meshes"][0]["primitives"];
    const json one = primitives[0];
    primitives[0]["indices"] = made.add<std::uint16_t>({0, 1, 3}, 5123, "SCALAR", 1);
    primitives.push_back(one);
    primitives[1]["indices"] = made.add<std::uint16_t>({1, 2, 3}, 5123, "SCALAR", 1);
    const Rig rig = read(made).rig;
    EXPECT_EQ(rig.surface.vertexCount(), 4);
    EXPECT_EQ(Eigen::Vector3i(rig.surface.triangles.col(1)), Eigen::Vector3i(1, 2, 3));
    EXPECT_EQ(rig.weights.pointCount(), 4);
    // Other weights make other vertices, of which those in no triangle are left out.
    made.file["meshes"][0]["primitives"][1]["attributes"]["WEIGHTS_0"] =
        made.addFloats({0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 4);
    const Rig two = read(made).rig;
    EXPECT_EQ(two.surface.vertexCount(), 6);
    EXPECT_EQ(Eigen::Vector3i(two.surface.triangles.col(1)), Eigen::Vector3i(3, 4, 5));
    EXPECT_EQ(two.weights.weights(0, 3), 1.0);
    EXPECT_EQ(two.weights.pointCount(), 6);
}

TEST(ReadRig, ManyMaterialsOnOneBufferAreTaken) {
    HandMadeGlb made = twoBonedGlb();
    json& primitives = made.file["meshes"][0]["primitives"];
    for (const char* name : {"POSITION", "JOINTS_0", "WEIGHTS_0"}) {  // 4000 vertices
        json& accessor = made.accessor(made.attributes()[name]);
        const json view = made.file["bufferViews"][accessor["bufferView"].get<std::size_t>()];
        const std::string rows = made.bytes.substr(view["byteOffset"], view["byteLength"]);
        accessor["bufferView"] = made.file["bufferViews"].size();
        accessor["count"] = 4000;
        made.file["bufferViews"].push_back(
            {{"buffer", 0}, {"byteOffset", made.bytes.size()}, {"byteLength", 1000 * rows.size()}});
        for (int copy = 0; copy < 1000; ++copy) made.bytes += rows;
    }
    const json one = primitives[0];
    for (int p = 1; p < 60; ++p) primitives.push_back(one);
    EXPECT_EQ(read(made).rig.surface.triangleCount(), 120);
}

TEST(ReadRig, SplinesKeepTheirTangentsAndStepsJump) {
    HandMadeGlb made = twoBonedGlb();
    json& sampler = made.file["animations"][0]["samplers"][0];
    sampler["output"] =
        made.addFloats({0, 0, 0, 1, 0, 2, 3, 4, 0, 0, 0, 7, 1, 1, 1, 1, 5, 6, 7, 8, 0, 0, 0, 0}, "VEC3", 3);
    made.accessor(sampler["output"])["count"] = 6;
    sampler["interpolation"] = "CUBICSPLINE";
    made.file["animations"][0]["channels"][0]["target"]["path"] = "translation";
    const Track track = read(made).rig.clips[0].motions[0].translation;
    EXPECT_FALSE(track.steps);
    EXPECT_EQ(Vector3(track.values.col(0)), Vector3(1, 0, 2));
    EXPECT_EQ(Vector3(track.departures.col(0)), Vector3(3, 4, 0));
    EXPECT_EQ(Vector3(track.arrivals.col(1)), Vector3(0, 0, 7));
    EXPECT_EQ(Vector3(track.values.col(1)), Vector3(1, 1, 1));
    sampler["interpolation"] = "STEP";
    made.accessor(sampler["output"])["count"] = 2;
    EXPECT_TRUE(read(made).rig.clips[0].motions[0].translation.steps);
}

TEST(ReadRig, WhatIsWrittenComesBack) {
    Rig rig = read(twoBonedGlb()).rig;
    rig.surface.materials.resize(2);
    rig.surface.materials[0].name = "fur";
    rig.surface.materials[0].diffuse = Vector3(0.5, 0.25, 0.125);
    rig.surface.materials[1].name = "skin";
    rig.surface.triangleMaterial = {0, 1};
    const TemporaryFolder folder;
    writeRig(rig, folder.path("again.glb"));
    const RigFile again = readRig(folder.path("again.glb"));
    EXPECT_THAT(again.notes, IsEmpty());
    ASSERT_EQ(again.rig.surface.vertexCount(), rig.surface.vertexCount());
    EXPECT_EQ(again.rig.surface.positions, rig.surface.positions);
    ASSERT_EQ(again.rig.surface.triangleCount(), rig.surface.triangleCount());
    EXPECT_EQ(again.rig.surface.triangles, rig.surface.triangles);
    EXPECT_EQ(again.rig.surface.triangleMaterial, rig.surface.triangleMaterial);
    EXPECT_EQ(again.rig.weights.bones, rig.weights.bones);
    EXPECT_EQ(again.rig.weights.weights, rig.weights.weights);
    ASSERT_EQ(again.rig.surface.materials.size(), 2U);
    EXPECT_EQ(again.rig.surface.materials[1].name, "skin");
    EXPECT_EQ(again.rig.surface.materials[0].diffuse, Vector3(0.5, 0.25, 0.125));
    ASSERT_EQ(again.rig.clips.size(), 1U);
    Pose first, second;
    for (double t = 0.0; t <= 1.0; t += 0.1) {
        poseAt(rig.skeleton, rig.clips[0], t, first);
        poseAt(again.rig.skeleton, again.rig.clips[0], t, second);
        EXPECT_LT(first[1].rotation.angularDistance(second[1].rotation), 1e-6);
    }
}

}  // namespace
}  // namespace pliant::test
