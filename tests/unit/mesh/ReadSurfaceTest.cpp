// SPDX-License-Identifier: Zlib
// Every surface format: the same corner of a box, read back exactly; and what each reader refuses.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "TemporaryFolder.h"
#include "pliant/mesh/MeshSize.h"
#include "pliant/mesh/ReadObj.h"
#include "pliant/mesh/ReadSurface.h"

namespace {

using namespace pliant;
using pliant::test::errorOf;
using pliant::test::TemporaryFolder;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

// No float holds this number; a reader that passes through single precision is found out.
constexpr double finely = 1.1234567890123457;

/// A tetrahedron's surface, outward, with the vertex (0, finely, 0).
const char* const offText =
    "OFF # a comment\n\n4 4 6\n0 0 0\n1 0 0\n0 1.1234567890123457 0\n0 0 1\n"
    "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3 255 0 0\n";

const char* const plyHeader =
    "ply\nformat ascii 1.0\ncomment made by hand\ncomment TextureFile skin.png\nelement vertex 4\nproperty double x\n"
    "property double y\nproperty double z\nproperty float s\nproperty float t\nproperty uchar red\nproperty uchar "
    "green\nproperty uchar blue\nelement face 4\nproperty uchar flags\nproperty list uchar int "
    "vertex_indices\nend_header\n";
const char* const plyVertices =
    "0 0 0 0 0 255 0 0\n1 0 0 1 0 0 255 0\n0 1.1234567890123457 0 0 1 0 0 255\n0 0 1 1 1 255 255 255\n";
const char* const plyFaces = "7 3 0 2 1\n7 3 0 1 3\n7 3 0 3 2\n7 3 1 2 3\n";

void expectTetrahedron(const SurfaceMesh& mesh, double y = finely) {
    ASSERT_EQ(mesh.vertexCount(), 4);
    ASSERT_EQ(mesh.triangleCount(), 4);
    double volume = 0.0, highest = 0.0;
    for (int t = 0; t < 4; ++t) {
        const Vector3 a = mesh.positions.col(mesh.triangles(0, t)), b = mesh.positions.col(mesh.triangles(1, t)),
                      c = mesh.positions.col(mesh.triangles(2, t));
        volume += a.dot(b.cross(c)) / 6.0;
    }
    for (int v = 0; v < 4; ++v) {
        highest = std::max(highest, mesh.positions(1, v));
        EXPECT_NEAR(mesh.normals.col(v).norm(), 1.0, 1e-12);
        EXPECT_GT(mesh.normals.col(v).dot(mesh.positions.col(v) - Vector3::Constant(0.2)), 0.0) << "normal inwards";
    }
    EXPECT_EQ(highest, y);
    EXPECT_NEAR(volume, y / 6.0, 1e-9);
}

TEST(ReadSurface, OffKeepsDoublesAndOrder) {
    const TemporaryFolder folder;
    const SurfaceFile file = readSurface(folder.write("a.OFF", offText));
    EXPECT_THAT(file.notes, IsEmpty());
    expectTetrahedron(file.mesh);
    EXPECT_EQ(file.mesh.positions(1, 2), finely);
}

TEST(ReadSurface, OffWithColoursNormalsAndPolygons) {
    const TemporaryFolder folder;
    const SurfaceFile file = readSurface(folder.write(
        "a.off",
        "CNOFF 4 1 0\n0 0 0 0 0 1 255 0 0\n1 0 0 0 0 1 0 255 0\n1 1 0 0 0 1 0 0 255\n0 1 0 0 0 1 0 0 0\n4 0 1 2 "
        "3\n"));
    EXPECT_EQ(file.mesh.triangleCount(), 2);
    EXPECT_EQ(file.mesh.colours(0, 0), 1.0F);
    EXPECT_EQ(file.mesh.colours(2, 2), 1.0F);
    EXPECT_EQ(Vector3(file.mesh.normals.col(3)), Vector3::UnitZ());
}

TEST(ReadSurface, OffRefusals) {
    const TemporaryFolder folder;
    const auto problem = [&](const std::string& text) {
        return errorOf([&] { readSurface(folder.write("a.off", text)); });
    };
    EXPECT_THAT(problem("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 nan\n3 0 1 2\n"), HasSubstr("a.off:5: vertex data is nan"));
    EXPECT_THAT(problem("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 9\n"),
                HasSubstr("a.off:6: face names vertex 9, but there are 3"));
    EXPECT_THAT(problem("OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"), HasSubstr("the file ends before face 1 of 2"));
    EXPECT_THAT(problem("OFF\n900 1 0\n"), HasSubstr("which the file does not hold"));
    EXPECT_THAT(problem("4OFF\n1 0 0\n"), HasSubstr("a.off:1: "));
    EXPECT_THAT(problem(""), HasSubstr("the file is empty"));
}

TEST(ReadSurface, PlyAsciiKeepsDoublesTextureAndColours) {
    const TemporaryFolder folder;
    const std::string texture = folder.write("skin.png", "any");
    const SurfaceFile file = readSurface(folder.write("a.ply", std::string(plyHeader) + plyVertices + plyFaces));
    EXPECT_THAT(file.notes, IsEmpty());
    expectTetrahedron(file.mesh);
    EXPECT_EQ(file.mesh.texcoords(1, 3), 1.0);
    EXPECT_EQ(file.mesh.colours(1, 1), 1.0F);
    EXPECT_EQ(file.mesh.colours(3, 1), 1.0F);
    EXPECT_EQ(file.mesh.materials.at(0).diffuseTexture, texture);
}

template <typename Number>
void append(std::string& bytes, Number value, bool big) {
    char raw[sizeof(Number)];
    std::memcpy(raw, &value, sizeof value);
    if (big) std::reverse(raw, raw + sizeof value);
    bytes.append(raw, sizeof raw);
}

std::string binaryPly(bool big) {
    std::string bytes = "ply\nformat binary_" + std::string(big ? "big" : "little") +
                        "_endian 1.0\nelement vertex 4\nproperty double x\nproperty double y\nproperty double "
                        "z\nelement face 4\nproperty list uchar uint vertex_index\nend_header\n";
    for (const double x : {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, finely, 0.0, 0.0, 0.0, 1.0}) append(bytes, x, big);
    int corner = 0;
    for (const std::uint32_t v : {0U, 2U, 1U, 0U, 1U, 3U, 0U, 3U, 2U, 1U, 2U, 3U}) {
        if (corner++ % 3 == 0) append(bytes, std::uint8_t(3), big);
        append(bytes, v, big);
    }
    return bytes;
}

TEST(ReadSurface, PlyBinaryOfBothByteOrders) {
    const TemporaryFolder folder;
    expectTetrahedron(readSurface(folder.write("a.ply", binaryPly(false))).mesh);
    expectTetrahedron(readSurface(folder.write("b.ply", binaryPly(true))).mesh);
}

TEST(ReadSurface, PlyPassesOverOtherElements) {
    const TemporaryFolder folder;
    std::string text = std::string(plyHeader) + plyVertices + "0 1\n1 2\n" + plyFaces;
    text.replace(text.find("element face"), 0,
                 "element edge 2\nproperty int vertex1\nproperty int vertex2\nelement nothing 2000000000\n");
    expectTetrahedron(readSurface(folder.write("a.ply", text)).mesh);
}

TEST(ReadPly, RemarksAboveTheElementsNeedNoWord) {
    const TemporaryFolder folder;
    std::string text = std::string(plyHeader) + plyVertices + plyFaces;
    text.replace(text.find("comment made by hand"), 20, "Created by hand, source file:");
    expectTetrahedron(readSurface(folder.write("a.ply", text)).mesh);
}

TEST(ReadSurface, PlyRefusals) {
    const TemporaryFolder folder;
    const auto problem = [&](const std::string& text) {
        return errorOf([&] { readSurface(folder.write("a.ply", text)); });
    };
    const std::string header = plyHeader, vertices = plyVertices, faces = plyFaces;
    EXPECT_THAT(problem(header + "0 0 0 0 0 1 1 1\n1 nan 0 0 0 1 1 1\n"), HasSubstr("a.ply:19: vertex 1 is NaN"));
    EXPECT_THAT(problem(header + vertices + "7 3 0 1 77\n"),
                HasSubstr("a.ply:22: face names vertex 77, but there are 4"));
    EXPECT_THAT(problem(header + vertices + "7 3 0 1 2\n"), HasSubstr("the file ends before face 1 of 4"));
    EXPECT_THAT(problem(header + "0 0 0\n"), HasSubstr("numbers are missing in vertex 0 of 4"));
    EXPECT_THAT(problem("hello\n"), HasSubstr("a.ply:1: is no .ply"));
    EXPECT_THAT(problem("ply\nformat ascii 1.0\nelement vertex 4\nproprety double x\n"),
                HasSubstr("a.ply:4: \"proprety\" is no word of a .ply header"));
    EXPECT_THAT(problem("ply\nformat ascii 1.0\nelement vertex"), HasSubstr("the header has no end"));
    const std::string lists =
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty list uchar float x\nproperty float y\nproperty float z\n";
    EXPECT_THAT(problem(lists + "end_header\n0 1 2\n"), HasSubstr("the property x of the vertices is a list"));
    const std::string binary = binaryPly(false);
    EXPECT_THAT(problem(binary.substr(0, binary.size() - 5)), HasSubstr("the file ends inside it"));
}

const char* const stlFacet =
    "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1 0\n endloop\nendfacet\n";

std::string stlOfTetrahedron() {
    const double x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, finely, 0}, {0, 0, 1}};
    const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    std::string text = "solid made by hand\n";
    for (const auto& face : faces) {
        text += "facet normal 0 0 0\nouter loop\n";
        for (const int v : face)
            text += "vertex " + std::to_string(x[v][0]) + " " + (v == 2 ? "1.1234567890123457" : "0") + " " +
                    std::to_string(x[v][2]) + "\n";
        text += "endloop\nendfacet\n";
    }
    return text + "endsolid\n";
}

