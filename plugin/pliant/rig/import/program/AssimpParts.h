// SPDX-License-Identifier: Zlib
// The parts of a rig, as they are made of a scene of Assimp's one after another.
#pragma once

#include <assimp/scene.h>

#include <map>
#include <string>
#include <vector>

#include "pliant/rig/Rig.h"

namespace pliant::import {

/// All nodes of a scene, parents before children, each with a name of its own.
struct SceneNodes {
    std::vector<const aiNode*> nodes;
    std::vector<int> parents;           ///< Parent of each node; -1: none.
    std::vector<std::string> names;     ///< Names of the nodes; those that are empty or taken get a number.
    std::map<std::string, int> byName;  ///< Nodes by their names in the file; of equals the first.
};

SceneNodes nodesOf(const aiScene& scene);

/// A matrix without shear. @param where file and bone  @throws Error for shear, mirrors and flat ones
Similarity similarityOf(const aiMatrix4x4& matrix, const std::string& where);

/// Bones for the marked nodes, with their stance. Where a unit of the file is no metre, a first bone above them all
/// scales them.
/// @param needed one a node  @param boneOfNode one a node, -1: none  @throws Error
Skeleton bonesOf(const SceneNodes& nodes, const std::vector<bool>& needed, double metresPerUnit,
                 const std::string& path, std::vector<int>& boneOfNode);

/// A whole character: surfaces that have bones, their bones and all above them, clips.
/// @throws Error with file and bone
Rig rigOf(const aiScene& scene, double metresPerUnit, const std::string& path, std::vector<std::string>& notes);

/// Bones for all nodes that an animation moves and all above them, and the clips.
/// @throws Error with file and bone
Rig motionOf(const aiScene& scene, double metresPerUnit, const std::string& path, std::vector<std::string>& notes);

/// The materials, without their pictures.
std::vector<SurfaceMaterial> materialsOf(const aiScene& scene, const std::string& path,
                                         std::vector<std::string>& notes);

/// The animations. @throws Error with file, clip and bone
std::vector<Clip> clipsOf(const aiScene& scene, const SceneNodes& nodes, const std::vector<int>& boneOfNode,
                          const Skeleton& skeleton, const std::string& path, std::vector<std::string>& notes);

}  // namespace pliant::import
