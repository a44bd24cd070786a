// SPDX-License-Identifier: Zlib
// The parts of a rig, as they are read one after another.
#pragma once

#include <string>
#include <vector>

#include "pliant/rig/Rig.h"
#include "pliant/rig/gltf/GltfNodes.h"

namespace pliant::gltf {

/// A node of the file with a surface and a skin.
struct SkinnedNode {
    std::size_t node = 0, mesh = 0, skin = 0;  ///< Numbers of the three in the file.
};

/// All nodes with a skin. Surfaces without one are left out, with a note. @throws Error where there is no skin
std::vector<SkinnedNode> findSkinnedNodes(const GltfFile& file, std::vector<std::string>& notes);

/// Bones of the skins, and how numbers of the file lead to them.
struct BoneNumbers {
    Skeleton skeleton;
    std::vector<int> boneOfNode;  ///< Bone of each node; -1: it is none.
    std::vector<std::vector<int>>
        jointBones;         ///< Bone of each joint of each skin of the file; empty where the skin is not used.
    Similarity restOfMesh;  ///< Map of vertices from how they are stored to the rest space.
};

/// The joints of the skins and all nodes above them. The rest space is that of the stored vertices, put where the first
/// bone stands without any clip. @throws Error with the bone for frames that are sheared, joints with two bind frames
BoneNumbers readBones(const GltfFile& file, const Nodes& nodes, const std::vector<SkinnedNode>& skinned);

/// Surface and weights. @throws Error
void readSkin(const GltfFile& file, const std::vector<SkinnedNode>& skinned, const BoneNumbers& bones, Rig& rig,
              std::vector<std::string>& notes);

/// The materials of the file, which may have none. @throws Error
std::vector<SurfaceMaterial> readMaterials(const GltfFile& file, std::vector<std::string>& notes);

/// Animations of bones; what moves other things is left out, with a note. @throws Error
std::vector<Clip> readClips(const GltfFile& file, const BoneNumbers& bones, std::vector<std::string>& notes);

}  // namespace pliant::gltf
