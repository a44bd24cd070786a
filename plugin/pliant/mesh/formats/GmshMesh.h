// SPDX-License-Identifier: Zlib
// What a Gmsh file says, whether it says it in words or in bytes.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "pliant/mesh/formats/SolidCells.h"

namespace pliant {

class GmshMesh {
public:
    std::map<int, std::string> names;  ///< Names of physical volumes, by their numbers.
    std::map<int, int> groups;         ///< Physical group of each volume entity (4.1).

    /// @throws Error(where, ...) for positions that are no numbers and for a number that is there already
    void addNode(long long tag, const Vector3& position, const std::string& where);
    /// @param tags cornerCount(kind) numbers of nodes  @throws Error(where, ...) for one that is not there
    void addSolid(SolidKind kind, const long long* tags, int region, const std::string& where);
    /// Region of a volume entity: its physical group, or 0.
    int regionOf(int entity) const;
    /// @throws Error(path, ...) where there is no solid
    VolumeFile finish(const std::string& path) const;

private:
    std::unordered_map<long long, int> m_index;  ///< of a node's number
    std::vector<Vector3> m_positions;
    SolidCollector m_solids;
};

/// Whether an element type is a linear solid; points, lines and surfaces of any order are passed over (false).
/// @throws Error(where, ...) for other solids
bool solidOfGmsh(int type, const std::string& where, SolidKind& kind);

/// Nodes of an element of any type that solidOfGmsh() accepts. @throws Error(where, ...) for others
int gmshNodeCount(int type, const std::string& where);

/// Reads the sections of a binary file, whose first is behind the line of $MeshFormat. @param isNew 4.1, else 2.2
/// @param begin of the byte-order mark
/// @throws Error(path, "byte N: ...")
void readGmshBytes(const std::string& bytes, std::size_t begin, bool isNew, const std::string& path, GmshMesh& mesh);

}  // namespace pliant
