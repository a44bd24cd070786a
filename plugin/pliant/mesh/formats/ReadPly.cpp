// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "pliant/math/Error.h"
#include "pliant/mesh/BinaryFile.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/formats/PlyHeader.h"
#include "pliant/mesh/formats/SurfaceFormats.h"

namespace pliant {

namespace {

/// The values of one element after another, whatever the format.
class PlyData {
public:
    PlyData(std::string_view bytes, const PlyHeader& header, const std::string& path)
        : m_data(bytes.substr(header.bytes)), m_format(header.format), m_path(path), m_line(header.lines) {}

    /// One value (or list) a property. @param what the element, for messages
    void read(const PlyElement& element, std::size_t number, std::vector<std::vector<double>>& values) {
        m_what = element.name + " " + std::to_string(number) + " of " + std::to_string(element.count);
        values.resize(element.properties.size());
        if (m_format == PlyFormat::Ascii) nextLine();
        for (std::size_t p = 0; p < element.properties.size(); ++p) {
            const PlyProperty& property = element.properties[p];
            std::size_t count = 1;
            if (property.isList) {
                const double entries = value(property.countType);
                if (!(entries >= 0.0 && entries <= 1e6)) fail("a list of " + numberText(entries) + " entries");
                count = static_cast<std::size_t>(entries);
            }
            values[p].clear();
            for (std::size_t i = 0; i < count; ++i) values[p].push_back(value(property.type));
        }
        if (m_format == PlyFormat::Ascii && m_word < m_words.size())
            fail(m_what + " has " + std::to_string(m_words.size() - m_word) + " numbers too many");
    }

    [[noreturn]] void fail(const std::string& problem, const std::string& cure = {}) const {
        if (m_format == PlyFormat::Ascii) throw Error(fileAndLine(m_path, m_line), problem, cure);
        throw Error(m_path + ": " + m_what, problem, cure);
    }

private:
    void nextLine() {
        m_words.clear();
        while (m_words.empty()) {
            if (m_at >= m_data.size()) fail("the file ends before " + m_what, "copy it again");
            const std::size_t end = std::min(m_data.find('\n', m_at), m_data.size());
            m_words = splitWords(m_data.substr(m_at, end - m_at));
            m_at = end + 1;
            ++m_line;
        }
        m_word = 0;
    }

    double value(PlyType type) {
        if (m_format == PlyFormat::Ascii) {
            double number = 0.0;
            if (m_word >= m_words.size()) fail("numbers are missing in " + m_what);
            if (!parseNumber(m_words[m_word], number)) fail("\"" + std::string(m_words[m_word]) + "\" is not a number");
            ++m_word;
            return number;
        }
        const std::size_t size = plySize(type);
        if (m_at + size > m_data.size()) fail("the file ends inside it", "copy it again");
        m_at += size;
        return plyValue(type, m_data.data() + m_at - size, m_format == PlyFormat::BigEndian);
    }

    std::string_view m_data;
    PlyFormat m_format;
    std::string m_path, m_what;
    std::vector<std::string_view> m_words;
    std::size_t m_word = 0, m_at = 0;
    int m_line;
};

/// Where the vertices' attributes stand among the properties; -1: absent.
struct VertexLayout {
    std::array<int, 3> position, normal, colour;
    std::array<int, 2> texcoord;
    int alpha;

    explicit VertexLayout(const PlyElement& e)
        : position{e.find({"x"}), e.find({"y"}), e.find({"z"})},
          normal{e.find({"nx"}), e.find({"ny"}), e.find({"nz"})},
          colour{e.find({"red", "r", "diffuse_red"}), e.find({"green", "g", "diffuse_green"}),
                 e.find({"blue", "b", "diffuse_blue"})},
          texcoord{e.find({"s", "u", "texture_u", "texture_s"}), e.find({"t", "v", "texture_v", "texture_t"})},
          alpha(e.find({"alpha", "a", "diffuse_alpha"})) {}

