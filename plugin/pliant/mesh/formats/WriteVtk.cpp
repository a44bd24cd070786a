// SPDX-License-Identifier: Zlib
#include "pliant/mesh/WriteVtk.h"

#include <array>
#include <cstdint>

#include "pliant/math/Error.h"
#include "pliant/mesh/BinaryFile.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/formats/Base64.h"

namespace pliant {

namespace {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"')
            result += "&quot;";
        else if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else
            result += c;
    }
    return result + "\"";
}

template <typename Number>
std::string dataArray(const char* type, const std::string& name, int components, const Number* values,
                      std::size_t count) {
    ByteWriter bytes;
    bytes.put<std::uint64_t>(count * sizeof(Number));
    bytes.put(values, count);
    return "        <DataArray type=\"" + std::string(type) + "\" Name=" + quoted(name) + " NumberOfComponents=\"" +
           std::to_string(components) + "\" format=\"binary\">" + base64Encoded(bytes.bytes()) + "</DataArray>\n";
}

std::string cellsText(const VolumeMesh& mesh) {
    constexpr std::uint8_t tetrahedron = 10, hexahedron = 12;
    const auto cells = static_cast<std::size_t>(mesh.elementCount());
    std::vector<std::int32_t> offsets;
    for (int e = 1; e <= mesh.elementCount(); ++e) offsets.push_back(e * mesh.cornersPerElement());
    const std::vector<std::uint8_t> types(cells, mesh.kind == ElementKind::Brick ? hexahedron : tetrahedron);
    return "      <Cells>\n" +
           dataArray("Int32", "connectivity", 1, mesh.elements.data(), static_cast<std::size_t>(mesh.elements.size())) +
           dataArray("Int32", "offsets", 1, offsets.data(), cells) +
           dataArray("UInt8", "types", 1, types.data(), cells) +
           "      </Cells>\n      <CellData Scalars=\"material\">\n" +
           dataArray("Int32", "material", 1, mesh.elementMaterial.data(), cells) +
           (mesh.elementShare.size() > 0 ? dataArray("Float64", "share", 1, mesh.elementShare.data(), cells) : "") +
           "      </CellData>\n";
}

}  // namespace

void writeVtu(const VolumeMesh& mesh, const std::vector<VertexField>& fields, const std::string& path) {
    const auto coordinates = static_cast<std::size_t>(mesh.positions.size());
    std::string text =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n  <UnstructuredGrid>\n    <Piece NumberOfPoints=\"" +
        std::to_string(mesh.vertexCount()) + "\" NumberOfCells=\"" + std::to_string(mesh.elementCount()) +
        "\">\n      <Points>\n" + dataArray("Float64", "Points", 3, mesh.positions.data(), coordinates) +
        "      </Points>\n" + cellsText(mesh) + "      <PointData>\n";
    for (const VertexField& field : fields) {
        if (field.values.size() != mesh.positions.size())
            throw Error(path, "field \"" + field.name + "\" has " + std::to_string(field.values.size()) +
                                  " numbers, the mesh needs " + std::to_string(mesh.positions.size()));
        text += dataArray("Float64", field.name, 3, field.values.data(), coordinates);
    }
    text += "      </PointData>\n    </Piece>\n  </UnstructuredGrid>\n</VTKFile>\n";
    writeTextFile(path, text);
}

void writeVtk(const VolumeMesh& mesh, const std::string& path) {
    if (mesh.kind != ElementKind::Tetrahedron) throw Error(path, "only tetrahedra are written as legacy VTK");
    const std::string cells = std::to_string(mesh.elementCount());
    std::string text = "# vtk DataFile Version 2.0\nPliant\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS " +
                       std::to_string(mesh.vertexCount()) + " double\n";
    for (int v = 0; v < mesh.vertexCount(); ++v)
        text += numberText(mesh.positions(0, v)) + " " + numberText(mesh.positions(1, v)) + " " +
                numberText(mesh.positions(2, v)) + "\n";
    text += "\nCELLS " + cells + " " + std::to_string(5 * mesh.elementCount()) + "\n";
    for (int e = 0; e < mesh.elementCount(); ++e) {
        text += "4";
        for (Eigen::Index c = 0; c < 4; ++c) text += " " + std::to_string(mesh.elements(c, e));
        text += "\n";
    }
    text += "\nCELL_TYPES " + cells + "\n";
    for (int e = 0; e < mesh.elementCount(); ++e) text += "10\n";
    writeTextFile(path, text);
}

VolumeMesh tetrahedraOf(const VolumeMesh& mesh) {
    if (mesh.kind == ElementKind::Tetrahedron) return mesh;
    // Kuhn's subdivision: corners 0 = (000) and 6 = (111), and every path of two edges between them.
    static constexpr std::array<std::array<int, 4>, 6> parts{
        {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}}};
    VolumeMesh result;
    result.kind = ElementKind::Tetrahedron;
    result.positions = mesh.positions;
    result.materials = mesh.materials;
    result.elements.resize(4, 6 * mesh.elementCount());
    for (int e = 0; e < mesh.elementCount(); ++e)
        for (std::size_t p = 0; p < parts.size(); ++p) {
            const Eigen::Index t = 6 * Eigen::Index(e) + static_cast<Eigen::Index>(p);
            for (std::size_t c = 0; c < 4; ++c)
                result.elements(static_cast<Eigen::Index>(c), t) = mesh.elements(parts[p][c], e);
            result.elementMaterial.push_back(mesh.elementMaterial[static_cast<std::size_t>(e)]);
        }
    if (mesh.elementShare.size() > 0) result.elementShare = mesh.elementShare.transpose().replicate(6, 1).reshaped();
    return result;
}

}  // namespace pliant
