// SPDX-License-Identifier: Zlib
// The tree of a glTF file's nodes.
#pragma once

#include <string>
#include <vector>

#include "pliant/rig/Similarity.h"
#include "pliant/rig/gltf/GltfFile.h"

namespace pliant::gltf {

/// All nodes of the file, by their numbers in it.
struct Nodes {
    std::vector<std::string> names;  ///< Names of the nodes, "node 7" for one without; doubles get their number, too.
    std::vector<int> parents;        ///< Parent of each node; -1: none.
    std::vector<int> order;          ///< All node numbers, parents before children.
};

/// @throws Error naming the node for children that are none, nodes with two parents, and circles
Nodes readNodes(const GltfFile& file);

/// The node in its parent. @param name of the node, for errors  @throws Error for shear, mirrors and flat frames
Similarity frameOf(const JsonPlace& node, const std::string& name);

/// The similarity that a linear map and a translation are. @param where file and bone
/// @throws Error for shear, scales that differ with direction, mirrors and maps that are flat
Similarity similarityOf(const Matrix3& linear, const Vector3& translation, const std::string& where);

/// Whether two bind frames are more than rounding apart.
bool differ(const Similarity& a, const Similarity& b);

/// The one scale that three are. @throws Error(where) for scales that differ, or are not above zero
double uniformScale(const Vector3& scales, const std::string& where);

}  // namespace pliant::gltf
