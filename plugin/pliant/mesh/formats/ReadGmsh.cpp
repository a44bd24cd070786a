// SPDX-License-Identifier: Zlib
#include <cmath>

#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/formats/GmshMesh.h"
#include "pliant/mesh/formats/VolumeFormats.h"

namespace pliant {

namespace {

using Words = std::vector<std::string_view>;

class GmshParser {
public:
    explicit GmshParser(const std::string& path) : m_path(path), m_text(readTextFile(path)) {
        m_lines = splitLines(m_text);
    }

    VolumeFile parse() {
        while (m_at < m_lines.size() && !m_isDone) {
            const std::string_view line = trimmed(m_lines[m_at++]);
            if (line.empty()) continue;
            if (line[0] != '$') fail("\"" + std::string(line.substr(0, 20)) + "\" stands outside of every section");
            readSection(line.substr(1));
        }
        if (!m_isOld && !m_isNew) throw Error(m_path, "is no .msh: $MeshFormat is missing");
        return m_mesh.finish(m_path);
    }

private:
    [[noreturn]] void fail(const std::string& problem, const std::string& cure = {}) const {
        throw Error(fileAndLine(m_path, static_cast<int>(m_at)), problem, cure);
    }

    /// Words of the next line with any. @param least so many are needed
    Words next(const std::string& what, std::size_t least) {
        while (m_at < m_lines.size()) {
            Words words = splitWords(m_lines[m_at++]);
            if (words.empty()) continue;
            if (words[0][0] == '$') fail("the section ends before " + what);
            if (words.size() < least) fail(what + " needs " + std::to_string(least) + " numbers");
            return words;
        }
        fail("the file ends before " + what, "copy it again");
    }

    int integer(std::string_view word) const {
        int value = 0;
        if (!parseNumber(word, value)) fail("\"" + std::string(word) + "\" is not a whole number");
        return value;
    }

    int count(std::string_view word, const std::string& what) const {
        const int n = integer(word);
        if (n < 0 || static_cast<std::size_t>(n) > m_lines.size())
            fail(std::to_string(n) + " " + what + " announced, which the file does not hold");
        return n;
    }

    void readSection(std::string_view name) {
        if (name != "MeshFormat" && !m_isOld && !m_isNew) fail("$MeshFormat is not the first section");
        if (name == "MeshFormat") {
            readFormat();
            if (m_isDone) return;
        } else if (name == "PhysicalNames") {
            readNames();
        } else if (name == "Entities" && m_isNew) {
            readEntities();
        } else if (name == "Nodes") {
            m_isNew ? readNewNodes() : readOldNodes();
        } else if (name == "Elements") {
            m_isNew ? readNewElements() : readOldElements();
        } else if (name == "PartitionedEntities") {
            fail("the mesh is cut into partitions", "save it without partitions");
        } else {
            skipTo("$End" + std::string(name));
            return;
        }
        const Words end = nextOfAnyKind();
        if (end.empty() || end[0] != "$End" + std::string(name))
            fail("$End" + std::string(name) + " is missing: more entries than announced, or a file cut short");
    }

    Words nextOfAnyKind() {
        while (m_at < m_lines.size()) {
            Words words = splitWords(m_lines[m_at++]);
            if (!words.empty()) return words;
        }
        return {};
    }

    void skipTo(const std::string& end) {
        while (m_at < m_lines.size())
            if (trimmed(m_lines[m_at++]) == end) return;
        fail(end + " is missing", "copy the file again");
    }

    void readFormat() {
        const Words words = next("version, file type and size of numbers", 3);
        m_isOld = words[0] == "2.2" || words[0] == "2" || words[0] == "2.1";
        m_isNew = words[0] == "4.1";
        if (!m_isOld && !m_isNew)
            fail("version " + std::string(words[0]) + " of .msh", "save as version 4.1 or 2.2 (gmsh -format msh22)");
        if (words[1] == "0") return;
        if (words[1] != "1" || words[2] != "8") fail("a binary file of numbers of " + std::string(words[2]) + " bytes");
        const auto begin =
            static_cast<std::size_t>(m_lines[m_at - 1].data() - m_text.data()) + m_lines[m_at - 1].size();
        const std::size_t line = m_text.find('\n', begin);
        readGmshBytes(m_text, line == std::string::npos ? m_text.size() : line + 1, m_isNew, m_path, m_mesh);
        m_isDone = true;
    }

