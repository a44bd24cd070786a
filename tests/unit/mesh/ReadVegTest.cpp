// SPDX-License-Identifier: Zlib
#include <sys/stat.h>

#include <algorithm>

#include "ReferenceData.h"
#include "SampleMeshes.h"
#include "TemporaryFolder.h"
#include "pliant/mesh/ElementShape.h"
#include "pliant/mesh/ReadVeg.h"

namespace {

using namespace pliant;
using pliant::test::errorOf;
using pliant::test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string vertices = "*VERTICES\n5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n";
const std::string elements = "*ELEMENTS\nTET\n2 4 0\n1 1 2 3 4\n2 2 3 4 5\n";
const std::string material = "*MATERIAL wood\nENU, 700, 1e9, 0.3\n";
const std::string region = "*REGION\nallElements, wood\n";

TEST(ReadVeg, TwoRegionsCommentsAndLineEnds) {
    const TemporaryFolder folder;
    const VolumeMesh mesh =
        readVeg(folder.write("a.veg", "# two\r\n\r\n" + vertices + "\n  # between\n" + elements + material +
                                          "*MATERIAL cork # light\nENU, 240, 2e7, 0.01\n*SET upper part\n2,\n"
                                          "*SET lower\n 1\n*REGION\nupper part, cork\n*REGION\nlower, wood\n"));
    EXPECT_EQ(mesh.kind, ElementKind::Tetrahedron);
    EXPECT_EQ(mesh.vertexCount(), 5);
    EXPECT_EQ(mesh.elementCount(), 2);
    EXPECT_THAT(mesh.elementMaterial, ElementsAre(0, 1));
    EXPECT_EQ(mesh.materials[1].name, "cork");
    EXPECT_EQ(mesh.materials[1].density, 240.0);
    EXPECT_EQ(mesh.materials[1].youngsModulus, 2e7);
    EXPECT_EQ(mesh.materials[1].poissonRatio, 0.01);
    EXPECT_EQ(Vector3(mesh.positions.col(mesh.elements(3, 1))), Vector3(1, 1, 1));
}

TEST(ReadVeg, CountsFromZeroWhereTheFirstNumberIsZero) {
    const TemporaryFolder folder;
    const VolumeMesh mesh = readVeg(folder.write(
        "a.veg",
        "*VERTICES\n5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n*ELEMENTS\nTET\n2 4 0\n0 0 1 2 3\n"
        "1 1 2 3 4\n" +
            material + "*SET all\n0, 1\n*REGION\nall, wood\n"));
    EXPECT_EQ(mesh.elements(0, 0), 0);
    EXPECT_EQ(mesh.elements(3, 1), 4);
}

TEST(ReadVeg, IncludesCountFromTheIncludingFile) {
    const TemporaryFolder folder;
    folder.write("parts/materials.veg", "*INCLUDE wood.veg\n" + region);
    folder.write("parts/wood.veg", material);
    folder.write("vertices.txt", vertices.substr(vertices.find('\n') + 1));
    const VolumeMesh mesh = readVeg(
        folder.write("a.veg", "*VERTICES\n*INCLUDE vertices.txt\n" + elements + "*INCLUDE parts/materials.veg\n"));
    EXPECT_EQ(mesh.elementCount(), 2);
    EXPECT_EQ(mesh.materials[0].name, "wood");
}

TEST(ReadVeg, IncludeMistakes) {
    const TemporaryFolder folder;
    folder.write("b.veg", "\n*INCLUDE a.veg\n");
    const std::string path = folder.write("a.veg", vertices + "*INCLUDE b.veg\n");
    EXPECT_THAT(errorOf([&] { readVeg(path); }), HasSubstr("b.veg:2: *INCLUDE a.veg leads back"));
    const std::string absent = folder.write("c.veg", "*INCLUDE nowhere.veg\n");
    EXPECT_THAT(errorOf([&] { readVeg(absent); }), HasSubstr("c.veg:1: *INCLUDE nowhere.veg: no such file"));
    const std::string tooLong = folder.write("h.veg", "*INCLUDE " + std::string(5000, 'n') + "\n");
    EXPECT_THAT(errorOf([&] { readVeg(tooLong); }), HasSubstr("nn: no such file; the path counts"));
    const std::string nameless = folder.write("d.veg", "*INCLUDE\n");
    EXPECT_THAT(errorOf([&] { readVeg(nameless); }), HasSubstr("d.veg:1: *INCLUDE names no file"));
    const std::string twice = folder.write("f.veg", vertices + "*INCLUDE g.veg\n*INCLUDE ./g.veg\n");
    folder.write("g.veg", "\n");
    EXPECT_THAT(errorOf([&] { readVeg(twice); }), HasSubstr("*INCLUDE ./g.veg: the file is included already"));
    for (int i = 0; i < 100; ++i)
        folder.write("chain" + std::to_string(i), "*INCLUDE chain" + std::to_string(i + 1) + "\n");
    EXPECT_THAT(errorOf([&] { readVeg(folder.path("chain0")); }), HasSubstr("more than 64 files within each other"));
    folder.write("bad.txt", "*SET s\nten\n");
    const std::string inside = folder.write("e.veg", "*INCLUDE bad.txt\n");
    EXPECT_THAT(errorOf([&] { readVeg(inside); }), HasSubstr("bad.txt:2: \"ten\" is not an element number"));
}

// Nobody writes to the pipe, and the device has no end.
TEST(ReadVeg, PipesAndDevicesAreRefused) {
    const TemporaryFolder folder;
    const std::string pipe = folder.path("pipe.veg");
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_THAT(errorOf([&] { readVeg(pipe); }), HasSubstr("pipe.veg: is not a plain file"));
    EXPECT_THAT(errorOf([&] { readVeg("/dev/zero"); }), HasSubstr("/dev/zero: is not a plain file"));
}

class ReadVegMistakes : public testing::Test {
protected:
    std::string problem(const std::string& text) const {
        const std::string path = m_folder.write("a.veg", text);
        return errorOf([&] { readVeg(path); });
    }
    TemporaryFolder m_folder;
};

TEST_F(ReadVegMistakes, MissingAndEmpty) {
    EXPECT_THAT(errorOf([&] { readVeg(m_folder.path("absent.veg")); }), HasSubstr("absent.veg: cannot be read"));
    EXPECT_THAT(errorOf([&] { readVeg(m_folder.path("")); }), HasSubstr("is a folder"));
    EXPECT_THAT(problem(""), HasSubstr("the mesh is empty: no vertex"));
    EXPECT_THAT(problem(vertices), HasSubstr("the mesh is empty: no element"));
    EXPECT_THAT(problem("*VERTICES\n0 3 0 0\n"), HasSubstr("a.veg:2: 0 vertices announced"));
    EXPECT_THAT(problem("*VERTICES\n2000000000 3 0 0\n1 0 0 0\n"), HasSubstr("a.veg:2: 2000000000 vertices announced"));
    EXPECT_THAT(problem("*VERTICES\n"), HasSubstr("a.veg:1: the section ends before the number of vertices"));
    EXPECT_THAT(problem("stray words\n"), HasSubstr("a.veg:1: \"stray\" is no section"));
    EXPECT_THAT(problem("*VORTICES\n"), HasSubstr("a.veg:1: \"*VORTICES\" is no section"));
}

TEST_F(ReadVegMistakes, Vertices) {
    EXPECT_THAT(problem("*VERTICES\n2 3 0 0\n1 0 0 0\n\n*ELEMENTS\n"),
                HasSubstr("a.veg:1: the section ends before vertex 2"));
    EXPECT_THAT(problem("*VERTICES\n1 3 0 0\n1 0 0 0\n2 0 0 0\n"), HasSubstr("a.veg:4: more vertices than the 1"));
    EXPECT_THAT(problem("*VERTICES\n1 3 0 0\n5 0 0 0\n"), HasSubstr("a.veg:3: numbers of vertex start at 0 or 1"));
    EXPECT_THAT(problem("*VERTICES\n2 3 0 0\n1 0 0 0\n3 0 0 0\n"), HasSubstr("a.veg:4: vertex 3 is outside 1..2"));
    EXPECT_THAT(problem("*VERTICES\n2 3 0 0\n1 0 0 0\n1 0 0 0\n"), HasSubstr("a.veg:4: vertex 1 is defined twice"));
    EXPECT_THAT(problem("*VERTICES\n1 3 0 0\n1 0 0\n"), HasSubstr("a.veg:3: a vertex needs its number"));
    EXPECT_THAT(problem("*VERTICES\n1 3 0 0\n1 0 zero 0\n"), HasSubstr("a.veg:3: \"zero\" is not a coordinate"));
    EXPECT_THAT(problem("*VERTICES\n1 2 0 0\n1 0 0\n"), HasSubstr("a.veg:2: vertices of dimension 2"));
    EXPECT_THAT(problem(vertices + vertices), HasSubstr("*VERTICES is defined twice"));
    EXPECT_THAT(
        problem("*VERTICES\n5 3 0 0\n1 nan 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n" + elements + material + region),
        HasSubstr("a.veg:3: a coordinate is NaN or infinite"));
    EXPECT_THAT(problem("*VERTICES\n5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 -1e999\n" + elements + material +
                        region),
                HasSubstr("a.veg:7: a coordinate is NaN or infinite"));
}

TEST_F(ReadVegMistakes, Elements) {
    const std::string tail = material + region;
    const auto withElements = [&](const std::string& text) { return problem(vertices + "*ELEMENTS\n" + text + tail); };
    EXPECT_THAT(withElements("TET\n1 4 0\n1 1 2 3 9\n"), HasSubstr("a.veg:11: element names vertex 9, outside 1..5"));
    EXPECT_THAT(withElements("TET\n1 4 0\n1 0 1 2 3\n"), HasSubstr("a.veg:11: element names vertex 0, outside 1..5"));
    EXPECT_THAT(withElements("TET\n1 4 0\n1 2 1 3 4\n"), HasSubstr("a.veg:11: inverted tetrahedron, volume -0.16"));
    EXPECT_THAT(withElements("TET\n1 4 0\n1 2 2 3 4\n"), HasSubstr("a.veg:11: one vertex stands at two corners"));
    EXPECT_THAT(withElements("TET\n1 4 0\n1 1 2 3 4\n"), HasSubstr("a.veg:7: isolated vertex"));
    EXPECT_THAT(withElements("HEX\n1 8 0\n"), HasSubstr("a.veg:9: elements of kind \"HEX\""));
    EXPECT_THAT(withElements("CUBIC\n1 4 0\n"), HasSubstr("a.veg:10: CUBIC elements have 8 corners"));
    EXPECT_THAT(withElements("TET\n1 4 0\n1 1 2 3\n"), HasSubstr("a.veg:11: an element needs its number and 4"));
    EXPECT_THAT(withElements("TET\n2 4 0\n1 1 2 3 4\n1 2 3 4 5\n"), HasSubstr("a.veg:12: element 1 is defined twice"));
    EXPECT_THAT(withElements("TET\n1 4 0\n1 1 2 3 4\n2 2 3 4 5\n"), HasSubstr("a.veg:12: more elements than the 1"));
    EXPECT_THAT(problem(vertices + elements + elements), HasSubstr("*ELEMENTS is defined twice"));
}

TEST_F(ReadVegMistakes, MaterialsSetsRegions) {
    const std::string head = vertices + elements;  // 12 lines
    EXPECT_THAT(problem(head + material), HasSubstr("a.veg:11: element 1 belongs to no region"));
    EXPECT_THAT(problem(head + region), HasSubstr("a.veg:14: unknown material \"wood\""));
    EXPECT_THAT(problem(head + material + "*REGION\nlower, wood\n"), HasSubstr("a.veg:16: unknown set \"lower\""));
    EXPECT_THAT(problem(head + material + "*SET s\n1, 3\n*REGION\ns, wood\n"),
                HasSubstr("a.veg:16: set names element 3, outside 1..2"));
    EXPECT_THAT(problem(head + material + "*SET s\n1\n*REGION\ns, wood\n"),
                HasSubstr("a.veg:12: element 2 belongs to no region"));
    EXPECT_THAT(problem(head + material + region + "*SET s\n*REGION\ns, wood\n"),
                HasSubstr("the region's set \"s\" has no element"));
    EXPECT_THAT(problem(head + material + region + region), HasSubstr("a.veg:18: element 1 is in a region already"));
    EXPECT_THAT(problem(head + material + material), HasSubstr("a.veg:15: material \"wood\" is defined twice"));
    EXPECT_THAT(problem(head + "*SET s\n1\n*SET s\n2\n"), HasSubstr("a.veg:15: set \"s\" is defined twice"));
    EXPECT_THAT(problem(head + "*SET\n1\n"), HasSubstr("a.veg:13: *SET without a name"));
    EXPECT_THAT(problem(head + "*MATERIAL m\nMOONEYRIVLIN, 1, 2, 3\n"), HasSubstr("a.veg:14: material of kind"));
    EXPECT_THAT(problem(head + "*MATERIAL m\nENU, 700, 1e9\n"),
                HasSubstr("a.veg:14: ENU has 2 numbers instead of 3; ENU needs density, E and nu"));
    EXPECT_THAT(problem(head + material + "*REGION\nallElements wood\n"), HasSubstr("a region is \"set, material\""));
    EXPECT_THAT(problem(head + "*MATERIAL m\nENU, 700, 1e9, 0.5\n"),
                HasSubstr("a.veg:14: material \"m\": Poisson ratio 0.5 means incompressible"));
    EXPECT_THAT(problem(head + "*MATERIAL m\nENU, -700, 1e9, 0.3\n"),
                HasSubstr("a.veg:14: material \"m\": density -700"));
    EXPECT_THAT(problem(head + "*MATERIAL m\nENU, 700, 0, 0.3\n"),
                HasSubstr("a.veg:14: material \"m\": Young's modulus 0"));
    EXPECT_THAT(problem(head + "*MATERIAL m\nENU, 700, 1, -1.5\n"),
                HasSubstr("a.veg:14: material \"m\": Poisson ratio -1.5"));
}

struct ReferenceMesh {
    const char* name;
    ElementKind kind;
    int vertices, elements;
    double poissonRatio;  ///< of the first material
};

class ReadVegReference : public testing::TestWithParam<ReferenceMesh> {};

TEST_P(ReadVegReference, IsReadAndSurvivesARoundTrip) {
    const ReferenceMesh& expected = GetParam();
    const VolumeMesh mesh = readVeg(test::referencePath(expected.name));
    EXPECT_EQ(mesh.kind, expected.kind);
    EXPECT_EQ(mesh.vertexCount(), expected.vertices);
    EXPECT_EQ(mesh.elementCount(), expected.elements);
    EXPECT_EQ(mesh.materials[0].poissonRatio, expected.poissonRatio);
    const TemporaryFolder folder;
    writeVeg(mesh, folder.path("again.veg"));
    const VolumeMesh again = readVeg(folder.path("again.veg"));
    EXPECT_EQ(again.kind, mesh.kind);
    EXPECT_EQ(again.positions, mesh.positions);  // the same bits
    EXPECT_EQ(again.elements, mesh.elements);
    EXPECT_EQ(again.elementMaterial, mesh.elementMaterial);
}

const auto stemOf = [](const auto& parameters) {
    const std::string name(parameters.param.name);
    return name.substr(name.find('/') + 1, name.find('.') - name.find('/') - 1);
};

INSTANTIATE_TEST_SUITE_P(Meshes, ReadVegReference,
                         testing::Values(ReferenceMesh{"meshes/bar.veg", ElementKind::Brick, 108, 48, 0.42},
                                         ReferenceMesh{"meshes/arch.veg", ElementKind::Tetrahedron, 99, 240, 0.2}),
                         stemOf);
INSTANTIATE_TEST_SUITE_P(
    OutsideMeshes, ReadVegReference,
    testing::ValuesIn(
        test::outsideCases({ReferenceMesh{"meshes/beam3.veg", ElementKind::Brick, 208, 75, 0.45},
                            ReferenceMesh{"meshes/beam3_tet.veg", ElementKind::Tetrahedron, 208, 450, 0.45},
                            ReferenceMesh{"meshes/simpleBridge_voxel.veg", ElementKind::Brick, 3923, 1736, 0.45},
                            ReferenceMesh{"meshes/simpleBridge_tet.veg", ElementKind::Tetrahedron, 4000, 12827, 0.45}},
                           [](const ReferenceMesh& mesh) { return mesh.name; })),
    stemOf);

// Bricks of 0.1 x 0.08 x 0.06 m, eight by three by two of them.
TEST(ReadVeg, TheReferenceBarHasItsVolume) {
    const VolumeMesh bricks = readVeg(test::referencePath("meshes/bar.veg"));
    double volume = 0.0;
    for (int e = 0; e < bricks.elementCount(); ++e) {
        const Cuboid box = fitCuboid(elementCorners(bricks, e));
        volume += (box.upper - box.lower).prod();
    }
    EXPECT_NEAR(volume, 0.8 * 0.24 * 0.12, 1e-15);
}

TEST(WriteVeg, KeepsSeveralMaterialsAndRefusesBadTargets) {
    VolumeMesh mesh = test::brickBlock(2, 1, 1, Vector3(0.1, 0.2, 1.0 / 3.0));
    mesh.materials.resize(2);
    mesh.materials[0].name = "same name";
    mesh.materials[1].name = "same name";
    mesh.materials[1].youngsModulus = 1.0 / 3.0;
    mesh.elementMaterial = {1, 0};
    const TemporaryFolder folder;
    writeVeg(mesh, folder.path("a.veg"));
    EXPECT_EQ(folder.fileCount(), 1);  // nothing half-written stays
    const VolumeMesh again = readVeg(folder.path("a.veg"));
    EXPECT_THAT(again.elementMaterial, ElementsAre(1, 0));
    EXPECT_EQ(again.materials[1].youngsModulus, 1.0 / 3.0);
    EXPECT_EQ(again.positions, mesh.positions);
    EXPECT_THAT(errorOf([&] { writeVeg(mesh, folder.path("no/such/a.veg")); }), HasSubstr("cannot be written"));
    mesh.positions(0, 0) = std::nan("");
    EXPECT_THAT(errorOf([&] { writeVeg(mesh, folder.path("b.veg")); }), HasSubstr("NaN"));
    EXPECT_EQ(folder.fileCount(), 1);
}

}  // namespace
