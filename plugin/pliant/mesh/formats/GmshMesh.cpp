// SPDX-License-Identifier: Zlib
#include "pliant/mesh/formats/GmshMesh.h"

#include "pliant/math/Error.h"

namespace pliant {

void GmshMesh::addNode(long long tag, const Vector3& position, const std::string& where) {
    if (!position.allFinite()) throw Error(where, "node " + std::to_string(tag) + " is NaN or infinite", "mesh again");
    if (!m_index.emplace(tag, static_cast<int>(m_positions.size())).second)
        throw Error(where, "node " + std::to_string(tag) + " is defined twice");
    m_positions.push_back(position);
}

void GmshMesh::addSolid(SolidKind kind, const long long* tags, int region, const std::string& where) {
    int vertices[8];
    for (int c = 0; c < cornerCount(kind); ++c) {
        const auto node = m_index.find(tags[c]);
        if (node == m_index.end())
            throw Error(where, "element names node " + std::to_string(tags[c]) + ", which is not there");
        vertices[c] = node->second;
    }
    m_solids.add(kind, vertices, region);
}

int GmshMesh::regionOf(int entity) const {
    const auto group = groups.find(entity);
    return group == groups.end() ? 0 : group->second;
}

VolumeFile GmshMesh::finish(const std::string& path) const {
    if (m_solids.isEmpty())
        throw Error(path, "no tetrahedra, hexahedra, prisms or pyramids: the mesh is empty or a surface",
                    "mesh the volume (gmsh -3); with physical groups, put the volume into one");
    Points positions(3, static_cast<Eigen::Index>(m_positions.size()));
    for (std::size_t v = 0; v < m_positions.size(); ++v) positions.col(static_cast<Eigen::Index>(v)) = m_positions[v];
    return m_solids.finish(std::move(positions), names, path);
}

bool solidOfGmsh(int type, const std::string& where, SolidKind& kind) {
    static const std::map<int, SolidKind> solids{
        {4, SolidKind::Tetrahedron}, {5, SolidKind::Hexahedron}, {6, SolidKind::Prism}, {7, SolidKind::Pyramid}};
    const auto solid = solids.find(type);
    if (solid == solids.end()) {
        gmshNodeCount(type, where);
        return false;
    }
    kind = solid->second;
    return true;
}

int gmshNodeCount(int type, const std::string& where) {
    static const std::map<int, int> counts{{1, 2},   {2, 3},   {3, 4},   {4, 4},   {5, 8},  {6, 6},  {7, 5},
                                           {8, 3},   {9, 6},   {10, 9},  {15, 1},  {16, 8}, {20, 9}, {21, 10},
                                           {22, 12}, {23, 15}, {24, 15}, {25, 21}, {26, 4}, {27, 5}, {28, 6}};
    const auto count = counts.find(type);
    if (count == counts.end())
        throw Error(where, "elements of Gmsh type " + std::to_string(type),
                    "linear solids (types 4 to 7) are read: use Mesh.ElementOrder 1");
    return count->second;
}

}  // namespace pliant
