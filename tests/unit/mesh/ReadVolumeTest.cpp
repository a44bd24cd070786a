// SPDX-License-Identifier: Zlib
// Simulation meshes of any format: .vegb read back exactly; repairs; and what is refused.
#include <chrono>
#include <cstdint>

#include "SampleMeshes.h"
#include "TemporaryFolder.h"
#include "TwoTetrahedra.h"
#include "pliant/mesh/BinaryFile.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/mesh/WriteVtk.h"

namespace pliant::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The bytes of a .vegb with the two tetrahedra; docs/formats.md has the layout.
std::string vegbText(double version = 1.0, int law = 1) {
    ByteWriter out;
    const VolumeMesh mesh = twoTetrahedra();
    const auto whole = [&](int value) { out.put<std::int32_t>(value); };
    const auto name = [&](const std::string& text) {
        whole(static_cast<int>(text.size()));
        out.putText(text);
    };
    out.put(version);
    whole(1);  // tetrahedra
    whole(5);
    out.put(mesh.positions.data(), 15);
    whole(2);
    whole(4);
    out.put(mesh.elements.data(), 8);
    whole(2);  // materials
    name("soft");
    whole(law);
    for (const double x : {1100.0, 1e6, 0.4}) out.put(x);
    name("wood");
    whole(2);  // orthotropic
    for (const double x : {700.0, 3e9, 2e9, 1e9, 0.3, 0.2, 0.1, 5e8, 4e8, 3e8}) out.put(x);
    for (const double x : {0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0}) out.put(x);
    whole(2);  // sets, the first is all elements
    name("second");
    whole(1);
    whole(1);
    whole(2);  // regions: material, set
    for (const int i : {0, 0, 1, 1}) whole(i);
    return out.bytes();
}

TEST(ReadVegb, TakesMaterialsAndSets) {
    const TemporaryFolder folder;
    const VolumeFile file = readVolume(folder.write("a.vegb", vegbText()));
    expectTwoTetrahedra(file, "soft", "wood");
    EXPECT_TRUE(file.hasMaterials);
    EXPECT_EQ(file.mesh.materials[0].density, 1100.0);
    EXPECT_EQ(file.mesh.materials[0].youngsModulus, 1e6);
    EXPECT_EQ(file.mesh.materials[0].poissonRatio, 0.4);
    EXPECT_EQ(file.mesh.materials[1].orthotropic.shearModuli, Vector3(5e8, 4e8, 3e8));
    EXPECT_EQ(file.mesh.materials[1].orthotropic.axes.row(0), Eigen::RowVector3d(0.0, -1.0, 0.0));
}

TEST(ReadVegb, Refusals) {
    const TemporaryFolder folder;
    const auto problem = [&](const std::string& bytes) {
        return errorOf([&] { readVolume(folder.write("a.vegb", bytes)); });
    };
    const std::string good = vegbText();
    for (std::size_t size = 0; size < good.size(); size += 7)
        EXPECT_THAT(problem(good.substr(0, size)), HasSubstr("a.vegb: ")) << size;
    EXPECT_THAT(problem(good + "x"), HasSubstr("1 bytes too many"));
    EXPECT_THAT(problem(vegbText(2.0)), HasSubstr("is no .vegb of version 1"));
    EXPECT_THAT(problem(vegbText(1.0, 3)), HasSubstr("material \"soft\" is Mooney-Rivlin"));
}

TEST(ReadVolume, RepairsWithNotes) {
    const TemporaryFolder folder;
    // Vertex 3 is nowhere used, 4 repeats 1, the second tetrahedron is inverted.
    const VolumeFile file = readVolume(
        folder.write("a.vtk",
                     "# vtk DataFile Version 2.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 7 double\n0 0 0\n1 0 "
                     "0\n0 1 0\n9 9 9\n1 0 0\n0 0 1\n1 1 1\nCELLS 2 10\n4 0 1 2 5\n4 4 2 6 5\nCELL_TYPES "
                     "2\n10\n10\n"),
        0.01);
    EXPECT_THAT(file.notes, ElementsAre(HasSubstr("a.vtk: 1 duplicate vertex merged"),
                                        HasSubstr("a.vtk: 1 vertex that no element uses left out (first: 3)"),
                                        HasSubstr("a.vtk: 1 inverted tetrahedron turned round")));
    EXPECT_THAT(file.vertexOf, ElementsAre(0, 1, 2, -1, 1, 3, 4));
    EXPECT_EQ(file.mesh.vertexCount(), 5);
    EXPECT_EQ(Vector3(file.mesh.positions.col(4)), Vector3::Constant(0.01));
    EXPECT_THAT(meshVertices(file, {0, 4, 5}, "a.bou"), ElementsAre(0, 1, 3));
    EXPECT_THAT(errorOf([&] { meshVertices(file, {3}, "a.bou"); }), HasSubstr("a.bou: vertex 4 belongs to no element"));
}

TEST(ReadVolume, RefusesElementsWithoutVolumeAndNaN) {
    const TemporaryFolder folder;
    const std::string head = "# vtk DataFile Version 2.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n";
    const std::string cells = "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n";
    EXPECT_THAT(errorOf([&] { readVolume(folder.write("a.vtk", head + "0 0 0 1 0 0 0 1 0 1 1 0\n" + cells)); }),
                HasSubstr("tetrahedron 0: degenerate tetrahedron"));
    EXPECT_THAT(errorOf([&] { readVolume(folder.write("a.vtk", head + "0 0 0 1 0 nan 0 1 0 1 1 1\n" + cells)); }),
                HasSubstr("vertex 1 is NaN or infinite"));
}

TEST(ReadVolume, VegStaysWhatReadVegSays) {
    const TemporaryFolder folder;
    const std::string path = folder.path("a.veg");
    writeVeg(brickBlock(2, 1, 1), path);
    const VolumeFile file = readVolume(path);
    EXPECT_THAT(file.notes, IsEmpty());
    EXPECT_EQ(file.mesh.positions, brickBlock(2, 1, 1).positions);
    EXPECT_EQ(file.mesh.kind, ElementKind::Brick);
    EXPECT_THAT(errorOf([] { readVolume("a.mesh"); }), HasSubstr("files that end in '.mesh' are no simulation meshes"));
}

// The place of the cells in the text was counted anew for each cell: a minute.
TEST(ReadVolume, ManyCellsOfAVtuAreReadInSeconds) {
    constexpr int count = 50000;
    VolumeMesh mesh;
    mesh.kind = ElementKind::Tetrahedron;
    mesh.positions.resize(3, 4 * count);
    mesh.elements.resize(4, count);
    for (int i = 0; i < count; ++i) {
        const Vector3 at(2.0 * i, 0.0, 0.0);
        mesh.positions.middleCols(4 * i, 4) << at, at + Vector3::UnitX(), at + Vector3::UnitY(), at + Vector3::UnitZ();
        mesh.elements.col(i) << 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3;
    }
    mesh.elementMaterial.assign(count, 0);
    mesh.materials = {{"soft", 900.0, 1e6, 0.3}};
    const TemporaryFolder folder;
    writeVtu(mesh, {}, folder.path("a.vtu"));
    const auto start = std::chrono::steady_clock::now();
    const VolumeFile file = readVolume(folder.path("a.vtu"));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(file.mesh.elements, mesh.elements);
    EXPECT_LT(taken.count(), 20.0);
}

}  // namespace
}  // namespace pliant::test
