// SPDX-License-Identifier: Zlib
#include "pliant/mesh/ReadObj.h"

// The parser is compiled in under a namespace of our own: a program may carry another copy in single precision.
#define tinyobj pliant_tinyobj
#define TINYOBJLOADER_USE_DOUBLE
#define TINYOBJLOADER_IMPLEMENTATION
#include <tiny_obj_loader.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <tuple>

#include "pliant/math/Error.h"
#include "pliant/mesh/CheckSurfaceMesh.h"
#include "pliant/mesh/ObjText.h"
#include "pliant/mesh/PolygonSurface.h"
#include "pliant/mesh/SurfaceNormals.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/TriangulatePolygon.h"

namespace pliant {

namespace {

namespace fs = std::filesystem;

SurfaceMaterial convert(const tinyobj::material_t& m, const fs::path& folder, std::vector<std::string>& warnings) {
    SurfaceMaterial material;
    material.name = m.name;
    material.diffuse = Vector3(m.diffuse[0], m.diffuse[1], m.diffuse[2]);
    material.specular = Vector3(m.specular[0], m.specular[1], m.specular[2]);
    material.shininess = m.shininess;
    material.opacity = std::clamp(static_cast<double>(m.dissolve), 0.0, 1.0);
    material.diffuseTexture = resolveTexture(m.diffuse_texname, folder.string(), warnings);
    return material;
}

struct Parsed {
    tinyobj::attrib_t attributes;
    std::vector<tinyobj::shape_t> shapes;
    std::vector<tinyobj::material_t> materials;
};

void appendLines(const std::string& text, const std::string& path, std::vector<std::string>& warnings) {
    for (const std::string_view line : splitLines(text))
        if (!trimmed(line).empty()) warnings.push_back(path + ": " + std::string(trimmed(line)));
}

/// Gives the parser the materials of the files that there are, under the numbers that stand for their names.
class NumberedMaterials : public tinyobj::MaterialReader {
public:
    NumberedMaterials(const ObjText& text, const std::string& path, std::vector<std::string>& warnings)
        : m_text(text), m_path(path), m_warnings(warnings) {}

    bool operator()(const std::string& file, std::vector<tinyobj::material_t>* materials,
                    std::map<std::string, int>* byNumber, std::string* warning, std::string* problem) override {
        const std::string& named = m_text.materialFiles.at(std::stoul(file));
        const std::vector<std::string> there = materialFilesThere(named, fs::path(m_path).parent_path().string());
        if (there.empty())
            m_warnings.push_back(m_path + ": the file of materials \"" + named +
                                 "\" is not there; put it beside the surface to see its colours");
        m_isMissing = m_isMissing || there.empty();
        for (const std::string& found : there) read(found, materials, warning, problem);
        for (std::size_t k = 0; k < m_text.materialNames.size(); ++k)
            if (const int number = numberOf(m_text.materialNames[k]); number >= 0)
                (*byNumber)[std::to_string(k)] = number;
        return true;
    }

    /// One sentence for all names that no file has.
    void tellUnknown() const {
        if (m_isMissing && !m_isRead) return;  // that says it
        constexpr int mostNamed = 4;
        std::string names;
        int count = 0;
        for (const std::string& name : m_text.materialNames) {
            if (numberOf(name) >= 0 || ++count > mostNamed) continue;
            names += (names.empty() ? "\"" : ", \"") + name + "\"";
        }
        if (count > 0)
            m_warnings.push_back(m_path + ": no file of materials has " + names + (count > mostNamed ? ", ..." : "") +
                                 "; drawn grey");
    }

private:
    void read(const std::string& file, std::vector<tinyobj::material_t>* materials, std::string* warning,
              std::string* problem) {
        try {
            std::istringstream stream(readTextFile(file));
            tinyobj::LoadMtl(&m_numbers, materials, &stream, warning, problem);
            m_isRead = true;
        } catch (const Error& unreadable) {  // a surface without its colours is a surface
            m_warnings.push_back(m_path + ": " + unreadable.what());
            m_isMissing = true;
        }
    }

    /// The name as a whole, or without what may be a comment.
    int numberOf(const std::string& name) const {
        for (const std::string& candidate : {name, std::string(trimmed(name.substr(0, name.find('#'))))})
            if (const auto found = m_numbers.find(candidate); found != m_numbers.end()) return found->second;
        return -1;
    }

    const ObjText& m_text;
    const std::string& m_path;
    std::vector<std::string>& m_warnings;
    std::map<std::string, int> m_numbers;  // of materials, by name
    bool m_isMissing = false;              // a file of materials, which has been told
    bool m_isRead = false;                 // some other
};

/// What the parser says of numbers that stand for names is told by name elsewhere.
std::string withoutNumbers(const std::string& warning) {
    std::string text;
    for (const std::string_view line : splitLines(warning))
        if (line.find("not found in .mtl") == line.npos) text.append(line).append("\n");
    return text;
}

Parsed parse(const ObjText& text, const std::string& path, std::vector<std::string>& warnings) {
    Parsed parsed;
    std::istringstream stream(text.statements);
    NumberedMaterials materialReader(text, path, warnings);
    std::string warning, problem;
    const bool good = tinyobj::LoadObj(&parsed.attributes, &parsed.shapes, &parsed.materials, &warning, &problem,
                                       &stream, &materialReader, false, false);
    materialReader.tellUnknown();
    appendLines(withoutNumbers(warning), path, warnings);
    if (!good) throw Error(path, "cannot be parsed: " + problem);
    // The parser's own numbers are not rounded correctly: those of `text` are taken.
    if (parsed.attributes.vertices.size() != 3 * text.positions.size() ||
        parsed.attributes.texcoords.size() != 2 * text.texcoords.size() ||
        parsed.attributes.normals.size() != 3 * text.normals.size())
        throw Error(path, "cannot be parsed: vertices were lost");
    return parsed;
}

/// Gathers faces into a SurfaceMesh whose vertices are unique combinations of position, texture coordinate and normal.
class Builder {
public:
    Builder(const ObjText& text, const Parsed& parsed) : m_text(text), m_parsed(parsed) {}

