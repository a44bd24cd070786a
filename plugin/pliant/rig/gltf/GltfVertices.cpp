// SPDX-License-Identifier: Zlib
#include "pliant/rig/gltf/GltfVertices.h"

#include "pliant/rig/gltf/GltfAccessor.h"

namespace pliant::gltf {

namespace {

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

}  // namespace

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

}  // namespace pliant::gltf
