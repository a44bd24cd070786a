// SPDX-License-Identifier: Zlib
#include "pliant/rig/gltf/GltfVertices.h"

namespace pliant::gltf {

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

}  // namespace pliant::gltf
