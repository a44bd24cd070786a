// SPDX-License-Identifier: Zlib
#include "pliant/mesh/ReadVeg.h"

#include <algorithm>
#include <map>

#include "pliant/math/Error.h"
#include "pliant/mesh/CheckVolumeMesh.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/VegLines.h"
#include "pliant/mesh/VegMaterial.h"

namespace pliant {

namespace {

using Words = std::vector<std::string_view>;

/// A numbered list of the file: vertices or elements. Its first number, 0 or 1, is where all its numbers count from.
struct Numbering {
    int base = -1;              ///< 0 or 1; -1 before the first entry
    std::vector<int> lineOf{};  ///< line (index into VegLines::lines) that defined each entry, -1 = none yet
};

class Parser {
public:
    explicit Parser(const std::string& path) : m_path(path), m_text(readVegLines(path)) {}

    VolumeMesh parse() {
        for (m_at = 0; m_at < m_text.lines.size();) parseSection();
        if (m_vertices.lineOf.empty()) throw Error(m_path, "the mesh is empty: no vertex", "add *VERTICES");
        if (m_elements.lineOf.empty()) throw Error(m_path, "the mesh is empty: no element", "add *ELEMENTS");
        assignRegions();
        locateDefect();
        return std::move(m_mesh);
    }

private:
    [[noreturn]] void fail(std::size_t line, const std::string& problem, const std::string& cure = {}) const {
        throw Error(m_text.where(m_text.lines[line]), problem, cure);
    }

    bool atData() const { return m_at < m_text.lines.size() && m_text.lines[m_at].text.front() != '*'; }

    /// The next line of data of a section; `what` it should hold.
    Words nextData(std::size_t sectionLine, const std::string& what) {
        if (!atData()) fail(sectionLine, "the section ends before " + what);
        return splitWords(m_text.lines[m_at++].text, ",");
    }

    int integer(std::string_view word, const std::string& what) const {
        int value = 0;
        if (!parseNumber(word, value)) fail(m_at - 1, "\"" + std::string(word) + "\" is not " + what);
        return value;
    }

    double real(std::string_view word, const std::string& what) const {
        double value = 0.0;
        if (!parseNumber(word, value)) fail(m_at - 1, "\"" + std::string(word) + "\" is not " + what);
        return value;
    }

    void parseSection() {
        const std::size_t line = m_at++;
        const Words words = splitWords(m_text.lines[line].text);
        const std::string keyword = upperCase(words.front());
        const std::string name =
            words.size() > 1 ? std::string(trimmed(std::string_view(m_text.lines[line].text).substr(words[0].size())))
                             : std::string();
        if (keyword == "*VERTICES") return parseVertices(line);
        if (keyword == "*ELEMENTS") return parseElements(line);
        if (keyword == "*MATERIAL") return parseMaterial(line, name);
        if (keyword == "*SET") return parseSet(line, name);
        if (keyword == "*REGION") return parseRegion(line);
        fail(line, "\"" + std::string(words.front()) + "\" is no section of a .veg",
             "known are *VERTICES, *ELEMENTS, *MATERIAL, *SET, *REGION, *INCLUDE");
    }

    /// Position in its list of the entry that the line just read defines; fixes the base with the first.
    int define(Numbering& list, std::string_view word, const std::string& what) {
        const int number = integer(word, "the number of " + what);
        if (list.base < 0) {
            if (number != 0 && number != 1) fail(m_at - 1, "numbers of " + what + " start at 0 or 1");
            list.base = number;
        }
        const int position = number - list.base, count = static_cast<int>(list.lineOf.size());
        if (position < 0 || position >= count)
            fail(m_at - 1, what + " " + std::to_string(number) + " is outside " + std::to_string(list.base) + ".." +
                               std::to_string(list.base + count - 1));
        int& definedAt = list.lineOf[static_cast<std::size_t>(position)];
        if (definedAt >= 0)
            fail(m_at - 1, what + " " + std::to_string(number) + " is defined twice",
                 "first at " + m_text.where(m_text.lines[static_cast<std::size_t>(definedAt)]));
        definedAt = static_cast<int>(m_at) - 1;
        return position;
    }