    void readNames() {
        const int names = count(next("the number of names", 1)[0], "names");
        for (int i = 0; i < names; ++i) {
            const Words words = next("a physical name", 3);
            const std::string_view line = m_lines[m_at - 1];
            const std::size_t open = line.find('"'), close = line.rfind('"');
            if (open == std::string_view::npos || close <= open) fail("a physical name stands in quotes");
            if (integer(words[0]) == 3)
                m_mesh.names[integer(words[1])] = std::string(line.substr(open + 1, close - open - 1));
        }
    }

    /// Physical group of each volume; the other entities are only counted.
    void readEntities() {
        const Words counts = next("the numbers of entities", 4);
        for (std::size_t dimension = 0; dimension < 4; ++dimension) {
            const int entities = count(counts[dimension], "entities");
            const std::size_t box = dimension == 0 ? 3 : 6;
            for (int i = 0; i < entities; ++i) {
                const Words words = next("an entity", box + 2);
                if (dimension < 3) continue;
                const int groups = count(words[box + 1], "physical groups");
                if (words.size() < box + 2 + static_cast<std::size_t>(groups)) fail("physical groups are missing");
                m_mesh.groups[integer(words[0])] = groups > 0 ? std::abs(integer(words[box + 2])) : 0;
            }
        }
    }

    void addNode(int tag, std::string_view x, std::string_view y, std::string_view z) {
        Vector3 position;
        const std::string_view words[3] = {x, y, z};
        for (Eigen::Index k = 0; k < 3; ++k)
            if (!parseNumber(words[k], position[k])) fail("\"" + std::string(words[k]) + "\" is not a number");
        m_mesh.addNode(tag, position, here());
    }

    void readOldNodes() {
        const int nodes = count(next("the number of nodes", 1)[0], "nodes");
        for (int i = 0; i < nodes; ++i) {
            const Words words = next("node " + std::to_string(i + 1) + " of " + std::to_string(nodes), 4);
            addNode(integer(words[0]), words[1], words[2], words[3]);
        }
    }

    void readNewNodes() {
        const int blocks = count(next("the numbers of nodes", 4)[0], "blocks");
        for (int b = 0; b < blocks; ++b) {
            const int nodes = count(next("a block of nodes", 4)[3], "nodes");
            std::vector<int> tags;
            for (int i = 0; i < nodes; ++i) tags.push_back(integer(next("a node's number", 1)[0]));
            for (const int tag : tags) {
                const Words words = next("coordinates of node " + std::to_string(tag), 3);
                addNode(tag, words[0], words[1], words[2]);
            }
        }
    }

    std::string here() const { return fileAndLine(m_path, static_cast<int>(m_at)); }

    void addSolid(SolidKind kind, const Words& words, std::size_t first, int region) {
        const auto corners = static_cast<std::size_t>(cornerCount(kind));
        if (words.size() != first + corners)
            fail("an element of " + std::to_string(corners) + " nodes has " + std::to_string(words.size() - first));
        long long tags[8];
        for (std::size_t c = 0; c < corners; ++c) tags[c] = integer(words[first + c]);
        m_mesh.addSolid(kind, tags, region, here());
    }

    void readOldElements() {
        const int elements = count(next("the number of elements", 1)[0], "elements");
        for (int i = 0; i < elements; ++i) {
            const Words words = next("element " + std::to_string(i + 1) + " of " + std::to_string(elements), 3);
            const int tags = count(words[2], "tags");
            SolidKind kind = SolidKind::Tetrahedron;
            if (!solidOfGmsh(integer(words[1]), here(), kind)) continue;
            const std::size_t first = 3 + static_cast<std::size_t>(tags);
            if (words.size() < first) fail("the tags of an element are missing");
            addSolid(kind, words, first, tags > 0 ? std::abs(integer(words[3])) : 0);
        }
    }

    void readNewElements() {
        const int blocks = count(next("the numbers of elements", 4)[0], "blocks");
        for (int b = 0; b < blocks; ++b) {
            const Words head = next("a block of elements", 4);
            SolidKind kind = SolidKind::Tetrahedron;
            const bool wanted = solidOfGmsh(integer(head[2]), here(), kind);
            const int region = m_mesh.regionOf(integer(head[1]));
            const int elements = count(head[3], "elements");
            for (int i = 0; i < elements; ++i) {
                const Words words = next("an element", 2);
                if (!wanted) continue;
                addSolid(kind, words, 1, region);
            }
        }
    }

    std::string m_path, m_text;
    std::vector<std::string_view> m_lines;
    std::size_t m_at = 0;
    bool m_isOld = false, m_isNew = false;
    bool m_isDone = false;  ///< the rest was bytes
    GmshMesh m_mesh;
};

}  // namespace

VolumeFile readGmsh(const std::string& path) {
    return GmshParser(path).parse();
}

}  // namespace pliant