TEST(ReadSurface, StlAsciiMergesCorners) {
    const TemporaryFolder folder;
    const SurfaceFile file = readSurface(folder.write("a.stl", stlOfTetrahedron()));
    expectTetrahedron(file.mesh);
    EXPECT_THAT(file.notes, Contains(HasSubstr("8 duplicate vertices merged")));
}

TEST(ReadSurface, StlBinary) {
    const TemporaryFolder folder;
    const float x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1.5F, 0}, {0, 0, 1}};
    const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    std::string bytes = "solid but binary all the same";
    bytes.resize(80, ' ');
    append(bytes, std::uint32_t(4), false);
    for (const auto& face : faces) {
        for (int k = 0; k < 3; ++k) append(bytes, 0.0F, false);
        for (const int v : face)
            for (const float c : x[v]) append(bytes, c, false);
        append(bytes, std::uint16_t(0), false);
    }
    expectTetrahedron(readSurface(folder.write("a.stl", bytes)).mesh, 1.5);
    bytes.pop_back();
    EXPECT_THAT(errorOf([&] { readSurface(folder.write("b.stl", bytes)); }), HasSubstr("b.stl: is no .stl"));
}

TEST(ReadSurface, StlRefusals) {
    const TemporaryFolder folder;
    const auto problem = [&](const std::string& text) {
        return errorOf([&] { readSurface(folder.write("a.stl", text)); });
    };
    EXPECT_THAT(problem(std::string("solid a\n") + stlFacet), HasSubstr("inside a solid: no \"endsolid\""));
    EXPECT_THAT(problem("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n"),
                HasSubstr("a.stl:4: vertex is NaN"));
    EXPECT_THAT(problem("solid a\nouter loop\nvertex 0 0 0\nendloop\nendsolid\n"), HasSubstr("a facet of 1 corners"));
    EXPECT_THAT(problem("solid a\nendsolid a\n"), HasSubstr("the surface is empty"));
}

