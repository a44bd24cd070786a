// SPDX-License-Identifier: Zlib
#include <cmath>

#include "ReferenceData.h"
#include "TemporaryFolder.h"
#include "pliant/mesh/ReadObj.h"

namespace {

using namespace pliant;
using pliant::test::errorOf;
using pliant::test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// As strtod() rounds them; a sum of digits times powers of ten is off by some units in the last place.
TEST(ReadObj, NumbersAreRoundedCorrectly) {
    const TemporaryFolder folder;
    const SurfaceMesh mesh = readObj(
        folder.write("a.obj",
                     "v 0 0 0.12345678901234567\nv 1 0 0\nv 0 1 0\nvt 0.12345678901234567 7.7777777777777775e+73\n"
                     "vt 1e-30 0.3\nvt 0.98765432109876543\nvn 0.12345678901234567 0 0\nf 1/1/1 2/2/1 3/3/1\n"));
    EXPECT_EQ(mesh.positions(2, 0), 0.12345678901234567);
    Eigen::Matrix<double, 2, 3> texcoords;
    texcoords << 0.12345678901234567, 1e-30, 0.98765432109876543, 7.7777777777777775e+73, 0.3, 0.0;
    EXPECT_EQ(mesh.texcoords, texcoords);
    EXPECT_EQ(Vector3(mesh.normals.col(0)), Vector3(1, 0, 0));
}

TEST(ReadObj, MaterialsGroupsPolygonsAndNegativeIndices) {
    const TemporaryFolder folder;
    folder.write(
        "m.mtl",
        "newmtl red\nKd 1 0 0\nKs 0.5 0.25 0\nNs 32\nd 0.75\nnewmtl wicker\nKd 0.5 0.4 0.3\nmap_Kd C:\\art\\w.png\n");
    folder.write("w.png", "any bytes");
    const std::string path = folder.write(
        "a.obj",
        "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 2\n"
        "g one\nusemtl wicker\nf 1/1/1 2/2/1 \\\n 3/3/1 4/4/1  # a quad over two lines\ng two\no thing\nusemtl red\n"
        "f -1//1 -3//1 -4//1\n");
    std::vector<std::string> warnings;
    const SurfaceMesh mesh = readObj(path, &warnings);
    EXPECT_THAT(warnings, IsEmpty());
    EXPECT_EQ(mesh.triangleCount(), 3);
    EXPECT_EQ(mesh.vertexCount(), 7);  // four of the quad, three of the triangle (no texture coordinate)
    ASSERT_EQ(mesh.materials.size(), 2U);
    EXPECT_THAT(mesh.triangleMaterial, ElementsAre(1, 1, 0));
    EXPECT_EQ(mesh.materials[0].diffuse, Vector3(1, 0, 0));
    EXPECT_EQ(mesh.materials[0].specular, Vector3(0.5, 0.25, 0));
    EXPECT_EQ(mesh.materials[0].shininess, 32.0);
    EXPECT_DOUBLE_EQ(mesh.materials[0].opacity, 0.75);
    EXPECT_EQ(mesh.materials[1].diffuseTexture, folder.path("w.png"));  // found beside, though named elsewhere
    EXPECT_EQ(Eigen::Vector2d(mesh.texcoords.col(2)), Eigen::Vector2d(1, 1));
    EXPECT_EQ(Vector3(mesh.normals.col(0)), Vector3(0, 0, 1));  // the file's (0, 0, 2) at unit length
    EXPECT_EQ(Vector3(mesh.positions.col(4)), Vector3(2, 0, 0));
    EXPECT_EQ(mesh.colours.cols(), 0);
}

// Modelling programs name materials and their files so; the colours were lost with a note for each word.
TEST(ReadObj, NamesOfMaterialsHaveBlanks) {
    const TemporaryFolder folder;
    folder.write("my colours.mtl", "\xEF\xBB\xBFnewmtl Dark Wood\nKd 1 0 0\nnewmtl Material #25\nKd 0 1 0\n");
    const std::string faces =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl Dark Wood\nf 1 2 3\nusemtl Material #25\nf 1 3 2\n"
        "usemtl Dark Wood # again\nf 2 3 1\nusemtl Steel\nf 3 2 1\n";
    for (const char* library : {"mtllib my colours.mtl\n", "mtllib .\\my colours.mtl # beside\n"}) {
        std::vector<std::string> warnings;
        const SurfaceMesh mesh = readObj(folder.write("a.obj", library + faces), &warnings);
        ASSERT_EQ(mesh.materials.size(), 3U);
        EXPECT_THAT(mesh.triangleMaterial, ElementsAre(0, 1, 0, 2));
        EXPECT_EQ(mesh.materials[0].diffuse, Vector3(1, 0, 0));
        EXPECT_EQ(mesh.materials[1].diffuse, Vector3(0, 1, 0));
        EXPECT_THAT(warnings, ElementsAre(HasSubstr("no file of materials has \"Steel\"; drawn grey")));
    }
}

TEST(ReadObj, SeveralFilesOfMaterialsInALine) {
    const TemporaryFolder folder;
    folder.write("a.mtl", "newmtl red\nKd 1 0 0\n");
    folder.write("b.mtl", "newmtl green\nKd 0 1 0\n");
    const SurfaceMesh mesh = readObj(folder.write(
        "s.obj", "mtllib a.mtl b.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl green\nf 1 2 3\nusemtl red\nf 1 3 2\n"));
    ASSERT_EQ(mesh.materials.size(), 2U);
    EXPECT_THAT(mesh.triangleMaterial, ElementsAre(1, 0));
}

// One file that was missing kept quiet what the others do not have.
TEST(ReadObj, NamesThatNoFileHasAreToldBesideAMissingFile) {
    const TemporaryFolder folder;
    folder.write("a.mtl", "newmtl red\nKd 1 0 0\n");
    std::vector<std::string> warnings;
    readObj(folder.write("s.obj",
                         "mtllib a.mtl\nmtllib b.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl green\nf 1 2 3\nusemtl red\n"
                         "f 1 3 2\n"),
            &warnings);
    EXPECT_THAT(warnings,
                ElementsAre(HasSubstr("b.mtl\" is not there"), HasSubstr("no file of materials has \"green\"")));
}

TEST(ReadObj, VertexColoursAndExactNumbers) {
    const TemporaryFolder folder;
    const SurfaceMesh mesh = readObj(folder.write(
        "a.obj", "v 0.1 0.2 0.30000000000000004 1 0 0\nv +1 0 1e-3 0 1 0\nv 0 1 0 0.25 0.5 0.75\nf 1 2 3\n"));
    EXPECT_EQ(Vector3(mesh.positions.col(0)), Vector3(0.1, 0.2, 0.30000000000000004));  // the same bits
    ASSERT_EQ(mesh.colours.cols(), 3);
    EXPECT_EQ(Eigen::Vector4f(mesh.colours.col(2)), Eigen::Vector4f(0.25F, 0.5F, 0.75F, 1.0F));
    EXPECT_EQ(mesh.texcoords.cols(), 0);
    ASSERT_EQ(mesh.materials.size(), 1U);
    EXPECT_EQ(mesh.materials[0].diffuse, Vector3(0.8, 0.8, 0.8));
    // Colours on some vertices only say nothing about the others: none are used. A fourth number is no colour.
    EXPECT_EQ(readObj(folder.write("b.obj", "v 0 0 0 1 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")).colours.cols(), 0);
    EXPECT_EQ(readObj(folder.write("c.obj", "v 0 0 0 1\nv 1 0 0 1\nv 0 1 0 1\nf 1 2 3\n")).colours.cols(), 0);
}

TEST(ReadObj, MissingNormalsAreComputed) {
    const TemporaryFolder folder;
    const SurfaceMesh mesh =
        readObj(folder.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvn 1 0 0\nf 1 2 3\nf 2//1 4//1 3//1\n"));
    ASSERT_EQ(mesh.vertexCount(), 6);
    EXPECT_EQ(Vector3(mesh.normals.col(0)), Vector3(0, 0, 1));
    EXPECT_EQ(Vector3(mesh.normals.col(3)), Vector3(1, 0, 0));  // the file's own is kept
}

TEST(ReadObj, ToleratesWithAWarning) {
    const TemporaryFolder folder;
    const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl x\nf 1 2 3\n";
    std::vector<std::string> warnings;
    const SurfaceMesh plain = readObj(folder.write("a.obj", "mtllib absent.mtl\n" + triangle), &warnings);
    EXPECT_EQ(plain.materials.size(), 1U);
    EXPECT_THAT(warnings, testing::Contains(HasSubstr("absent.mtl")));
    EXPECT_EQ(readObj(folder.path("a.obj")).triangleCount(), 1);  // without a list as well

    warnings.clear();
    folder.write("t.mtl", "newmtl x\nmap_Kd art/no.png\n");
    const SurfaceMesh textured = readObj(folder.write("b.obj", "mtllib t.mtl\n" + triangle), &warnings);
    EXPECT_EQ(textured.materials[0].diffuseTexture, folder.path("art/no.png"));
    EXPECT_THAT(warnings, ElementsAre(HasSubstr("art/no.png: texture cannot be read")));

    warnings.clear();
    EXPECT_EQ(readObj(folder.write("c.obj", triangle + "f 1 2\n"), &warnings).triangleCount(), 1);
    EXPECT_THAT(warnings, testing::Contains(HasSubstr("c.obj:6: face of 2 corners left out")));

    warnings.clear();
    const SurfaceMesh pinched = readObj(folder.write("d.obj", triangle + "v 1 0 0\nf 2 3 4\n"), &warnings);
    EXPECT_EQ(pinched.triangleCount(), 1);
    EXPECT_EQ(pinched.vertexCount(), 3);
    EXPECT_THAT(warnings, testing::Contains(HasSubstr("1 triangles with two corners at one place left out")));
    EXPECT_EQ(readObj(folder.write("e.obj", "\xEF\xBB\xBF" + triangle)).triangleCount(), 1);  // byte order mark
}

TEST(ReadObj, EveryMistakeIsNamedWithItsLine) {
    const TemporaryFolder folder;
    const auto problem = [&](const std::string& text) {
        const std::string path = folder.write("a.obj", text);
        return errorOf([&] { readObj(path); });
    };
    const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    EXPECT_THAT(errorOf([&] { readObj(folder.path("absent.obj")); }), HasSubstr("absent.obj: cannot be read: No such"));
    EXPECT_THAT(errorOf([&] { readObj(folder.path("")); }), HasSubstr("is a folder"));
    EXPECT_THAT(problem(""), HasSubstr("a.obj: the mesh is empty: no face"));
    EXPECT_THAT(problem(points), HasSubstr("a.obj: the mesh is empty: no face"));
    for (const std::string mark : {"\xFF\xFE", "\xFE\xFF"})
        EXPECT_THAT(problem(mark + std::string("v\0 \0", 4)), HasSubstr("a.obj: is text in UTF-16; save it in UTF-8"));
    EXPECT_THAT(problem(points + "f 1 2\n"), HasSubstr("the mesh is empty"));
    EXPECT_THAT(problem(points + "f 1 1 2\n"), HasSubstr("the surface is empty"));
    EXPECT_THAT(problem("v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n"), HasSubstr("a.obj:2: vertex data is nan"));
    EXPECT_THAT(problem("v 0 0 0\nv 1 0 0\n\nv 0 -inf 0\nf 1 2 3\n"), HasSubstr("a.obj:4: vertex data is -inf"));
    EXPECT_THAT(problem("v 0 0 0\nv 1e999 0 0\nv 0 1 0\nf 1 2 3\n"), HasSubstr("a.obj:2: vertex data is 1e999"));
    EXPECT_THAT(problem("v 0 0\nf 1 1 1\n"), HasSubstr("a.obj:1: \"v\" needs 3 numbers"));
    EXPECT_THAT(problem("v 0 0 1,5\nf 1 1 1\n"), HasSubstr("a.obj:1: \"1,5\" is not a number"));
    EXPECT_THAT(problem(points + "f 1 2 4\n"), HasSubstr("a.obj:4: face names v 4, but there are 3"));
    EXPECT_THAT(problem(points + "f 0 1 2\n"), HasSubstr("a.obj:4: face names v 0"));
    EXPECT_THAT(problem("v 0 0 0\nf -1 -1 -2\nv 1 1 1\n"),
                HasSubstr("a.obj:2: face names v -2, but there are 1 so far"));
    EXPECT_THAT(problem(points + "vt 0 0\nf 1/1 2/2 3/1\n"), HasSubstr("a.obj:5: face names vt 2, but there are 1"));
    EXPECT_THAT(problem(points + "f 1//1 2//1 3//1\n"), HasSubstr("a.obj:4: face names vn 1, but there are 0"));
    EXPECT_THAT(problem(points + "f 1 2 three\n"), HasSubstr("a.obj:4: \"three\" is not a face corner"));
    EXPECT_THAT(problem(points + "f 1/ 2 3\n"), HasSubstr("\"1/\" is not a face corner"));
    EXPECT_THAT(problem(points + "f 1/1/1/1 2 3\n"), HasSubstr("a.obj:4: "));
    std::string wheel = points + "f";
    for (int i = 0; i < 256; ++i) wheel += " 1";
    EXPECT_THAT(problem(wheel + "\n"), HasSubstr("a.obj:4: a face of 256 corners"));
}

struct ReferenceSurface {
    const char* name;
    int triangles, vertices;
};

class ReadObjReference : public testing::TestWithParam<ReferenceSurface> {};

TEST_P(ReadObjReference, IsRead) {
    const SurfaceMesh mesh = readObj(test::referencePath(GetParam().name));
    EXPECT_EQ(mesh.triangleCount(), GetParam().triangles);
    EXPECT_EQ(mesh.vertexCount(), GetParam().vertices);
    for (int v = 0; v < mesh.vertexCount(); ++v) ASSERT_NEAR(mesh.normals.col(v).norm(), 1.0, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Meshes, ReadObjReference,
                         testing::Values(ReferenceSurface{"media/solids/cow.obj", 14072, 7038},
                                         ReferenceSurface{"media/sheet/sheet.obj", 1256, 630},
                                         ReferenceSurface{"meshes/kettle.obj", 2024, 1144}));
INSTANTIATE_TEST_SUITE_P(OutsideMeshes, ReadObjReference,
                         testing::ValuesIn(test::outsideCases({ReferenceSurface{"meshes/spot.obj", 5856, 3225},
                                                               ReferenceSurface{"meshes/teapot.obj", 6320, 3644},
                                                               ReferenceSurface{"meshes/simpleBridge.obj", 32012,
                                                                                61611}},
                                                              [](const ReferenceSurface& s) { return s.name; })));

}  // namespace
