// SPDX-License-Identifier: Zlib
// VTK's .vtk and .vtu: two tetrahedra in two regions, read back exactly; what is refused; and what we write.
#include "SampleMeshes.h"
#include "TemporaryFolder.h"
#include "TwoTetrahedra.h"
#include "pliant/mesh/BinaryFile.h"
#include "pliant/mesh/MeshTopology.h"
#include "pliant/mesh/WriteVtk.h"

namespace pliant::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const std::string vtkPoints =
    "# vtk DataFile Version 2.0\na mesh\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n0 0 0 1.1234567890123457 0 "
    "0\n0 1 0\n0 0 1 1 1 1\n";
const std::string vtkCells = "CELLS 3 14\n3 0 1 2\n4 0 1 2 3\n4 1 2 3 4\nCELL_TYPES 3\n5\n10 10\n";

TEST(ReadVtk, LegacyWithRegions) {
    const TemporaryFolder folder;
    const VolumeFile file = readVolume(folder.write(
        "a.vtk",
        vtkPoints + vtkCells +
            "POINT_DATA 5\nVECTORS v double\n0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\nCELL_DATA 3\nSCALARS quality float "
            "1\nLOOKUP_TABLE default\n1 1 1\nSCALARS CellEntityIds int\nLOOKUP_TABLE default\n1 4 8\n"));
    expectTwoTetrahedra(file, "region_4", "region_8");
}

TEST(ReadVtk, LegacyOfVersion5) {
    const TemporaryFolder folder;
    const VolumeFile file = readVolume(
        folder.write("a.vtk",
                     "# vtk DataFile Version 5.1\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n0 0 0 "
                     "1.1234567890123457 0 0 0 1 0 0 0 1 1 1 1\nMETADATA\nINFORMATION 0\n\nCELLS 3 8\nOFFSETS "
                     "vtktypeint64\n0 4 8\nCONNECTIVITY vtktypeint64\n0 1 2 3 1 2 3 4\nCELL_TYPES 2\n10\n10\nCELL_DATA "
                     "2\nFIELD FieldData 1\nregion 1 2 int\n0 5\n"));
    expectTwoTetrahedra(file, "region_0", "region_5");
}

TEST(ReadVtk, LegacyRefusals) {
    const TemporaryFolder folder;
    const auto problem = [&](const std::string& text) {
        return errorOf([&] { readVolume(folder.write("a.vtk", text)); });
    };
    EXPECT_THAT(problem("hello\n"), HasSubstr("a.vtk:1: is no legacy .vtk"));
    EXPECT_THAT(problem("# vtk DataFile Version 3.0\nx\nBINARY\n"), HasSubstr("a.vtk:3: the file is BINARY"));
    EXPECT_THAT(problem("# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\n"),
                HasSubstr("a.vtk:4: a data set of kind POLYDATA"));
    EXPECT_THAT(problem(vtkPoints + "CELLS 1 9\n8 0 1 2 3 4 0 1 2\nCELL_TYPES 1\n24\n"),
                HasSubstr("a.vtk:12: cells of VTK type 24; linear tetrahedra"));
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

TEST(ReadVtk, XmlAscii) {
    const TemporaryFolder folder;
    const VolumeFile file = readVolume(folder.write(
        "a.vtu",
        vtuText("version=\"0.1\"", vtuPoints,
                vtuCells + "<CellData><DataArray type=\"Int32\" Name=\"gmsh:physical\">3 6</DataArray></CellData>")));
    expectTwoTetrahedra(file, "region_3", "region_6");
}

TEST(ReadVtk, XmlInlineBase64OfOurWriterKeepsEveryBit) {
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

TEST(ReadVtk, XmlRefusals) {
    const TemporaryFolder folder;
    const auto problem = [&](const std::string& text) {
        return errorOf([&] { readVolume(folder.write("a.vtu", text)); });
    };
    EXPECT_THAT(problem("<VTKFile>\n<Points>\n</VTKFile>"), HasSubstr("is no XML"));
    EXPECT_THAT(problem("<a/>"), HasSubstr("VTKFile is missing"));
    const std::string appended = "<DataArray type=\"Float64\" format=\"appended\" offset=\"0\"/>";
    EXPECT_THAT(problem(vtuText("", appended, vtuCells)),
                HasSubstr("a.vtu:5: the offset \"0\" is outside of the 0 bytes"));
    const std::string binary = "<DataArray type=\"Float64\" format=\"binary\">AAAA</DataArray>";
    EXPECT_THAT(problem(vtuText("compressor=\"vtkZLibDataCompressor\"", binary, vtuCells)),
                HasSubstr("the data ends before an array's length"));
    EXPECT_THAT(problem(vtuText("", binary, vtuCells)), HasSubstr("the data ends before an array's length"));
    const std::string damaged = "<DataArray type=\"Float64\" format=\"binary\">A?AA</DataArray>";
    EXPECT_THAT(problem(vtuText("", damaged, vtuCells)), HasSubstr("damaged base64"));
    std::string far = vtuCells;
    far.replace(far.find("3 4<"), 3, "3 5");
    EXPECT_THAT(problem(vtuText("", vtuPoints, far)), HasSubstr("5 is outside 0..4"));
    EXPECT_THAT(problem(vtuText("", vtuPoints, "<Cells/>")), HasSubstr("the array \"connectivity\" is missing"));
}

TEST(WriteVtk, BricksBecomeSixTetrahedraThatFit) {
    const VolumeMesh bricks = brickBlock(2, 2, 2, Vector3(1.0, 2.0, 0.5));
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
}  // namespace pliant::test
