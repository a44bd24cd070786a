// SPDX-License-Identifier: Zlib
#include <cmath>

#include "pliant/math/Error.h"
#include "pliant/mesh/BinaryFile.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/formats/SurfaceFormats.h"

namespace pliant {

namespace {

constexpr std::size_t headerSize = 84, facetSize = 50;

/// A binary file has the size that its number of facets tells; its header may begin with "solid" all the same.
bool isBinary(const std::string& bytes) {
    if (bytes.size() < headerSize) return false;
    std::uint32_t facets = 0;
    std::memcpy(&facets, bytes.data() + 80, sizeof facets);
    return bytes.size() == headerSize + facetSize * static_cast<std::size_t>(facets);
}

void addFacet(PolygonSurface& surface) {
    const int last = static_cast<int>(surface.positions.size());
    surface.polygons.push_back({last - 3, last - 2, last - 1});
}

PolygonSurface parseBinary(const std::string& bytes, const std::string& path) {
    ByteReader reader(bytes, path);
    reader.takeText(80, "its header");
    const auto facets = reader.take<std::uint32_t>("the number of facets");
    PolygonSurface surface;
    for (std::uint32_t f = 0; f < facets; ++f) {
        float numbers[12];
        reader.take(numbers, 12, "facet " + std::to_string(f));
        reader.take<std::uint16_t>("the end of facet " + std::to_string(f));
        for (int c = 3; c < 12; c += 3) {
            const Vector3 x(numbers[c], numbers[c + 1], numbers[c + 2]);
            if (!x.allFinite())
                throw Error(path, "facet " + std::to_string(f) + " has a corner that is NaN or infinite",
                            "export the mesh again");
            surface.positions.push_back(x);
        }
        addFacet(surface);
    }
    return surface;
}

class AsciiParser {
public:
    AsciiParser(const std::string& text, const std::string& path) : m_path(path), m_lines(splitLines(text)) {}

    PolygonSurface parse() {
        for (m_at = 0; m_at < m_lines.size(); ++m_at) {
            const std::vector<std::string_view> words = splitWords(m_lines[m_at]);
            if (!words.empty()) read(words);
        }
        if (m_open) fail("the file ends inside a solid: no \"endsolid\"", "copy it again");
        return std::move(m_surface);
    }

private:
    [[noreturn]] void fail(const std::string& problem, const std::string& cure = {}) const {
        throw Error(fileAndLine(m_path, static_cast<int>(m_at + 1)), problem, cure);
    }

    void read(const std::vector<std::string_view>& words) {
        const std::string_view word = words[0];
        if (word == "solid" || word == "endsolid") {
            m_open = word == "solid";
        } else if (word == "outer") {
            m_corners = 0;
        } else if (word == "vertex") {
            readVertex(words);
        } else if (word == "endloop") {
            if (m_corners != 3) fail("a facet of " + std::to_string(m_corners) + " corners", "facets have three");
            addFacet(m_surface);
        } else if (word != "facet" && word != "endfacet") {
            fail("\"" + std::string(word) + "\" is no word of an ASCII .stl",
                 "known are solid, facet, outer loop, vertex, endloop, endfacet, endsolid");
        }
    }

    void readVertex(const std::vector<std::string_view>& words) {
        if (words.size() != 4) fail("a vertex has three numbers");
        Vector3 x;
        for (Eigen::Index k = 0; k < 3; ++k)
            if (!parseNumber(words[static_cast<std::size_t>(k + 1)], x[k]))
                fail("\"" + std::string(words[static_cast<std::size_t>(k + 1)]) + "\" is not a number");
        if (!x.allFinite()) fail("vertex is NaN or infinite", "export the mesh again");
        m_surface.positions.push_back(x);
        ++m_corners;
    }

    std::string m_path;
    std::vector<std::string_view> m_lines;
    std::size_t m_at = 0;
    bool m_open = false;
    int m_corners = 0;
    PolygonSurface m_surface;
};

}  // namespace

PolygonSurface readStl(const std::string& path) {
    const std::string bytes = readBytes(path);
    if (isBinary(bytes)) return parseBinary(bytes, path);
    if (bytes.compare(0, 5, "solid") == 0 && bytes.find('\0') == std::string::npos)
        return AsciiParser(bytes, path).parse();
    throw Error(path, "is no .stl: neither ASCII nor as long as its number of facets tells",
                "copy it again, or export it anew");
}

}  // namespace pliant
