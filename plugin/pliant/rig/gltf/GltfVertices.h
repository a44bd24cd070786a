// SPDX-License-Identifier: Zlib
// Vertices and triangles of all skinned surfaces of a glTF file, collected as one.
#pragma once

#include <array>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "pliant/rig/gltf/RigParts.h"

namespace pliant::gltf {

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

/// The vertices that a primitive names, read where they have not been read yet. @throws Error
VertexRange readVertices(const GltfFile& file, const JsonPlace& attributes, const BoneNumbers& bones, std::size_t skin,
                         Collected& all);

/// Vertices of no triangle are not seen, and what they follow is nothing that flesh could know.
void dropUnusedVertices(Collected& all);

/// All of it but materials and weights.
SurfaceMesh surfaceOf(const Collected& all);

}  // namespace pliant::gltf
