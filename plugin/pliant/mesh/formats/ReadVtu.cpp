// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <cmath>
#include <pugixml.hpp>

#include "pliant/math/Error.h"
#include "pliant/mesh/BinaryFile.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/formats/SolidCells.h"
#include "pliant/mesh/formats/VolumeFormats.h"
#include "pliant/mesh/formats/VtuArray.h"

namespace pliant {

namespace {

class VtuParser {
public:
    explicit VtuParser(const std::string& path) : m_path(path), m_bytes(readBytes(path)), m_text(m_bytes) {
        cutAppendedData();
        const pugi::xml_parse_result result = m_document.load_buffer(m_text.data(), m_text.size());
        if (!result) throw Error(whereAt(result.offset), std::string("is no XML: ") + result.description());
    }

    VolumeFile parse() {
        const pugi::xml_node root = m_document.child("VTKFile");
        if (!root) throw Error(m_path, "is no .vtu: VTKFile is missing");
        const std::string type = root.attribute("type").value();
        if (type != "UnstructuredGrid")
            throw Error(where(root), "a data set of kind \"" + type + "\"", "only UnstructuredGrid is read");
        m_encoding.bigEndian = std::string(root.attribute("byte_order").value()) == "BigEndian";
        m_encoding.longHeaders = std::string(root.attribute("header_type").value()) == "UInt64";
        m_encoding.compressor = root.attribute("compressor").value();
        m_encoding.appendedIsBase64 = std::string(root.child("AppendedData").attribute("encoding").value()) == "base64";
        for (const pugi::xml_node piece : root.child("UnstructuredGrid").children("Piece")) readPiece(piece);
        if (m_positions.empty()) throw Error(m_path, "the mesh is empty: no point");
        const auto n = static_cast<Eigen::Index>(m_positions.size() / 3);
        return m_solids.finish(Eigen::Map<const Points>(m_positions.data(), 3, n), {}, m_path);
    }

private:
    /// Raw bytes are no XML: what stands behind the underscore of AppendedData is taken out of the text.
    void cutAppendedData() {
        const std::size_t element = m_bytes.find("<AppendedData");
        if (element == std::string::npos) return;
        const std::size_t open = m_bytes.find('>', element);
        const std::size_t begin = open == std::string::npos ? open : m_bytes.find_first_not_of(" \t\r\n", open + 1);
        const std::string end = "</AppendedData>";
        const std::size_t close = m_bytes.rfind(end);
        if (begin == std::string::npos || m_bytes[begin] != '_' || close == std::string::npos || close <= begin)
            throw Error(whereAt(static_cast<std::ptrdiff_t>(element)), "AppendedData without an underscore or an end",
                        "copy the file again");
        m_encoding.appended = std::string_view(m_bytes).substr(begin + 1, close - begin - 1);
        m_text = m_bytes.substr(0, begin) + m_bytes.substr(close);
    }

    std::string whereAt(std::ptrdiff_t offset) const {
        const auto end =
            m_text.begin() + std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(m_text.size()));
        return fileAndLine(m_path, 1 + static_cast<int>(std::count(m_text.begin(), end, '\n')));
    }
    std::string where(const pugi::xml_node& node) const { return whereAt(node.offset_debug()); }

    std::vector<double> numbers(const pugi::xml_node& array) {
        return vtuNumbers({array.attribute("type").value(), array.attribute("format").as_string("ascii"),
                           array.attribute("offset").value(), array.child_value()},
                          m_encoding, where(array));
    }

    pugi::xml_node arrayNamed(const pugi::xml_node& parent, const char* name) const {
        const pugi::xml_node array = parent.find_child_by_attribute("DataArray", "Name", name);
        if (!array) throw Error(where(parent), "the array \"" + std::string(name) + "\" is missing");
        return array;
    }

    int whole(double value, double limit, const pugi::xml_node& array) const {
        if (!(value >= 0.0 && value <= limit && value == std::floor(value)))
            throw Error(where(array), numberText(value) + " is outside 0.." + numberText(limit));
        return static_cast<int>(value);
    }

    void readPiece(const pugi::xml_node& piece) {
        const int first = static_cast<int>(m_positions.size() / 3);
        const pugi::xml_node points = piece.child("Points").child("DataArray");
        if (!points) throw Error(where(piece), "a piece without Points");
        const std::vector<double> positions = numbers(points);
        if (positions.size() % 3 != 0) throw Error(where(points), "points need three coordinates each");
        m_positions.insert(m_positions.end(), positions.begin(), positions.end());

        const pugi::xml_node cells = piece.child("Cells");
        const pugi::xml_node cornersNode = arrayNamed(cells, "connectivity");
        const pugi::xml_node offsetsNode = arrayNamed(cells, "offsets"), typesNode = arrayNamed(cells, "types");
        const std::vector<double> corners = numbers(cornersNode), offsets = numbers(offsetsNode),
                                  types = numbers(typesNode), regions = readRegions(piece.child("CellData"));
        if (offsets.size() != types.size() || (!regions.empty() && regions.size() != types.size()))
            throw Error(where(cells), std::to_string(offsets.size()) + " offsets, " + std::to_string(types.size()) +
                                          " types and " + std::to_string(regions.size()) + " regions disagree");
        const std::string atTypes = where(typesNode), atCells = where(cells);  // counts lines: not for each cell
        const double lastPoint = static_cast<double>(positions.size() / 3) - 1.0;
        int begin = 0;
        for (std::size_t c = 0; c < types.size(); ++c) {
            const int end = whole(offsets[c], static_cast<double>(corners.size()), offsetsNode);
            const int type = whole(types[c], 255.0, typesNode);
            SolidKind kind = SolidKind::Tetrahedron;
            if (solidOfVtk(type, atTypes, kind)) {
                const int count = cornerCount(kind);
                if (end - begin != count)
                    throw Error(where(offsetsNode), "cell " + std::to_string(c) + " of type " + std::to_string(type) +
                                                        " has " + std::to_string(end - begin) + " points");
                int vertices[8];
                for (int k = 0; k < count; ++k)
                    vertices[k] = first + whole(corners[static_cast<std::size_t>(begin + k)], lastPoint, cornersNode);
                if (isVtkVoxel(type)) {
                    std::swap(vertices[2], vertices[3]);
                    std::swap(vertices[6], vertices[7]);
                }
                m_solids.add(kind, vertices, regions.empty() ? 0 : regionNumber(regions[c], atCells));
            }
            begin = end;
        }
    }

    std::vector<double> readRegions(const pugi::xml_node& cellData) {
        for (const std::string& name : regionArrayNames())
            if (const pugi::xml_node array = cellData.find_child_by_attribute("DataArray", "Name", name.c_str()))
                return numbers(array);
        return {};
    }

    std::string m_path, m_bytes;
    std::string m_text;  ///< without appended data
    pugi::xml_document m_document;
    VtuEncoding m_encoding;
    std::vector<double> m_positions;
    SolidCollector m_solids;
};

}  // namespace

VolumeFile readVtu(const std::string& path) {
    return VtuParser(path).parse();
}

}  // namespace pliant
