// SPDX-License-Identifier: Zlib
#include <cmath>

#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/formats/SurfaceFormats.h"

namespace pliant {

namespace {

using Words = std::vector<std::string_view>;

class OffParser {
public:
    explicit OffParser(const std::string& path) : m_path(path), m_text(readTextFile(path)) {
        m_lines = splitLines(m_text);
    }

    PolygonSurface parse() {
        readHeader();
        for (int v = 0; v < m_vertices; ++v) readVertex(v);
        for (int f = 0; f < m_faces; ++f) readFace(f);
        return std::move(m_surface);
    }

private:
    [[noreturn]] void fail(const std::string& problem, const std::string& cure = {}) const {
        throw Error(fileAndLine(m_path, static_cast<int>(m_at)), problem, cure);
    }

    /// Words of the next line that has any, without comment; empty at the end of the file.
    Words next() {
        while (m_at < m_lines.size()) {
            const std::string_view line = m_lines[m_at++];
            Words words = splitWords(line.substr(0, line.find('#')));
            if (!words.empty()) return words;
        }
        return {};
    }

    double real(std::string_view word) const {
        double value = 0.0;
        if (!parseNumber(word, value)) fail("\"" + std::string(word) + "\" is not a number");
        if (!std::isfinite(value))
            fail("vertex data is " + std::string(word), "export the mesh again without NaN and infinity");
        return value;
    }

    int integer(std::string_view word) const {
        int value = 0;
        if (!parseNumber(word, value)) fail("\"" + std::string(word) + "\" is not a whole number");
        return value;
    }

    void readHeader() {
        Words words = next();
        if (words.empty()) throw Error(m_path, "the file is empty");
        std::string_view kind = words[0];
        const auto drop = [&](std::string_view prefix) {
            const bool there = kind.substr(0, prefix.size()) == prefix;
            if (there) kind.remove_prefix(prefix.size());
            return there;
        };
        m_hasTexcoords = drop("ST");
        m_hasColours = drop("C");
        m_hasNormals = drop("N");
        if (kind != "OFF" || (words.size() > 1 && words[1] == "BINARY"))
            fail("\"" + std::string(m_lines[m_at - 1]) + "\" is no ASCII .off in three dimensions",
                 "the file begins with OFF, NOFF, COFF, STOFF or a union of these");
        words.erase(words.begin());
        if (words.empty()) words = next();
        if (words.size() < 2) fail("the numbers of vertices and faces are missing");
        m_vertices = integer(words[0]);
        m_faces = integer(words[1]);
        const auto left = static_cast<int>(m_lines.size() - m_at);
        if (m_vertices < 0 || m_faces < 0 || m_vertices > left || m_faces > left)
            fail(std::to_string(m_vertices) + " vertices and " + std::to_string(m_faces) +
                 " faces announced, which the file does not hold");
    }

    void readVertex(int v) {
        const Words words = next();
        const std::size_t least = 3U + (m_hasNormals ? 3U : 0U) + (m_hasTexcoords ? 2U : 0U);
        if (words.size() < least)
            fail("vertex " + std::to_string(v) + " of " + std::to_string(m_vertices) + " needs " +
                 std::to_string(least) + " numbers");
        const auto vector = [&](std::size_t i) {
            return Vector3(real(words[i]), real(words[i + 1]), real(words[i + 2]));
        };
        m_surface.positions.push_back(vector(0));
        if (m_hasNormals) m_surface.normals.push_back(vector(3));
        const std::size_t colour = m_hasNormals ? 6 : 3, end = words.size() - (m_hasTexcoords ? 2 : 0);
        if (m_hasColours) readColour(words, colour, end);
        if (m_hasTexcoords) m_surface.texcoords.push_back({real(words[end]), real(words[end + 1])});
    }

    /// Three or four numbers: whole ones count to 255, others to 1.
    void readColour(const Words& words, std::size_t begin, std::size_t end) {
        if (end - begin != 3 && end - begin != 4) fail("a colour has three or four numbers");
        std::array<float, 4> colour{0.0F, 0.0F, 0.0F, 1.0F};
        bool whole = true;
        for (std::size_t i = begin; i < end; ++i) {
            int ignored = 0;
            whole = whole && parseNumber(words[i], ignored);
        }
        for (std::size_t i = begin; i < end; ++i)
            colour[i - begin] = static_cast<float>(whole ? real(words[i]) / 255.0 : real(words[i]));
        m_surface.colours.push_back(colour);
    }

    void readFace(int f) {
        const Words words = next();
        if (words.empty())
            fail("the file ends before face " + std::to_string(f) + " of " + std::to_string(m_faces), "copy it again");
        const int corners = integer(words[0]);
        if (corners < 1 || static_cast<std::size_t>(corners) >= words.size())
            fail("a face of " + std::to_string(corners) + " corners with " + std::to_string(words.size() - 1) +
                 " numbers after it");
        std::vector<int> polygon;
        for (int c = 1; c <= corners; ++c) {
            polygon.push_back(integer(words[static_cast<std::size_t>(c)]));
            if (polygon.back() < 0 || polygon.back() >= m_vertices)
                fail("face names vertex " + std::to_string(polygon.back()) + ", but there are " +
                         std::to_string(m_vertices),
                     "numbers count from 0");
        }
        m_surface.polygons.push_back(std::move(polygon));
    }

    std::string m_path, m_text;
    std::vector<std::string_view> m_lines;
    std::size_t m_at = 0;
    bool m_hasNormals = false, m_hasColours = false, m_hasTexcoords = false;
    int m_vertices = 0, m_faces = 0;
    PolygonSurface m_surface;
};

}  // namespace

PolygonSurface readOff(const std::string& path) {
    return OffParser(path).parse();
}

}  // namespace pliant
