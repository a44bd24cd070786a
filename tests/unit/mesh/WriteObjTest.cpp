// SPDX-License-Identifier: Zlib
#include "SampleMeshes.h"
#include "TemporaryFolder.h"
#include "pliant/mesh/ReadObj.h"
#include "pliant/mesh/SurfaceNormals.h"

namespace {

using namespace pliant;
using pliant::test::errorOf;
using pliant::test::TemporaryFolder;
using testing::HasSubstr;
using testing::IsEmpty;

SurfaceMesh paintedBox() {
    SurfaceMesh mesh = test::box(Vector3(0.1, 0.2, 0.3), Vector3(1.0, 2.0, 3.0));
    computeNormals(mesh);
    mesh.texcoords.setRandom(2, mesh.vertexCount());
    mesh.colours = (Eigen::MatrixXf::Random(4, mesh.vertexCount()).array() + 1.0F) / 2.0F;
    mesh.colours.row(3).setOnes();
    mesh.materials.resize(2);
    mesh.materials[0].name = "dark willow";
    mesh.materials[1].name = "dark_willow";
    mesh.materials[1].diffuse = Vector3(0.25, 0.5, 0.125);
    mesh.materials[1].opacity = 0.5;
    for (std::size_t t = 6; t < 12; ++t) mesh.triangleMaterial[t] = 1;
    return mesh;
}

TEST(WriteObj, SurvivesARoundTrip) {
    const TemporaryFolder folder;
    SurfaceMesh mesh = paintedBox();
    folder.write("maps/weave.png", "any bytes");
    mesh.materials[1].diffuseTexture = folder.path("maps/weave.png");
    const std::string path = folder.path("with blank.obj");
    writeObj(mesh, path);
    std::vector<std::string> warnings;
    const SurfaceMesh again = readObj(path, &warnings);
    EXPECT_THAT(warnings, IsEmpty());
    ASSERT_EQ(again.vertexCount(), mesh.vertexCount());
    ASSERT_EQ(again.triangleCount(), mesh.triangleCount());
    // Vertices are renumbered by first use: compare corner by corner.
    for (int t = 0; t < mesh.triangleCount(); ++t)
        for (int c = 0; c < 3; ++c) {
            const int v = mesh.triangles(c, t), w = again.triangles(c, t);
            EXPECT_EQ(Vector3(mesh.positions.col(v)), Vector3(again.positions.col(w)));  // the same bits
            EXPECT_LT((mesh.normals.col(v) - again.normals.col(w)).norm(), 1e-14);
            EXPECT_LT((mesh.texcoords.col(v) - again.texcoords.col(w)).norm(), 1e-14);
            EXPECT_LT((mesh.colours.col(v) - again.colours.col(w)).norm(), 1e-6F);
        }
    EXPECT_EQ(again.triangleMaterial, mesh.triangleMaterial);
    ASSERT_EQ(again.materials.size(), 2U);
    EXPECT_NE(again.materials[0].name, again.materials[1].name);
    EXPECT_EQ(again.materials[1].diffuse, mesh.materials[1].diffuse);
    EXPECT_EQ(again.materials[1].opacity, 0.5);
    EXPECT_EQ(again.materials[1].diffuseTexture, mesh.materials[1].diffuseTexture);
}

TEST(WriteObj, LeavesNothingHalfWritten) {
    const TemporaryFolder folder;
    const SurfaceMesh mesh = paintedBox();
    EXPECT_THAT(errorOf([&] { writeObj(mesh, folder.path("absent/a.obj")); }), HasSubstr("cannot be written"));
    EXPECT_THAT(errorOf([&] { writeObj(SurfaceMesh(), folder.path("a.obj")); }), HasSubstr("empty"));
    EXPECT_EQ(folder.fileCount(), 0);
    std::filesystem::create_directories(folder.path("taken.obj/inside"));  // a folder stands where the file should go
    EXPECT_THAT(errorOf([&] { writeObj(mesh, folder.path("taken.obj")); }),
                HasSubstr("taken.obj: is there and no regular file"));
    EXPECT_FALSE(std::filesystem::exists(folder.path("taken.obj.part")));
    writeObj(mesh, folder.path("b.obj"));
    EXPECT_TRUE(std::filesystem::exists(folder.path("b.mtl")));
    EXPECT_FALSE(std::filesystem::exists(folder.path("b.obj.part")));
}

}  // namespace