    std::array<int, 12> all() const {
        return {position[0], position[1], position[2], normal[0],   normal[1],   normal[2],
                colour[0],   colour[1],   colour[2],   texcoord[0], texcoord[1], alpha};
    }
    template <std::size_t N>
    static bool whole(const std::array<int, N>& group) {
        return std::all_of(group.begin(), group.end(), [](int p) { return p >= 0; });
    }
};

/// Colours count to the largest number of their type; floating ones to 1.
double colourScale(PlyType type) {
    if (type == PlyType::UInt8 || type == PlyType::Int8) return 1.0 / 255.0;
    return type == PlyType::UInt16 || type == PlyType::Int16 ? 1.0 / 65535.0 : 1.0;
}

void readVertices(const PlyElement& element, PlyData& data, PolygonSurface& surface) {
    const VertexLayout at(element);
    if (!VertexLayout::whole(at.position)) data.fail("vertices without x, y and z");
    for (const int property : at.all())
        if (property >= 0 && element.properties[static_cast<std::size_t>(property)].isList)
            data.fail("the property " + element.properties[static_cast<std::size_t>(property)].name +
                          " of the vertices is a list",
                      "a vertex has one number for it");
    std::vector<std::vector<double>> values;
    const auto of = [&](int property) { return values[static_cast<std::size_t>(property)].at(0); };
    const auto colour = [&](int property) {
        return static_cast<float>(of(property) *
                                  colourScale(element.properties[static_cast<std::size_t>(property)].type));
    };
    for (std::size_t v = 0; v < element.count; ++v) {
        data.read(element, v, values);
        const Vector3 x(of(at.position[0]), of(at.position[1]), of(at.position[2]));
        if (!x.allFinite()) data.fail("vertex " + std::to_string(v) + " is NaN or infinite", "repair the surface");
        surface.positions.push_back(x);
        if (VertexLayout::whole(at.normal))
            surface.normals.emplace_back(of(at.normal[0]), of(at.normal[1]), of(at.normal[2]));
        if (VertexLayout::whole(at.texcoord)) surface.texcoords.push_back({of(at.texcoord[0]), of(at.texcoord[1])});
        if (VertexLayout::whole(at.colour))
            surface.colours.push_back({colour(at.colour[0]), colour(at.colour[1]), colour(at.colour[2]),
                                       at.alpha >= 0 ? colour(at.alpha) : 1.0F});
    }
}

void readFaces(const PlyElement& element, PlyData& data, PolygonSurface& surface) {
    const int list = element.find({"vertex_indices", "vertex_index"});
    if (list < 0 || !element.properties[static_cast<std::size_t>(list)].isList)
        data.fail("faces without a list vertex_indices");
    std::vector<std::vector<double>> values;
    for (std::size_t f = 0; f < element.count; ++f) {
        data.read(element, f, values);
        std::vector<int> polygon;
        for (const double v : values[static_cast<std::size_t>(list)]) {
            if (!(v >= 0.0 && v < static_cast<double>(surface.positions.size()) && v == std::floor(v)))
                data.fail("face names vertex " + numberText(v) + ", but there are " +
                              std::to_string(surface.positions.size()),
                          "numbers count from 0");
            polygon.push_back(static_cast<int>(v));
        }
        surface.polygons.push_back(std::move(polygon));
    }
}

}  // namespace

PolygonSurface readPly(const std::string& path, std::vector<std::string>& warnings) {
    const std::string bytes = readBytes(path);
    const PlyHeader header = readPlyHeader(bytes, path);
    PlyData data(bytes, header, path);
    PolygonSurface surface;
    std::vector<std::vector<double>> passedOver;
    for (const PlyElement& element : header.elements) {
        if (element.name == "vertex") {
            readVertices(element, data, surface);
        } else if (element.name == "face") {
            readFaces(element, data, surface);
        } else if (element.name == "tristrips") {
            throw Error(path, "holds triangle strips", "export it with faces");
        } else if (!element.properties.empty()) {
            for (std::size_t i = 0; i < element.count; ++i) data.read(element, i, passedOver);
        }
    }
    if (surface.positions.empty()) throw Error(path, "the surface is empty: no vertex");
    surface.materials.emplace_back().name = "default";
    surface.materials[0].diffuseTexture =
        resolveTexture(header.texture, std::filesystem::path(path).parent_path().string(), warnings);
    return surface;
}

}  // namespace pliant
