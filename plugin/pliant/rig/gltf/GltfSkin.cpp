// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "pliant/mesh/SurfaceNormals.h"
#include "pliant/rig/gltf/GltfAccessor.h"
#include "pliant/rig/gltf/RigParts.h"

namespace pliant::gltf {

namespace {

constexpr std::int64_t triangles = 4;  // the mode of OpenGL's

/// The accessors of a primitive's vertices, by attribute, and its skin: primitives of several materials mostly share
/// them, and are one surface only where they share vertices, too.
struct VertexSource {
    std::map<std::string, std::size_t> accessors;
    std::size_t skin = 0;
    bool operator<(const VertexSource& other) const {
        return std::tie(skin, accessors) < std::tie(other.skin, other.accessors);
    }
};

/// Where the vertices of a source lie among all.
struct VertexRange {
    int first = 0;
    Eigen::Index count = 0;
};

/// Vertices of all sources, one behind another, and triangles of all primitives.
struct Collected {
    std::map<VertexSource, VertexRange> known;
    std::vector<Vector3> positions, normals;
    std::vector<std::array<double, 2>> texcoords;
    std::vector<std::array<float, 4>> colours;
    std::vector<std::array<int, 3>> triangles;
    std::vector<int> materials;
    std::vector<std::vector<Influence>> influences;
    bool hasNormals = true, hasTexcoords = false, hasColours = false;
    int otherPrimitives = 0, morphs = 0;
};

/// An attribute of a primitive. @param count of the primitive's vertices
MatrixX attribute(const GltfFile& file, const JsonPlace& attributes, const std::string& name, Eigen::Index count,
                  const std::vector<std::string>& types, Meaning meaning) {
    const JsonPlace place = attributes.at(name.c_str());
    MatrixX values = readNumbers(file, place, types, meaning);
    if (values.cols() != count)
        place.fail(std::to_string(values.cols()) + " values for " + std::to_string(count) + " vertices");
    return values;
}

void readInfluences(const GltfFile& file, const JsonPlace& attributes, const std::vector<int>& jointBones,
                    Eigen::Index count, Collected& all) {
    const std::size_t first = all.influences.size();
    all.influences.resize(first + static_cast<std::size_t>(count));
    if (!attributes.has("JOINTS_0")) attributes.fail("a surface with a skin has no \"JOINTS_0\"");
    for (int set = 0; attributes.has(("JOINTS_" + std::to_string(set)).c_str()); ++set) {
        const std::string number = std::to_string(set);
        const MatrixX joints = attribute(file, attributes, "JOINTS_" + number, count, {"VEC4"}, Meaning::Counts);
        const MatrixX weights = attribute(file, attributes, "WEIGHTS_" + number, count, {"VEC4"}, Meaning::Fractions);
        for (Eigen::Index v = 0; v < count; ++v)
            for (Eigen::Index i = 0; i < 4; ++i) {
                if (weights(i, v) == 0.0) continue;
                const auto joint = static_cast<std::size_t>(joints(i, v));
                if (joint >= jointBones.size())
                    attributes.fail("vertex " + std::to_string(v) + " follows joint " + std::to_string(joint) + " of " +
                                    std::to_string(jointBones.size()));
                all.influences[first + static_cast<std::size_t>(v)].push_back({jointBones[joint], weights(i, v)});
            }
    }
}

void readLooks(const GltfFile& file, const JsonPlace& attributes, const Similarity& rest, Eigen::Index count,
               Collected& all) {
    const bool normals = attributes.has("NORMAL"), texcoords = attributes.has("TEXCOORD_0"),
               colours = attributes.has("COLOR_0");
    all.hasNormals = all.hasNormals && normals;
    all.hasTexcoords = all.hasTexcoords || texcoords;
    all.hasColours = all.hasColours || colours;
    MatrixX n = MatrixX::Zero(3, count), t = MatrixX::Zero(2, count), c = MatrixX::Ones(4, count);
    if (normals) n = attribute(file, attributes, "NORMAL", count, {"VEC3"}, Meaning::Floats);
    if (texcoords) t = attribute(file, attributes, "TEXCOORD_0", count, {"VEC2"}, Meaning::Fractions);
    if (colours) {
        const MatrixX given = attribute(file, attributes, "COLOR_0", count, {"VEC3", "VEC4"}, Meaning::Fractions);
        c.topRows(given.rows()) = given;
    }
    for (Eigen::Index v = 0; v < count; ++v) {
        all.normals.emplace_back(rest.direction(n.col(v)));
        all.texcoords.push_back({t(0, v), 1.0 - t(1, v)});
        all.colours.push_back({static_cast<float>(c(0, v)), static_cast<float>(c(1, v)), static_cast<float>(c(2, v)),
                               static_cast<float>(c(3, v))});
    }
}

void readTriangles(const GltfFile& file, const JsonPlace& primitive, Eigen::Index count, int first, Collected& all) {
    MatrixX indices;
    if (primitive.has("indices"))
        indices = readNumbers(file, primitive.at("indices"), {"SCALAR"}, Meaning::Counts);
    else
        indices = VectorX::LinSpaced(count, 0.0, static_cast<double>(count - 1)).transpose();
    if (indices.cols() % 3 != 0) primitive.fail(std::to_string(indices.cols()) + " corners are no triangles");
    const int material = primitive.has("material")
                             ? static_cast<int>(file.indexIn("materials", primitive.at("material")))
                             : static_cast<int>(file.root().sizeOf("materials"));
    for (Eigen::Index t = 0; t + 2 < indices.cols(); t += 3) {
        std::array<int, 3> corners{};
        for (Eigen::Index c = 0; c < 3; ++c) {
            if (indices(0, t + c) >= static_cast<double>(count))
                primitive.fail("triangle " + std::to_string(t / 3) + " names vertex " +
                               std::to_string(static_cast<std::int64_t>(indices(0, t + c))) + " of " +
                               std::to_string(count));
            corners[static_cast<std::size_t>(c)] = first + static_cast<int>(indices(0, t + c));
        }
        all.triangles.push_back(corners);
        all.materials.push_back(material);
    }
}

/// Attributes that are not read make no difference.
VertexSource sourceOf(const GltfFile& file, const JsonPlace& attributes, std::size_t skin) {
    VertexSource source;
    source.skin = skin;
    const auto add = [&](const std::string& name) {
        if (attributes.has(name.c_str()))
            source.accessors[name] = file.indexIn("accessors", attributes.at(name.c_str()));
    };
    for (const char* name : {"POSITION", "NORMAL", "TEXCOORD_0", "COLOR_0"}) add(name);
    for (int set = 0; attributes.has(("JOINTS_" + std::to_string(set)).c_str()); ++set) {
        add("JOINTS_" + std::to_string(set));
        add("WEIGHTS_" + std::to_string(set));
    }
    return source;
}

VertexRange readVertices(const GltfFile& file, const JsonPlace& attributes, const BoneNumbers& bones, std::size_t skin,
                         Collected& all) {
    const VertexSource source = sourceOf(file, attributes, skin);
    const auto known = all.known.find(source);
    if (known != all.known.end()) return known->second;
    const MatrixX positions = readNumbers(file, attributes.at("POSITION"), {"VEC3"}, Meaning::Floats);
    const VertexRange range = {static_cast<int>(all.positions.size()), positions.cols()};
    for (Eigen::Index v = 0; v < range.count; ++v) all.positions.emplace_back(bones.restOfMesh.point(positions.col(v)));
    readLooks(file, attributes, bones.restOfMesh, range.count, all);
    readInfluences(file, attributes, bones.jointBones[skin], range.count, all);
    all.known[source] = range;
    return range;
}

void readPrimitive(const GltfFile& file, const JsonPlace& primitive, const BoneNumbers& bones, std::size_t skin,
                   Collected& all) {
    const std::int64_t mode = primitive.has("mode") ? primitive.at("mode").integer(0, 6) : triangles;
    if (mode > triangles) primitive.at("mode").fail("strips and fans of triangles are not taken", "export triangles");
    if (mode < triangles) {
        ++all.otherPrimitives;
        return;
    }
    if (primitive.has("targets")) ++all.morphs;
    const JsonPlace attributes = primitive.at("attributes");
    const VertexRange vertices = readVertices(file, attributes, bones, skin, all);
    readTriangles(file, primitive, vertices.count, vertices.first, all);
}

/// Vertices of no triangle are not seen, and what they follow is nothing that flesh could know.
void dropUnusedVertices(Collected& all) {
    std::vector<int> numbers(all.positions.size(), -1);
    for (const auto& corners : all.triangles)
        for (const int v : corners) numbers[static_cast<std::size_t>(v)] = 0;
    std::size_t count = 0;
    for (std::size_t v = 0; v < numbers.size(); ++v) {
        if (numbers[v] < 0) continue;
        numbers[v] = static_cast<int>(count);
        if (count < v) {
            all.positions[count] = all.positions[v];
            all.normals[count] = all.normals[v];
            all.texcoords[count] = all.texcoords[v];
            all.colours[count] = all.colours[v];
            all.influences[count] = std::move(all.influences[v]);
        }
        ++count;
    }
    all.positions.resize(count);
    all.normals.resize(count);
    all.texcoords.resize(count);
    all.colours.resize(count);
    all.influences.resize(count);
    for (auto& corners : all.triangles)
        for (int& v : corners) v = numbers[static_cast<std::size_t>(v)];
}

SurfaceMesh surfaceOf(const Collected& all) {
    SurfaceMesh mesh;
    const auto n = static_cast<Eigen::Index>(all.positions.size()), m = static_cast<Eigen::Index>(all.triangles.size());
    mesh.positions.resize(3, n);
    mesh.normals.resize(3, all.hasNormals ? n : 0);
    mesh.texcoords.resize(2, all.hasTexcoords ? n : 0);
    mesh.colours.resize(4, all.hasColours ? n : 0);
    mesh.triangles.resize(3, m);
    for (Eigen::Index v = 0; v < n; ++v) {
        const auto i = static_cast<std::size_t>(v);
        mesh.positions.col(v) = all.positions[i];
        if (all.hasNormals) mesh.normals.col(v) = all.normals[i].normalized();
        if (all.hasTexcoords) mesh.texcoords.col(v) << all.texcoords[i][0], all.texcoords[i][1];
        if (all.hasColours) mesh.colours.col(v) = Eigen::Vector4f::Map(all.colours[i].data());
    }
    for (Eigen::Index t = 0; t < m; ++t)
        mesh.triangles.col(t) = Eigen::Vector3i::Map(all.triangles[static_cast<std::size_t>(t)].data());
    mesh.triangleMaterial = all.materials;
    return mesh;
}

void tellChanges(const std::string& path, const WeightChanges& changes, const Collected& all,
                 std::vector<std::string>& notes) {
    if (changes.cutPoints > 0)
        notes.push_back(path + ": " + std::to_string(changes.cutPoints) +
                        " vertices followed more than four bones; at most " +
                        std::to_string(100.0 * changes.largestCut) + " % of a vertex was cut off");
    if (changes.scaledPoints > 0)
        notes.push_back(path + ": the weights of " + std::to_string(changes.scaledPoints) +
                        " vertices did not have the sum 1, and were scaled");
    if (all.otherPrimitives > 0) notes.push_back(path + ": points and lines are left out");
    if (all.morphs > 0) notes.push_back(path + ": morph targets are left out");
}

}  // namespace

std::vector<SkinnedNode> findSkinnedNodes(const GltfFile& file, std::vector<std::string>& notes) {
    const JsonPlace list = file.root().at("nodes");
    std::vector<SkinnedNode> found;
    int others = 0;
    for (std::size_t n = 0; n < list.size(); ++n) {
        const JsonPlace node = list.at(n);
        if (!node.has("mesh")) continue;
        const std::size_t mesh = file.indexIn("meshes", node.at("mesh"));
        if (node.has("skin"))
            found.push_back({n, mesh, file.indexIn("skins", node.at("skin"))});
        else
            ++others;
    }
    if (found.empty())
        throw Error(file.path(), "has no surface with a skin", "a character is a surface that is bound to bones");
    if (others > 0)
        notes.push_back(file.path() + ": " + std::to_string(others) + " surfaces without a skin are left out");
    return found;
}

void readSkin(const GltfFile& file, const std::vector<SkinnedNode>& skinned, const BoneNumbers& bones, Rig& rig,
              std::vector<std::string>& notes) {
    Collected all;
    for (const SkinnedNode& one : skinned) {
        const JsonPlace primitives = file.root().at("meshes").at(one.mesh).at("primitives");
        for (std::size_t p = 0; p < primitives.size(); ++p) readPrimitive(file, primitives.at(p), bones, one.skin, all);
    }
    if (all.triangles.empty()) throw Error(file.path(), "its surface has no triangles");
    dropUnusedVertices(all);
    rig.surface = surfaceOf(all);
    rig.surface.materials = readMaterials(file, notes);
    const int own = static_cast<int>(rig.surface.materials.size());
    if (own == 0 || std::find(all.materials.begin(), all.materials.end(), own) != all.materials.end())
        rig.surface.materials.emplace_back();  // of triangles that name none
    if (!all.hasNormals) computeNormals(rig.surface);
    WeightChanges changes;
    rig.weights = limitWeights(rig.skeleton, all.influences, file.path(), changes);
    tellChanges(file.path(), changes, all, notes);
}

}  // namespace pliant::gltf