    int count(std::string_view word, const std::string& what, std::size_t section) const {
        const int n = integer(word, "the number of " + what);
        // Each entry has a line of its own: a larger number is wrong, and must not size an array.
        if (n < 1 || static_cast<std::size_t>(n) > m_text.lines.size() - section)
            fail(m_at - 1, std::to_string(n) + " " + what + " announced, which the file does not hold");
        return n;
    }

    void parseVertices(std::size_t line) {
        if (!m_vertices.lineOf.empty()) fail(line, "*VERTICES is defined twice");
        const Words header = nextData(line, "the number of vertices");
        const int n = count(header[0], "vertices", line);
        if (header.size() > 1 && integer(header[1], "the dimension") != 3)
            fail(m_at - 1, "vertices of dimension " + std::string(header[1]), "only 3 is possible");
        m_vertices.lineOf.assign(static_cast<std::size_t>(n), -1);
        m_mesh.positions.resize(3, n);
        for (int i = 0; i < n; ++i) {
            const Words words = nextData(line, "vertex " + std::to_string(i + 1) + " of " + std::to_string(n));
            if (words.size() < 4) fail(m_at - 1, "a vertex needs its number and x, y, z");
            const int v = define(m_vertices, words[0], "vertex");
            for (int k = 0; k < 3; ++k)
                m_mesh.positions(k, v) = real(words[static_cast<std::size_t>(k + 1)], "a coordinate");
        }
        if (atData()) fail(m_at, "more vertices than the " + std::to_string(n) + " announced");
    }

    void parseElements(std::size_t line) {
        if (!m_elements.lineOf.empty()) fail(line, "*ELEMENTS is defined twice");
        const std::string kind = upperCase(nextData(line, "the kind of elements")[0]);
        if (kind != "TET" && kind != "TETS" && kind != "CUBIC")
            fail(m_at - 1, "elements of kind \"" + kind + "\"", "known are TET and CUBIC");
        m_mesh.kind = kind == "CUBIC" ? ElementKind::Brick : ElementKind::Tetrahedron;
        const int corners = m_mesh.cornersPerElement();
        const Words header = nextData(line, "the number of elements");
        const int m = count(header[0], "elements", line);
        if (header.size() > 1 && integer(header[1], "the number of corners") != corners)
            fail(m_at - 1, kind + " elements have " + std::to_string(corners) + " corners");
        m_elements.lineOf.assign(static_cast<std::size_t>(m), -1);
        m_mesh.elements.resize(corners, m);
        for (int i = 0; i < m; ++i) {
            const Words words = nextData(line, "element " + std::to_string(i + 1) + " of " + std::to_string(m));
            if (static_cast<int>(words.size()) < corners + 1)
                fail(m_at - 1, "an element needs its number and " + std::to_string(corners) + " vertices");
            const int e = define(m_elements, words[0], "element");
            for (int c = 0; c < corners; ++c)
                m_mesh.elements(c, e) = integer(words[static_cast<std::size_t>(c + 1)], "a vertex number");
        }
        if (atData()) fail(m_at, "more elements than the " + std::to_string(m) + " announced");
    }

    void parseMaterial(std::size_t line, const std::string& name) {
        if (name.empty()) fail(line, "*MATERIAL without a name");
        if (m_material.count(name)) fail(line, "material \"" + name + "\" is defined twice");
        const Words words = nextData(line, "the material's numbers");
        ElasticMaterial material = parseVegMaterial(words, m_text.where(m_text.lines[m_at - 1]));
        material.name = name;
        checkMaterial(material, m_text.where(m_text.lines[m_at - 1]) + ": material \"" + name + "\"");
        m_material[name] = static_cast<int>(m_mesh.materials.size());
        m_mesh.materials.push_back(material);
        if (atData()) fail(m_at, "more than one line for material \"" + name + "\"");
    }

    void parseSet(std::size_t line, const std::string& name) {
        if (name.empty()) fail(line, "*SET without a name");
        if (m_sets.count(name) || name == "allElements") fail(line, "set \"" + name + "\" is defined twice");
        std::vector<Member>& members = m_sets[name];
        while (atData())
            for (const std::string_view word : nextData(line, "an element"))
                members.push_back({integer(word, "an element number"), m_at - 1});
    }

