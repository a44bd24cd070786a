// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <cmath>

#include "pliant/rig/gltf/GltfAccessor.h"
#include "pliant/rig/gltf/RigParts.h"

namespace pliant::gltf {

namespace {

/// Joints of one skin: their nodes, and the way from stored vertices to each of them.
struct Joints {
    std::vector<std::size_t> nodes;
    std::vector<Similarity> fromMesh;
};

Joints readJoints(const GltfFile& file, const Nodes& nodes, std::size_t number) {
    const JsonPlace skin = file.root().at("skins").at(number);
    const JsonPlace list = skin.at("joints");
    Joints joints;
    for (std::size_t j = 0; j < list.size(); ++j) joints.nodes.push_back(file.indexIn("nodes", list.at(j)));
    if (joints.nodes.empty()) list.fail("a skin without joints");
    joints.fromMesh.resize(joints.nodes.size());
    if (!skin.has("inverseBindMatrices")) return joints;
    const JsonPlace place = skin.at("inverseBindMatrices");
    const MatrixX all = readNumbers(file, place, {"MAT4"}, Meaning::Floats);
    if (all.cols() < static_cast<Eigen::Index>(joints.nodes.size()))
        place.fail(std::to_string(all.cols()) + " matrices for " + std::to_string(joints.nodes.size()) + " joints");
    for (std::size_t j = 0; j < joints.nodes.size(); ++j) {
        const VectorX m = all.col(static_cast<Eigen::Index>(j));
        const std::string where = place.where() + ": bone \"" + nodes.names[joints.nodes[j]] + "\"";
        if ((Eigen::Vector4d(m[3], m[7], m[11], m[15]) - Eigen::Vector4d::UnitW()).cwiseAbs().maxCoeff() > 1e-6)
            throw Error(where, "has an inverse bind matrix whose last row is not 0 0 0 1");
        Matrix3 linear;
        linear << m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10];
        joints.fromMesh[j] = similarityOf(linear, Vector3(m[12], m[13], m[14]), where);
    }
    return joints;
}

/// Bones for the marked nodes, in the order of the tree. @param needed one a node
void makeBones(const GltfFile& file, const Nodes& nodes, const std::vector<bool>& needed, BoneNumbers& bones) {
    bones.boneOfNode.assign(nodes.names.size(), -1);
    for (const int n : nodes.order) {
        const auto node = static_cast<std::size_t>(n);
        if (!needed[node]) continue;
        Bone bone;
        bone.name = nodes.names[node];
        bone.parent = nodes.parents[node] < 0 ? -1 : bones.boneOfNode[static_cast<std::size_t>(nodes.parents[node])];
        bone.stance = frameOf(file.root().at("nodes").at(node), bone.name);
        bones.boneOfNode[node] = bones.skeleton.boneCount();
        bones.skeleton.bones.push_back(bone);
    }
}

}  // namespace

BoneNumbers readBones(const GltfFile& file, const Nodes& nodes, const std::vector<SkinnedNode>& skinned) {
    BoneNumbers bones;
    std::vector<Joints> all(file.root().sizeOf("skins"));
    std::vector<bool> needed(nodes.names.size(), false), isRead(all.size(), false);
    for (const SkinnedNode& one : skinned) {
        if (isRead[one.skin]) continue;
        isRead[one.skin] = true;
        all[one.skin] = readJoints(file, nodes, one.skin);
        for (const std::size_t joint : all[one.skin].nodes)
            for (int n = static_cast<int>(joint); n >= 0 && !needed[static_cast<std::size_t>(n)];
                 n = nodes.parents[static_cast<std::size_t>(n)])
                needed[static_cast<std::size_t>(n)] = true;
    }
    makeBones(file, nodes, needed, bones);
    const std::size_t count = bones.skeleton.bones.size();
    std::vector<bool> bound(count, false);
    std::vector<Similarity> fromMesh(count), world;
    bones.jointBones.resize(all.size());
    for (std::size_t s = 0; s < all.size(); ++s)
        for (std::size_t j = 0; j < all[s].nodes.size(); ++j) {
            const int number = bones.boneOfNode[all[s].nodes[j]];
            const auto b = static_cast<std::size_t>(number);
            bones.jointBones[s].push_back(number);
            if (bound[b] && differ(fromMesh[b], all[s].fromMesh[j]))
                throw Error(file.path(),
                            "bone \"" + bones.skeleton.bones[b].name + "\" is bound in two ways by two skins",
                            "join the surfaces, or export them from one bind pose");
            bound[b] = true;
            fromMesh[b] = all[s].fromMesh[j];
        }
    bonesInWorld(bones.skeleton, stance(bones.skeleton), world);
    const auto first = static_cast<std::size_t>(std::find(bound.begin(), bound.end(), true) - bound.begin());
    bones.restOfMesh = world[first] * fromMesh[first];
    for (std::size_t b = 0; b < count; ++b)
        bones.skeleton.bones[b].bind = bound[b] ? bones.restOfMesh * fromMesh[b].inverse() : world[b];
    return bones;
}

}  // namespace pliant::gltf