    void addShapes() {
        std::size_t face = 0;
        for (const auto& shape : m_parsed.shapes) {
            std::size_t first = 0;
            for (std::size_t f = 0; f < shape.mesh.num_face_vertices.size(); ++f) {
                const std::size_t count = shape.mesh.num_face_vertices[f];
                addFace(&shape.mesh.indices[first], count, shape.mesh.material_ids[f], m_text.faceGroup.at(face++));
                first += count;
            }
        }
    }

    /// Triangles left out because two of their corners are at one place: nothing to draw, no normal.
    int collapsed() const { return m_collapsed; }

    SurfaceMesh finish(std::vector<SurfaceMaterial> materials) const {
        SurfaceMesh mesh;
        mesh.materials = std::move(materials);
        const int fallback = static_cast<int>(mesh.materials.size());
        const bool needsFallback =
            std::any_of(m_material.begin(), m_material.end(), [](int id) { return id < 0; }) || mesh.materials.empty();
        if (needsFallback) mesh.materials.emplace_back().name = "default";
        mesh.triangles.resize(3, static_cast<Eigen::Index>(m_triangles.size()));
        for (std::size_t t = 0; t < m_triangles.size(); ++t) {
            for (int c = 0; c < 3; ++c)
                mesh.triangles(c, static_cast<Eigen::Index>(t)) = m_triangles[t][static_cast<std::size_t>(c)];
            mesh.triangleMaterial.push_back(m_material[t] < 0 ? fallback : m_material[t]);
        }
        mesh.triangleGroup = m_group;
        mesh.groupNames = m_text.groupNames;
        fillVertices(mesh);
        return mesh;
    }

private:
    using Key = std::tuple<int, int, int>;  // position, texture coordinate, normal; -1 where the file has none

    int vertexOf(const tinyobj::index_t& index) {
        const Key key(index.vertex_index, index.texcoord_index, index.normal_index);
        const auto [place, isNew] = m_number.try_emplace(key, static_cast<int>(m_vertices.size()));
        if (isNew) m_vertices.push_back(key);
        return place->second;
    }

    void addFace(const tinyobj::index_t* corner, std::size_t count, int material, int group) {
        Points x(3, static_cast<Eigen::Index>(count));
        for (std::size_t i = 0; i < count; ++i)
            x.col(static_cast<Eigen::Index>(i)) = m_text.positions[static_cast<std::size_t>(corner[i].vertex_index)];
        for (const auto& t : triangulatePolygon(x)) {
            if (x.col(t[0]) == x.col(t[1]) || x.col(t[1]) == x.col(t[2]) || x.col(t[2]) == x.col(t[0])) {
                ++m_collapsed;
                continue;
            }
            m_triangles.push_back({vertexOf(corner[t[0]]), vertexOf(corner[t[1]]), vertexOf(corner[t[2]])});
            m_material.push_back(material);
            m_group.push_back(group);
        }
    }

    void fillVertices(SurfaceMesh& mesh) const {
        const auto n = static_cast<Eigen::Index>(m_vertices.size());
        mesh.positions.resize(3, n);
        mesh.texcoords.setZero(2, m_text.texcoords.empty() ? 0 : n);
        mesh.colours.setOnes(4, m_text.colours.empty() ? 0 : n);
        for (Eigen::Index i = 0; i < n; ++i) {
            const auto [v, vt, vn] = m_vertices[static_cast<std::size_t>(i)];
            mesh.positions.col(i) = m_text.positions[static_cast<std::size_t>(v)];
            if (vt >= 0) mesh.texcoords.col(i) = m_text.texcoords[static_cast<std::size_t>(vt)];
            if (!m_text.colours.empty())
                mesh.colours.col(i).head<3>() = m_text.colours[static_cast<std::size_t>(v)].cast<float>();
        }
        computeNormals(mesh);
        for (Eigen::Index i = 0; i < n; ++i) {
            const int vn = std::get<2>(m_vertices[static_cast<std::size_t>(i)]);
            if (vn < 0) continue;
            const Vector3& normal = m_text.normals[static_cast<std::size_t>(vn)];
            if (normal.norm() > 0.0) mesh.normals.col(i) = normal.normalized();
        }
    }

    const ObjText& m_text;
    const Parsed& m_parsed;
    std::map<Key, int> m_number;
    std::vector<Key> m_vertices;
    std::vector<std::array<int, 3>> m_triangles;
    std::vector<int> m_material, m_group;
    int m_collapsed = 0;
};

}  // namespace

SurfaceMesh readObj(const std::string& path, std::vector<std::string>* warnings) {
    const ObjText text = checkObjText(readTextFile(path), path);
    std::vector<std::string> tolerated = text.dropped;
    const Parsed parsed = parse(text, path, tolerated);
    Builder builder(text, parsed);
    builder.addShapes();
    if (builder.collapsed() > 0)
        tolerated.push_back(path + ": " + std::to_string(builder.collapsed()) +
                            " triangles with two corners at one place left out");
    std::vector<SurfaceMaterial> materials;
    for (const auto& m : parsed.materials) materials.push_back(convert(m, fs::path(path).parent_path(), tolerated));
    SurfaceMesh mesh = builder.finish(std::move(materials));
    checkSurfaceMesh(mesh, path);
    if (warnings) warnings->insert(warnings->end(), tolerated.begin(), tolerated.end());
    return mesh;
}

}  // namespace pliant