    void parseRegion(std::size_t line) {
        const std::string& text = m_text.lines[m_at < m_text.lines.size() ? m_at : line].text;
        nextData(line, "the region's set and material");
        const std::size_t comma = text.find(',');
        if (comma == std::string::npos) fail(m_at - 1, "a region is \"set, material\"");
        m_regions.push_back({std::string(trimmed(std::string_view(text).substr(0, comma))),
                             std::string(trimmed(std::string_view(text).substr(comma + 1))), m_at - 1});
        if (atData()) fail(m_at, "more than one line for a region", "start each with *REGION");
    }

    /// Vertex and element numbers become 0-based; elements get their material. After all sections: order is free.
    void assignRegions() {
        const int n = m_mesh.vertexCount(), m = m_mesh.elementCount();
        for (int e = 0; e < m; ++e)
            for (int c = 0; c < m_mesh.cornersPerElement(); ++c) {
                int& v = m_mesh.elements(c, e);
                if (v < m_vertices.base || v >= m_vertices.base + n)
                    fail(static_cast<std::size_t>(m_elements.lineOf[static_cast<std::size_t>(e)]),
                         "element names vertex " + std::to_string(v) + ", outside " + std::to_string(m_vertices.base) +
                             ".." + std::to_string(m_vertices.base + n - 1));
                v -= m_vertices.base;
            }
        m_mesh.elementMaterial.assign(static_cast<std::size_t>(m), -1);
        for (const auto& set : m_sets)
            for (const Member& member : set.second) checkMember(member);
        for (const Region& region : m_regions) assignRegion(region);
        const auto& material = m_mesh.elementMaterial;
        const auto bare = std::find(material.begin(), material.end(), -1) - material.begin();
        if (bare < m)
            fail(static_cast<std::size_t>(m_elements.lineOf[static_cast<std::size_t>(bare)]),
                 "element " + std::to_string(bare + m_elements.base) + " belongs to no region",
                 "add it to a *SET with a *REGION, or use \"allElements\"");
    }

    struct Member {
        int number;        ///< as the file counts
        std::size_t line;  ///< where it stands
    };
    struct Region {
        std::string set, material;
        std::size_t line;
    };

    void checkMember(const Member& member) const {
        const int last = m_elements.base + m_mesh.elementCount() - 1;
        if (member.number < m_elements.base || member.number > last)
            fail(member.line, "set names element " + std::to_string(member.number) + ", outside " +
                                  std::to_string(m_elements.base) + ".." + std::to_string(last));
    }

    void assignRegion(const Region& region) {
        const auto material = m_material.find(region.material);
        if (material == m_material.end())
            fail(region.line, "unknown material \"" + region.material + "\"", "define it with *MATERIAL");
        const auto set = m_sets.find(region.set);
        if (set == m_sets.end() && region.set != "allElements")
            fail(region.line, "unknown set \"" + region.set + "\"", "define it with *SET, or use \"allElements\"");
        if (set != m_sets.end() && set->second.empty())
            fail(region.line, "the region's set \"" + region.set + "\" has no element",
                 "add elements to the set or remove the region");
        if (set == m_sets.end()) {
            for (int e = 0; e < m_mesh.elementCount(); ++e) assignElement(e, material->second, region.line);
        } else {
            for (const Member& member : set->second)
                assignElement(member.number - m_elements.base, material->second, region.line);
        }
    }

    void assignElement(int element, int material, std::size_t line) {
        int& slot = m_mesh.elementMaterial[static_cast<std::size_t>(element)];
        if (slot >= 0)
            fail(line, "element " + std::to_string(element + m_elements.base) + " is in a region already",
                 "each element belongs to one region, once");
        slot = material;
    }

    void locateDefect() const {
        const auto defect = findDefect(m_mesh);
        if (!defect) return;
        int line = -1;
        if (defect->element >= 0) line = m_elements.lineOf[static_cast<std::size_t>(defect->element)];
        if (defect->vertex >= 0) line = m_vertices.lineOf[static_cast<std::size_t>(defect->vertex)];
        if (line < 0) throw Error(m_path, defect->problem, defect->cure);
        fail(static_cast<std::size_t>(line), defect->problem, defect->cure);
    }

    std::string m_path;
    VegLines m_text;
    std::size_t m_at = 0;
    VolumeMesh m_mesh;
    Numbering m_vertices, m_elements;
    std::map<std::string, int> m_material;
    std::map<std::string, std::vector<Member>> m_sets;
    std::vector<Region> m_regions;
};

}  // namespace

VolumeMesh readVeg(const std::string& path) {
    return Parser(path).parse();
}

}  // namespace pliant
