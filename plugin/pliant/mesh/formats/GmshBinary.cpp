// SPDX-License-Identifier: Zlib
// Binary Gmsh, versions 2.2 and 4.1 ("MSH file format" in Gmsh's manual): sections begin and end with lines of text as
// in ASCII; what is between them is numbers as the machine stores them.
#include <algorithm>
#include <cmath>

#include "pliant/math/Error.h"
#include "pliant/mesh/BinaryFile.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/formats/GmshMesh.h"

namespace pliant {

namespace {

class GmshBytes {
public:
    GmshBytes(const std::string& bytes, std::size_t begin, bool isNew, const std::string& path, GmshMesh& mesh)
        : m_bytes(bytes), m_at(begin), m_isNew(isNew), m_path(path), m_mesh(mesh) {}

    void read() {
        if (take<std::int32_t>("the byte order") != 1)
            fail("the file was written by a machine of the other byte order", "save it as ASCII there");
        expectLine("$EndMeshFormat");
        while (true) {
            const std::string line = nextLine();
            if (line.empty()) return;
            if (line[0] != '$') fail("\"" + line.substr(0, 20) + "\" stands outside of every section");
            readSection(line.substr(1));
        }
    }

private:
    std::string where() const { return m_path + ": byte " + std::to_string(m_at); }
    [[noreturn]] void fail(const std::string& problem, const std::string& cure = "copy the file again") const {
        throw Error(where(), problem, cure);
    }

    template <typename Number>
    Number take(const char* what) {
        Number value;
        if (m_bytes.size() - m_at < sizeof value) fail(std::string("the file ends before ") + what);
        std::memcpy(&value, m_bytes.data() + m_at, sizeof value);
        m_at += sizeof value;
        return value;
    }
    void skip(std::size_t bytes, const char* what) {
        if (m_bytes.size() - m_at < bytes) fail(std::string("the file ends before ") + what);
        m_at += bytes;
    }
    /// A number of things of `bytes` bytes each at least, which the file must hold.
    std::size_t count(std::uint64_t announced, std::size_t bytes, const char* what) {
        if (announced > (m_bytes.size() - m_at) / bytes)
            fail(std::to_string(announced) + " " + what + " announced, which the file does not hold");
        return static_cast<std::size_t>(announced);
    }
    std::size_t longCount(std::size_t bytes, const char* what) { return count(take<std::uint64_t>(what), bytes, what); }

    /// The next line with anything on it; empty at the end of the file.
    std::string nextLine() {
        while (m_at < m_bytes.size()) {
            const std::size_t end = std::min(m_bytes.find('\n', m_at), m_bytes.size());
            const std::string line(trimmed(std::string_view(m_bytes).substr(m_at, end - m_at)));
            m_at = std::min(end + 1, m_bytes.size());
            if (!line.empty()) return line;
        }
        return {};
    }
    void expectLine(const std::string& wanted) {
        if (nextLine() != wanted) fail(wanted + " is missing: more entries than announced, or a file cut short");
    }
    std::size_t lineCount(std::size_t bytes, const char* what) {
        double value = 0.0;
        if (!parseNumber(nextLine(), value) || !(value >= 0.0 && value < 1e15 && value == std::floor(value)))
            fail(std::string("the number of ") + what + " is missing");
        return count(static_cast<std::uint64_t>(value), bytes, what);
    }

    void readSection(const std::string& name) {
        if (name == "PhysicalNames") {
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
            const std::size_t end = m_bytes.find("$End" + name, m_at);
            if (end == std::string::npos) fail("$End" + name + " is missing");
            m_at = end;
        }
        expectLine("$End" + name);
    }

    void readNames() {
        const std::size_t names = lineCount(5, "names");
        for (std::size_t i = 0; i < names; ++i) {
            const std::string line = nextLine();
            const std::vector<std::string_view> words = splitWords(line);
            const std::size_t open = line.find('"'), close = line.rfind('"');
            int dimension = 0, number = 0;
            if (words.size() < 3 || !parseNumber(words[0], dimension) || !parseNumber(words[1], number) ||
                open == std::string::npos || close <= open)
                fail("a physical name is a dimension, a number and a text in quotes");
            if (dimension == 3) m_mesh.names[number] = line.substr(open + 1, close - open - 1);
        }
    }

