// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <array>

#include "pliant/mesh/SurfaceNormals.h"
#include "pliant/rig/gltf/GltfAccessor.h"
#include "pliant/rig/gltf/GltfVertices.h"

namespace pliant::gltf {

namespace {

constexpr std::int64_t triangles = 4;  // the mode of OpenGL's

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
