// SPDX-License-Identifier: Zlib
// Every format of simulation meshes: two tetrahedra in two regions, read back exactly; repairs; and what is refused.
#include <cstdint>

#include "SampleMeshes.h"
#include "TemporaryFolder.h"
#include "pliant/mesh/BinaryFile.h"
#include "pliant/mesh/MeshTopology.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/mesh/ReadVolume.h"
#include "pliant/mesh/WriteVtk.h"

namespace {

using namespace pliant;
using pliant::test::errorOf;
using pliant::test::TemporaryFolder;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Two tetrahedra on one face; vertex 1 at (1.1234567890123457, 0, 0). Positions of all formats below.
VolumeMesh twoTetrahedra() {
    VolumeMesh mesh;
    mesh.positions.resize(3, 5);
    mesh.positions << 0, 1.1234567890123457, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1;
    mesh.elements.resize(4, 2);
    mesh.elements << 0, 1, 1, 2, 2, 3, 3, 4;
    mesh.elementMaterial = {0, 1};
    mesh.materials.resize(2);
    return mesh;
}

void expectTwoTetrahedra(const VolumeFile& file, const std::string& first, const std::string& second) {
    const VolumeMesh expected = twoTetrahedra();
    EXPECT_EQ(file.mesh.positions, expected.positions);
    EXPECT_EQ(file.mesh.elements, expected.elements);
    EXPECT_EQ(file.mesh.elementMaterial, expected.elementMaterial);
    ASSERT_EQ(file.mesh.materials.size(), 2U);
    EXPECT_EQ(file.mesh.materials[0].name, first);
    EXPECT_EQ(file.mesh.materials[1].name, second);
    EXPECT_THAT(file.vertexOf, ElementsAre(0, 1, 2, 3, 4));
}

const std::string gmshNodes22 = "$Nodes\n5\n1 0 0 0\n2 1.1234567890123457 0 0\n30 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n";

TEST(ReadVolume, Gmsh22TakesPhysicalGroupsAsRegions) {
    const TemporaryFolder folder;
    const VolumeFile file = readVolume(
        folder.write("a.msh",
                     "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 1 \"skin\"\n3 7 \"soft core\"\n3 9 "
                     "\"shell\"\n$EndPhysicalNames\n" +
                         gmshNodes22 +
                         "$Elements\n4\n1 15 2 0 1 1\n2 2 2 1 1 1 2 30\n3 4 2 7 1 1 2 30 4\n4 4 2 9 2 2 30 4 "
                         "5\n$EndElements\n$Custom\nwhat ever\n$EndCustom\n"));
    expectTwoTetrahedra(file, "soft core", "shell");
    EXPECT_FALSE(file.hasMaterials);
    EXPECT_THAT(file.notes, IsEmpty());
}

const std::string gmshHead41 =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n3 7 \"core\"\n3 9 \"shell\"\n$EndPhysicalNames\n"
    "$Entities\n1 0 1 2\n1 0 0 0 0\n1 0 0 0 1 1 1 1 5 0\n1 0 0 0 1 1 1 1 7 1 1\n2 0 0 0 1 1 1 1 9 1 "
    "-1\n$EndEntities\n"
    "$Nodes\n2 5 1 30\n0 1 0 1\n1\n0 0 0\n3 1 0 4\n2\n30\n4\n5\n1.1234567890123457 0 0\n0 1 0\n0 0 1\n1 1 "
    "1\n$EndNodes\n";

TEST(ReadVolume, Gmsh41TakesPhysicalGroupsAsRegions) {
    const TemporaryFolder folder;
    const VolumeFile file = readVolume(folder.write(
        "a.msh", gmshHead41 + "$Elements\n3 4 1 4\n2 1 2 1\n1 1 2 30\n3 1 4 1\n2 1 2 30 4\n3 2 4 1\n3 2 30 4 "
                              "5\n$EndElements\n"));
    expectTwoTetrahedra(file, "core", "shell");
}

TEST(ReadVolume, GmshRefusals) {
    const TemporaryFolder folder;
    const auto problem = [&](const std::string& text) {
        return errorOf([&] { readVolume(folder.write("a.msh", text)); });
    };
    const std::string head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
    EXPECT_THAT(problem("$MeshFormat\n2.2 1 8\n"), HasSubstr("a.msh:2: the file is binary; save as ASCII"));
    EXPECT_THAT(problem("$MeshFormat\n4.0 0 8\n"),
                HasSubstr("a.msh:2: version 4.0 of .msh; save as version 4.1 or 2.2"));
    EXPECT_THAT(problem(head + gmshNodes22 + "$Elements\n1\n1 5 2 0 1 1 2 3 4 5 6 7 8\n$EndElements\n"),
                HasSubstr("a.msh:14: solid elements of Gmsh type 5"));
    EXPECT_THAT(problem(head + gmshNodes22 + "$Elements\n1\n1 2 2 0 1 1 2 30\n$EndElements\n"),
                HasSubstr("no tetrahedra"));
    EXPECT_THAT(problem(head + gmshNodes22 + "$Elements\n1\n1 4 2 0 1 1 2 30 3\n$EndElements\n"),
                HasSubstr("a.msh:14: element names node 3, which is not there"));
    EXPECT_THAT(problem(head + "$Nodes\n2\n1 0 0 0\n$EndNodes\n"), HasSubstr("the section ends before node 2 of 2"));
    EXPECT_THAT(problem(head + "$Nodes\n1\n1 0 0 inf\n$EndNodes\n"), HasSubstr("a.msh:6: node 1 is NaN or infinite"));
    EXPECT_THAT(problem(head + "$Nodes\n1\n1 0 0 0\n"), HasSubstr("$EndNodes is missing"));
    EXPECT_THAT(problem(gmshHead41 + "$PartitionedEntities\n"), HasSubstr("cut into partitions"));
    EXPECT_THAT(problem("hello\n"), HasSubstr("a.msh:1: \"hello\" stands outside"));
}

const std::string vtkPoints =
    "# vtk DataFile Version 2.0\na mesh\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n0 0 0 1.1234567890123457 0 "
    "0\n0 1 0\n0 0 1 1 1 1\n";
const std::string vtkCells = "CELLS 3 14\n3 0 1 2\n4 0 1 2 3\n4 1 2 3 4\nCELL_TYPES 3\n5\n10 10\n";

TEST(ReadVolume, LegacyVtkWithRegions) {
    const TemporaryFolder folder;
    const VolumeFile file = readVolume(folder.write(
        "a.vtk",
        vtkPoints + vtkCells +
            "POINT_DATA 5\nVECTORS v double\n0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\nCELL_DATA 3\nSCALARS quality float "
            "1\nLOOKUP_TABLE default\n1 1 1\nSCALARS CellEntityIds int\nLOOKUP_TABLE default\n1 4 8\n"));
    expectTwoTetrahedra(file, "region_4", "region_8");
}

TEST(ReadVolume, LegacyVtkOfVersion5) {
    const TemporaryFolder folder;
    const VolumeFile file = readVolume(
        folder.write("a.vtk",
                     "# vtk DataFile Version 5.1\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n0 0 0 "
                     "1.1234567890123457 0 0 0 1 0 0 0 1 1 1 1\nMETADATA\nINFORMATION 0\n\nCELLS 3 8\nOFFSETS "
                     "vtktypeint64\n0 4 8\nCONNECTIVITY vtktypeint64\n0 1 2 3 1 2 3 4\nCELL_TYPES 2\n10\n10\nCELL_DATA "
                     "2\nFIELD FieldData 1\nregion 1 2 int\n0 5\n"));
    expectTwoTetrahedra(file, "region_0", "region_5");
}

TEST(ReadVolume, LegacyVtkRefusals) {
    const TemporaryFolder folder;
    const auto problem = [&](const std::string& text) {
        return errorOf([&] { readVolume(folder.write("a.vtk", text)); });
    };
    EXPECT_THAT(problem("hello\n"), HasSubstr("a.vtk:1: is no legacy .vtk"));
    EXPECT_THAT(problem("# vtk DataFile Version 3.0\nx\nBINARY\n"), HasSubstr("a.vtk:3: the file is BINARY"));
    EXPECT_THAT(problem("# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\n"),
                HasSubstr("a.vtk:4: a data set of kind POLYDATA"));
    EXPECT_THAT(problem(vtkPoints + "CELLS 1 9\n8 0 1 2 3 4 0 1 2\nCELL_TYPES 1\n12\n"),
                HasSubstr("a.vtk:12: cells of VTK type 12; only linear tetrahedra"));
    EXPECT_THAT(problem(vtkPoints + "CELLS 1 5\n4 0 1 2 9\nCELL_TYPES 1\n10\n"),
                HasSubstr("element 0 names vertex 9 of 0..4"));
    EXPECT_THAT(problem(vtkPoints + vtkCells + "CELL_DATA 3\nSCALARS region float\nLOOKUP_TABLE default\n1 0.5 2\n"),
                HasSubstr("a.vtk:19: region 0.5 is no whole number"));
    EXPECT_THAT(problem(vtkPoints + "CELLS 2 10\n4 0 1 2 3\n"), HasSubstr("the file ends before"));
    EXPECT_THAT(problem(vtkPoints + "CELLS 1 5\n4 0 1 2 3\n"), HasSubstr("1 cells, but 0 cell types"));
}

const std::string vtuCells =
    "<Cells><DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">0 1 2 3 1 2 3 4</DataArray>\n<DataArray "
    "type=\"Int64\" Name=\"offsets\">4 8</DataArray><DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10 "
    "10</DataArray></Cells>\n";

std::string vtuText(const std::string& root, const std::string& points, const std::string& cells) {
    return "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" " + root +
           ">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"5\" NumberOfCells=\"2\">\n<Points>" + points +
           "</Points>\n" + cells + "</Piece></UnstructuredGrid></VTKFile>\n";
}

const std::string vtuPoints =
    "<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1.1234567890123457 0 0\n0 1 0 0 0 1 1 "
    "1 1</DataArray>";

TEST(ReadVolume, VtuAscii) {
    const TemporaryFolder folder;
    const VolumeFile file = readVolume(folder.write(
        "a.vtu",
        vtuText("version=\"0.1\"", vtuPoints,
                vtuCells + "<CellData><DataArray type=\"Int32\" Name=\"gmsh:physical\">3 6</DataArray></CellData>")));
    expectTwoTetrahedra(file, "region_3", "region_6");
}

TEST(ReadVolume, VtuInlineBase64OfOurWriterKeepsEveryBit) {
    const TemporaryFolder folder;
    const std::string path = folder.path("a.vtu");
    VertexField field{"mode <1> & \"2\"", VectorX::LinSpaced(15, 0.0, 1.0)};
    writeVtu(twoTetrahedra(), {field}, path);
    expectTwoTetrahedra(readVolume(path), "region_0", "region_1");
    EXPECT_THAT(readBytes(path), HasSubstr("Name=\"mode &lt;1> &amp; &quot;2&quot;\""));
    field.values.resize(14);
    EXPECT_THAT(errorOf([&] { writeVtu(twoTetrahedra(), {field}, path); }),
                HasSubstr("has 14 numbers, the mesh needs 15"));
}

TEST(ReadVolume, VtuRefusals) {
    const TemporaryFolder folder;
    const auto problem = [&](const std::string& text) {
        return errorOf([&] { readVolume(folder.write("a.vtu", text)); });
    };
    EXPECT_THAT(problem("<VTKFile>\n<Points>\n</VTKFile>"), HasSubstr("is no XML"));
    EXPECT_THAT(problem("<a/>"), HasSubstr("VTKFile is missing"));
    const std::string appended = "<DataArray type=\"Float64\" format=\"appended\" offset=\"0\"/>";
    EXPECT_THAT(problem(vtuText("", appended, vtuCells)), HasSubstr("a.vtu:5: data appended at the end of the file"));
    const std::string binary = "<DataArray type=\"Float64\" format=\"binary\">AAAA</DataArray>";
    EXPECT_THAT(problem(vtuText("compressor=\"vtkZLibDataCompressor\"", binary, vtuCells)),
                HasSubstr("compressed data; save it with"));
    EXPECT_THAT(problem(vtuText("", binary, vtuCells)), HasSubstr("an array without its length"));
    const std::string damaged = "<DataArray type=\"Float64\" format=\"binary\">A?AA</DataArray>";
    EXPECT_THAT(problem(vtuText("", damaged, vtuCells)), HasSubstr("damaged base64"));
    std::string far = vtuCells;
    far.replace(far.find("3 4<"), 3, "3 5");
    EXPECT_THAT(problem(vtuText("", vtuPoints, far)), HasSubstr("5 is outside 0..4"));
    EXPECT_THAT(problem(vtuText("", vtuPoints, "<Cells/>")), HasSubstr("the array \"connectivity\" is missing"));
}

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

TEST(ReadVolume, VegbWithMaterialsAndSets) {
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

TEST(ReadVolume, VegbRefusals) {
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
    writeVeg(test::brickBlock(2, 1, 1), path);
    const VolumeFile file = readVolume(path);
    EXPECT_THAT(file.notes, IsEmpty());
    EXPECT_EQ(file.mesh.positions, test::brickBlock(2, 1, 1).positions);
    EXPECT_EQ(file.mesh.kind, ElementKind::Brick);
    EXPECT_THAT(errorOf([] { readVolume("a.mesh"); }), HasSubstr("files that end in '.mesh' are no simulation meshes"));
}

TEST(WriteVtk, BricksBecomeSixTetrahedraThatFit) {
    const VolumeMesh bricks = test::brickBlock(2, 2, 2, Vector3(1.0, 2.0, 0.5));
    const VolumeMesh mesh = tetrahedraOf(bricks);
    const TemporaryFolder folder;
    const std::string path = folder.path("a.vtk");
    writeVtk(mesh, path);
    const VolumeFile file = readVolume(path);
    EXPECT_THAT(file.notes, IsEmpty());
    EXPECT_EQ(file.mesh.positions, bricks.positions);
    EXPECT_EQ(file.mesh.elementCount(), 48);
    // Neighbours fit: the outer surface is that of the block, two triangles for each of its 24 outer squares.
    EXPECT_EQ(boundarySurface(file.mesh).triangleCount(), 48);
    EXPECT_EQ(connectedComponents(file.mesh).count(), 1);
    EXPECT_THAT(errorOf([&] { writeVtk(bricks, path); }), HasSubstr("only tetrahedra"));
}

}  // namespace
