// SPDX-License-Identifier: Zlib
// Meshes as VTK and Gmsh write them (files/README.md): every encoding says the same, to the last bit; solids that are
// no tetrahedra are split so that neighbours fit; what is damaged is refused.
#include <Eigen/Geometry>
#include <algorithm>
#include <map>

#include "TemporaryFolder.h"
#include "pliant/mesh/BinaryFile.h"
#include "pliant/mesh/MeshTopology.h"
#include "pliant/mesh/ReadVolume.h"

namespace pliant::test {
namespace {

using testing::HasSubstr;

const double encodedSide = 1.1234567890123457;  // of what VTK wrote

std::string fileOf(const std::string& name) {
    return std::string(PLIANT_MESH_FILES) + "/" + name;
}

/// Volume of each material by name.
std::map<std::string, double> volumesOf(const VolumeMesh& mesh) {
    std::map<std::string, double> volumes;
    for (int e = 0; e < mesh.elementCount(); ++e) {
        const auto corner = [&](int c) -> Vector3 { return mesh.positions.col(mesh.elements(c, e)); };
        const Vector3 o = corner(0);
        const auto material = static_cast<std::size_t>(mesh.elementMaterial[static_cast<std::size_t>(e)]);
        volumes[mesh.materials[material].name] += (corner(1) - o).dot((corner(2) - o).cross(corner(3) - o)) / 6.0;
    }
    return volumes;
}

void expectSame(const VolumeFile& file, const VolumeFile& other, const std::string& name) {
    EXPECT_EQ(file.mesh.positions, other.mesh.positions) << name;
    EXPECT_EQ(file.mesh.elements, other.mesh.elements) << name;
    EXPECT_EQ(file.mesh.elementMaterial, other.mesh.elementMaterial) << name;
}

TEST(Encodings, EveryVtuOfVtkIsTheSameMesh) {
    const VolumeFile exact = readVolume(fileOf("binary_32.vtu"));
    EXPECT_EQ(exact.mesh.positions(0, 1), encodedSide);
    for (const char* name : {"binary_64", "binary_zlib_32", "binary_zlib_64", "appended_raw_32", "appended_raw_64",
                             "appended_raw_zlib_32", "appended_raw_zlib_64", "appended_base64_32", "appended_base64_64",
                             "appended_base64_zlib_32", "appended_base64_zlib_64"})
        expectSame(readVolume(fileOf(name + std::string(".vtu"))), exact, name);
    const VolumeFile text = readVolume(fileOf("ascii.vtu"));  // VTK writes eleven digits
    EXPECT_EQ(text.mesh.elements, exact.mesh.elements);
    EXPECT_LT((text.mesh.positions - exact.mesh.positions).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Encodings, EveryMshOfGmshIsTheSameMesh) {
    const VolumeFile text = readVolume(fileOf("ascii_22.msh"));
    for (const char* name : {"binary_22.msh", "ascii_41.msh", "binary_41.msh"}) {
        const VolumeFile file = readVolume(fileOf(name));
        expectSame(file, text, name);
        const std::map<std::string, double> volumes = volumesOf(file.mesh);
        ASSERT_EQ(volumes.size(), 2U) << name;
        EXPECT_NEAR(volumes.at("block"), 1.125, 1e-14);
        EXPECT_NEAR(volumes.at("wedge"), 0.5 * 0.875, 1e-14);
    }
}

// The prism, the pyramid and the tetrahedron each share a face with a neighbour: cuts that did not agree would leave
// open faces inside, and the outer surface would have more triangles than the twelve faces are cut into.
TEST(Encodings, SolidsAreSplitSoThatNeighboursFit) {
    const VolumeFile file = readVolume(fileOf("binary_32.vtu"));
    EXPECT_THAT(file.notes, testing::Contains(HasSubstr("1 hexahedron, 1 prism, 1 pyramid split into 11 tetrahedra")));
    EXPECT_EQ(file.mesh.elementCount(), 6 + 3 + 2 + 1);
    const std::map<std::string, double> volumes = volumesOf(file.mesh);
    EXPECT_NEAR(volumes.at("region_3"), encodedSide + 0.5 * (2.0 - encodedSide), 1e-14) << "hexahedron and prism";
    EXPECT_NEAR(volumes.at("region_5"), encodedSide * 0.7 / 3.0, 1e-14) << "pyramid";
    // Quadrangles outside: four of the hexahedron, two of the prism; triangles: two of the prism less the one that the
    // tetrahedron takes, four of the pyramid less one, three of the tetrahedron less the one on the pyramid.
    EXPECT_EQ(boundarySurface(file.mesh).triangleCount(), 2 * (4 + 2) + 1 + 3 + 2);
    EXPECT_EQ(connectedComponents(file.mesh).count(), 1);
}

std::string vtuOf(const std::string& corners, const std::string& type, const std::string& points) {
    const std::size_t count = static_cast<std::size_t>(std::count(corners.begin(), corners.end(), ' ')) + 1;
    return "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece><Points><DataArray type=\"Float64\">" + points +
           "</DataArray></Points><Cells><DataArray type=\"Int32\" Name=\"connectivity\">" + corners +
           "</DataArray><DataArray type=\"Int32\" Name=\"offsets\">" + std::to_string(count) +
           "</DataArray><DataArray type=\"UInt8\" Name=\"types\">" + type +
           "</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>";
}

const std::string cube = "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1";

// Two cubes side by side, the left one upside down or not, each with its corners told from each of its four upright
// edges on.
TEST(Encodings, CubesFitWhicheverCornerIsTheFirst) {
    const TemporaryFolder folder;
    const std::string points = cube + " 2 0 0 2 1 0 2 0 1 2 1 1";
    const int left[2][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {5, 4, 7, 6, 1, 0, 3, 2}}, right[8] = {1, 8, 9, 2, 5, 10, 11, 6};
    for (int way = 0; way < 32; ++way) {
        std::string corners;
        for (int c = 0; c < 16; ++c) {
            const int turned = 4 * (c % 8 / 4) + (c + (c < 8 ? way : way / 4)) % 4;
            corners += (c > 0 ? " " : "") + std::to_string(c < 8 ? left[way / 16][turned] : right[turned]);
        }
        std::string text = vtuOf(corners, "12 12", points);
        text.replace(text.find(">16<"), 4, ">8 16<");
        const VolumeFile file = readVolume(folder.write("a.vtu", text));
        EXPECT_EQ(file.mesh.elementCount(), 12);
        EXPECT_EQ(boundarySurface(file.mesh).triangleCount(), 20) << way;
        EXPECT_NEAR(volumesOf(file.mesh).begin()->second, 2.0, 1e-14);
    }
}

TEST(Encodings, VoxelsHaveTheirOwnOrderOfCorners) {
    const TemporaryFolder folder;
    const VolumeFile file = readVolume(folder.write("a.vtu", vtuOf("0 1 3 2 4 5 7 6", "11", cube)));
    EXPECT_NEAR(volumesOf(file.mesh).begin()->second, 1.0, 1e-15);
}

TEST(Encodings, WhatTurnsInsideOutOrIsCurvedIsRefused) {
    const TemporaryFolder folder;
    const auto problem = [&](const std::string& text) {
        return errorOf([&] { readVolume(folder.write("a.vtu", text)); });
    };
    EXPECT_THAT(problem(vtuOf("0 1 3 2 4 5 7 6", "12", cube)), HasSubstr("turns inside out"));
    EXPECT_THAT(problem(vtuOf("0 1 2 3 4 5 6 7 0 1", "24", cube)), HasSubstr("cells of VTK type 24"));
    EXPECT_THAT(problem(vtuOf("0 1 2 3 4 5 6", "12", cube)), HasSubstr("cell 0 of type 12 has 7 points"));
}

TEST(Encodings, DamagedVtuIsRefused) {
    const TemporaryFolder folder;
    const auto problem = [&](const std::string& name, const std::string& what, const std::string& with) {
        std::string bytes = readBytes(fileOf(name));
        const std::size_t at = bytes.find(what);
        EXPECT_NE(at, std::string::npos);
        bytes.replace(at, what.size(), with);
        return errorOf([&] { readVolume(folder.write("a.vtu", bytes)); });
    };
    EXPECT_THAT(errorOf([] { readVolume(fileOf("binary_lz4_32.vtu")); }),
                HasSubstr("data compressed by vtkLZ4DataCompressor; save it with the compressor ZLib or None"));
    EXPECT_THAT(problem("appended_raw_32.vtu", "offset=\"0\" ", "offset=\"9999\" "), HasSubstr("is outside of the"));
    EXPECT_THAT(problem("appended_raw_32.vtu", "\n   _", "\n    "), HasSubstr("AppendedData without an underscore"));
    EXPECT_THAT(problem("appended_raw_32.vtu", "</AppendedData>", ""), HasSubstr("AppendedData without"));
    const std::string raw = readBytes(fileOf("appended_raw_zlib_32.vtu"));
    std::string bytes = raw;
    const std::size_t first = bytes.find('_', bytes.find("<AppendedData")) + 1;
    bytes[first + 20] = static_cast<char>(bytes[first + 20] ^ 0x55);
    EXPECT_THAT(errorOf([&] { readVolume(folder.write("a.vtu", bytes)); }), HasSubstr("damaged compressed data"));
    bytes = raw;
    bytes[first + 3] = 127;  // two thousand million blocks
    EXPECT_THAT(errorOf([&] { readVolume(folder.write("a.vtu", bytes)); }),
                HasSubstr("compressed blocks announced, which the file does not hold"));
    bytes = raw;
    bytes[first + 11] = 127;  // as many bytes in the last block
    EXPECT_THAT(errorOf([&] { readVolume(folder.write("a.vtu", bytes)); }), HasSubstr("bytes cannot hold"));
}

TEST(Encodings, AMshCutShortIsRefusedWherever) {
    const TemporaryFolder folder;
    for (const char* name : {"binary_22.msh", "binary_41.msh"}) {
        const std::string bytes = readBytes(fileOf(name));
        for (std::size_t length = 30; length + 12 < bytes.size(); length += 7)
            EXPECT_NE(errorOf([&] { readVolume(folder.write("a.msh", bytes.substr(0, length))); }), "")
                << name << " of " << length << " bytes";
    }
    std::string bytes = readBytes(fileOf("binary_22.msh"));
    const std::size_t order = bytes.find('\n', bytes.find("2.2 1 8")) + 1;
    std::swap(bytes[order], bytes[order + 3]);
    EXPECT_THAT(errorOf([&] { readVolume(folder.write("a.msh", bytes)); }), HasSubstr("of the other byte order"));
}

}  // namespace
}  // namespace pliant::test