TEST(ReadSurface, UnitsScaleToMetres) {
    const TemporaryFolder folder;
    const std::string path = folder.write("a.off", offText);
    EXPECT_EQ(readSurface(path, 0.001).mesh.positions(1, 2), finely * 0.001);
    EXPECT_THAT(errorOf([&] { readSurface(path, 0.0); }), HasSubstr("give a positive length"));
}

TEST(ReadSurface, ObjStaysWhatReadObjSays) {
    const TemporaryFolder folder;
    const std::string path = folder.write("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    const SurfaceMesh direct = readObj(path);
    const SurfaceFile file = readSurface(path);
    EXPECT_THAT(file.notes, IsEmpty());
    EXPECT_EQ(file.mesh.positions, direct.positions);
    EXPECT_EQ(file.mesh.triangles, direct.triangles);
}

// Exporters that count transparency the other way round had made bodies that nobody saw.
TEST(ReadSurface, WhatIsWhollyTransparentIsDrawn) {
    const TemporaryFolder folder;
    folder.write("m.mtl", "newmtl glass\nd 0\nnewmtl thin glass\nd 0.25\n");
    const SurfaceFile file = readSurface(
        folder.write("a.obj", "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl glass\nf 1 2 3\nf 1 2 4\n"));
    EXPECT_EQ(file.mesh.materials[0].opacity, 1.0);
    EXPECT_EQ(file.mesh.materials[1].opacity, 0.25);
    EXPECT_THAT(file.notes, Contains(HasSubstr("\"glass\": wholly transparent in the file")));
}

// Helper hulls and collision shapes beside what is drawn came into the picture.
TEST(ReadSurface, WhatIsInvisibleBesideVisiblePartsStays) {
    const TemporaryFolder folder;
    folder.write("m.mtl", "newmtl skin\nd 1\nnewmtl hull\nd 0\nnewmtl unused\nd 0\n");
    const SurfaceFile file = readSurface(folder.write(
        "a.obj", "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl skin\nf 1 2 3\nusemtl hull\nf 1 4 2\n"));
    EXPECT_EQ(file.mesh.materials[1].opacity, 0.0);
    EXPECT_THAT(file.notes,
                testing::ElementsAre(testing::AllOf(HasSubstr("\"hull\": wholly transparent"), HasSubstr("not seen"))));
}

// Distances of repairs were those of the file's unit, told in metres.
TEST(ReadSurface, RepairsAreToldInMetres) {
    const TemporaryFolder folder;
    // A tetrahedron of 100 mm, one corner of which is there twice, 0.0003 mm apart.
    const std::string path = folder.write(
        "a.off", "OFF\n5 4 0\n0 0 0\n100 0 0\n0 100 0\n0 0 100\n0 0 100.0003\n3 0 2 1\n3 0 1 3\n3 0 4 2\n3 1 2 3\n");
    EXPECT_THAT(readSurface(path, 0.001).notes, Contains(HasSubstr("1 vertex moved by at most 1.7e-06 m")));
}

// A model of a ship told of each of its textures up to ten times.
TEST(ReadSurface, ATextureThatManyMaterialsLackIsToldOnce) {
    const TemporaryFolder folder;
    folder.write("m.mtl", "newmtl hull\nmap_Kd ship.png\nnewmtl deck\nmap_Kd ship.png\n");
    const SurfaceFile file = readSurface(folder.write(
        "a.obj", "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl hull\nf 1 2 3\nusemtl deck\nf 1 4 2\n"));
    EXPECT_THAT(file.notes, testing::ElementsAre(HasSubstr("ship.png: texture cannot be read")));
}

// In so large a mesh many corners are at one place: a triangle beside a wall has none away from their edge, and it was
// looked for without end.
TEST(ReadSurface, AWallBesideATriangleWithoutWidthIsRead) {
    const TemporaryFolder folder;
    const SurfaceFile file = readSurface(
        folder.write("a.obj",
                     "v 0 1 0\nv 0 1 0\nv 1 0 0\nv 21474168 1834 0\nv 0 1 0\nv 1 0 0\nv 21474836481 1 0\nv 0 0 1\n"
                     "f -1 -1 -4 3 4\nf -1 -2 -4 3 4\nf -1 -2 -4\n"));
    EXPECT_GT(file.mesh.triangleCount(), 0);
}

TEST(ReadSurface, OtherExtensionsAreRefusedByName) {
    EXPECT_THAT(errorOf([] { readSurface("a.blend"); }),
                HasSubstr("files that end in '.blend' are no surfaces that can be read; give one of .obj, .ply"));
    EXPECT_TRUE(isSurfaceFile("Cow.GLB"));
    EXPECT_FALSE(isSurfaceFile("cow.veg"));
}

}  // namespace