    void readEntities() {
        std::size_t counts[4];
        for (std::size_t& entities : counts) entities = longCount(4, "entities");
        for (int dimension = 0; dimension < 4; ++dimension)
            for (std::size_t i = 0; i < counts[dimension]; ++i) {
                const int tag = take<std::int32_t>("an entity");
                skip(dimension == 0 ? 24 : 48, "the box of an entity");
                const std::size_t groups = longCount(4, "physical groups");
                for (std::size_t g = 0; g < groups; ++g) {
                    const int group = take<std::int32_t>("a physical group");
                    // A negative number turns the entity round; the lowest one has no counterpart.
                    if (g == 0 && dimension == 3) m_mesh.groups[tag] = std::abs(std::max(group, -2147483647));
                }
                if (dimension > 0) skip(4 * longCount(4, "bounding entities"), "bounding entities");
            }
    }

    Vector3 position() {
        Vector3 x;
        for (Eigen::Index k = 0; k < 3; ++k) x[k] = take<double>("a position");
        return x;
    }

    void readOldNodes() {
        const std::size_t nodes = lineCount(28, "nodes");
        for (std::size_t i = 0; i < nodes; ++i) {
            const long long tag = take<std::int32_t>("a node");
            m_mesh.addNode(tag, position(), where());
        }
    }

    void readNewNodes() {
        const std::size_t blocks = longCount(20, "blocks of nodes");
        skip(24, "the numbers of nodes");
        for (std::size_t b = 0; b < blocks; ++b) {
            const int dimension = take<std::int32_t>("a block of nodes");
            skip(4, "an entity");
            const bool parametric = take<std::int32_t>("a block of nodes") != 0;
            const std::size_t nodes = longCount(32, "nodes");
            std::vector<std::uint64_t> tags;
            for (std::size_t i = 0; i < nodes; ++i) tags.push_back(take<std::uint64_t>("a node's number"));
            for (const std::uint64_t tag : tags) {
                m_mesh.addNode(static_cast<long long>(tag), position(), where());
                if (parametric && dimension > 0 && dimension < 4)
                    skip(8 * static_cast<std::size_t>(dimension), "parametric coordinates");
            }
        }
    }

    void readOldElements() {
        const std::size_t elements = lineCount(8, "elements");
        for (std::size_t done = 0; done < elements;) {
            const int type = take<std::int32_t>("a header of elements");
            const int announced = take<std::int32_t>("a header of elements"), tags = take<std::int32_t>("a header");
            SolidKind kind = SolidKind::Tetrahedron;
            const bool wanted = solidOfGmsh(type, where(), kind);
            const int nodes = gmshNodeCount(type, where());
            if (announced < 1 || tags < 0) fail("a header of elements without elements");
            const std::size_t tagCount = count(static_cast<std::uint64_t>(tags), 4, "tags");
            const std::size_t here = count(static_cast<std::uint64_t>(announced),
                                           4 * (1 + tagCount + static_cast<std::size_t>(nodes)), "elements");
            for (std::size_t i = 0; i < here; ++i) {
                skip(4, "an element");
                int region = 0;
                for (std::size_t t = 0; t < tagCount; ++t) {
                    const int tag = take<std::int32_t>("a tag");
                    if (t == 0) region = tag == INT32_MIN ? 0 : std::abs(tag);
                }
                long long corners[32];
                for (int c = 0; c < nodes; ++c) corners[c] = take<std::int32_t>("a corner");
                if (wanted) m_mesh.addSolid(kind, corners, region, where());
            }
            done += here;
        }
    }

    void readNewElements() {
        const std::size_t blocks = longCount(20, "blocks of elements");
        skip(24, "the numbers of elements");
        for (std::size_t b = 0; b < blocks; ++b) {
            skip(4, "a block of elements");
            const int entity = take<std::int32_t>("a block of elements"), type = take<std::int32_t>("a block");
            SolidKind kind = SolidKind::Tetrahedron;
            const bool wanted = solidOfGmsh(type, where(), kind);
            const int nodes = gmshNodeCount(type, where());
            const std::size_t here = longCount(8 * (1 + static_cast<std::size_t>(nodes)), "elements");
            const int region = m_mesh.regionOf(entity);
            for (std::size_t i = 0; i < here; ++i) {
                skip(8, "an element");
                long long corners[32];
                for (int c = 0; c < nodes; ++c) corners[c] = static_cast<long long>(take<std::uint64_t>("a corner"));
                if (wanted) m_mesh.addSolid(kind, corners, region, where());
            }
        }
    }

    const std::string& m_bytes;
    std::size_t m_at;
    bool m_isNew;
    std::string m_path;
    GmshMesh& m_mesh;
};

}  // namespace

void readGmshBytes(const std::string& bytes, std::size_t begin, bool isNew, const std::string& path, GmshMesh& mesh) {
    GmshBytes(bytes, begin, isNew, path, mesh).read();
}

}  // namespace pliant
