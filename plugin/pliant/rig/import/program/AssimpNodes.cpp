// SPDX-License-Identifier: Zlib
#include <set>

#include "pliant/rig/gltf/GltfNodes.h"
#include "pliant/rig/import/program/AssimpParts.h"

namespace pliant::import {

SceneNodes nodesOf(const aiScene& scene) {
    SceneNodes all;
    all.nodes = {scene.mRootNode};
    all.parents = {-1};
    for (std::size_t at = 0; at < all.nodes.size(); ++at) {
        const aiNode& node = *all.nodes[at];
        for (unsigned c = 0; c < node.mNumChildren; ++c) {
            all.nodes.push_back(node.mChildren[c]);
            all.parents.push_back(static_cast<int>(at));
        }
    }
    std::set<std::string> taken;
    for (std::size_t n = 0; n < all.nodes.size(); ++n) {
        const std::string told = all.nodes[n]->mName.C_Str();
        std::string name = told.empty() ? "node " + std::to_string(n) : told;
        while (!taken.insert(name).second) name += " (" + std::to_string(n) + ")";
        all.names.push_back(name);
        all.byName.emplace(told, static_cast<int>(n));
    }
    return all;
}

Similarity similarityOf(const aiMatrix4x4& m, const std::string& where) {
    Matrix3 linear;
    linear << m.a1, m.a2, m.a3, m.b1, m.b2, m.b3, m.c1, m.c2, m.c3;
    const Vector3 place(m.a4, m.b4, m.c4);
    if (!linear.allFinite() || !place.allFinite()) throw Error(where, "has a frame that is not finite");
    return gltf::similarityOf(linear, place, where);
}

Skeleton bonesOf(const SceneNodes& nodes, const std::vector<bool>& needed, double metresPerUnit,
                 const std::string& path, std::vector<int>& boneOfNode) {
    Skeleton skeleton;
    if (metresPerUnit != 1.0) {
        Bone unit;
        unit.name = "unit of the file";
        while (nodes.byName.count(unit.name) > 0) unit.name += " (m)";
        unit.stance.scale = metresPerUnit;
        skeleton.bones.push_back(unit);
    }
    const int top = skeleton.boneCount() - 1;
    boneOfNode.assign(nodes.nodes.size(), -1);
    for (std::size_t n = 0; n < nodes.nodes.size(); ++n) {
        if (!needed[n]) continue;
        Bone bone;
        bone.name = nodes.names[n];
        bone.parent = nodes.parents[n] < 0 ? top : boneOfNode[static_cast<std::size_t>(nodes.parents[n])];
        bone.stance = similarityOf(nodes.nodes[n]->mTransformation, path + ": bone \"" + bone.name + "\"");
        boneOfNode[n] = skeleton.boneCount();
        skeleton.bones.push_back(bone);
    }
    return skeleton;
}

}  // namespace pliant::import
