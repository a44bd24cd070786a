// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <cmath>
#include <pugixml.hpp>

#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/formats/VolumeFormats.h"
#include "pliant/mesh/formats/VtuArray.h"

namespace pliant {

namespace {

class VtuParser {
public:
    explicit VtuParser(const std::string& path) : m_path(path), m_text(readTextFile(path)) {
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
        m_encoding.compressed = !root.attribute("compressor").empty();
        for (const pugi::xml_node piece : root.child("UnstructuredGrid").children("Piece")) readPiece(piece);
        if (m_positions.empty()) throw Error(m_path, "the mesh is empty: no point");
        const auto n = static_cast<Eigen::Index>(m_positions.size() / 3);
        return m_tetrahedra.finish(Eigen::Map<const Points>(m_positions.data(), 3, n), {});
    }

private:
    std::string whereAt(std::ptrdiff_t offset) const {
        const auto end =
            m_text.begin() + std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(m_text.size()));
        return fileAndLine(m_path, 1 + static_cast<int>(std::count(m_text.begin(), end, '\n')));
    }
    std::string where(const pugi::xml_node& node) const { return whereAt(node.offset_debug()); }

    std::vector<double> numbers(const pugi::xml_node& array) const {
        return vtuNumbers(array.attribute("type").value(), array.attribute("format").as_string("ascii"),
                          array.child_value(), m_encoding, where(array));
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
        const double lastPoint = static_cast<double>(positions.size() / 3) - 1.0;
        int begin = 0;
        for (std::size_t c = 0; c < types.size(); ++c) {
            const int end = whole(offsets[c], static_cast<double>(corners.size()), offsetsNode);
            if (isTetrahedronCell(whole(types[c], 255.0, typesNode), where(typesNode))) {
                if (end - begin != 4)
                    throw Error(where(offsetsNode), "cell " + std::to_string(c) + " is a tetrahedron of " +
                                                        std::to_string(end - begin) + " points");
                int vertices[4];
                for (int k = 0; k < 4; ++k)
                    vertices[k] = first + whole(corners[static_cast<std::size_t>(begin + k)], lastPoint, cornersNode);
                m_tetrahedra.add(vertices, regions.empty() ? 0 : regionNumber(regions[c], where(cells)));
            }
            begin = end;
        }
    }

    std::vector<double> readRegions(const pugi::xml_node& cellData) const {
        for (const std::string& name : regionArrayNames())
            if (const pugi::xml_node array = cellData.find_child_by_attribute("DataArray", "Name", name.c_str()))
                return numbers(array);
        return {};
    }

    std::string m_path, m_text;
    pugi::xml_document m_document;
    VtuEncoding m_encoding;
    std::vector<double> m_positions;
    TetrahedronCollector m_tetrahedra;
};

}  // namespace

VolumeFile readVtu(const std::string& path) {
    return VtuParser(path).parse();
}

}  // namespace pliant
