// SPDX-License-Identifier: Zlib
// Every simulation mesh that Pliant reads, by its extension. Part of Pliant::reduce (docs/formats.md).
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

struct VolumeFile {
    VolumeMesh mesh;                 ///< The simulation mesh, m, which has passed checkVolumeMesh().
    std::vector<std::string> notes;  ///< What was tolerated or repaired, one sentence each, for the user to see.
    /// Vertex of `mesh` for each vertex of the file in the file's order, -1 for one that no element uses. Numbers in
    /// other files (.bou, rows of .U) count the file's vertices.
    std::vector<int> vertexOf;
    /// Whether the file has materials; false: it names regions at most, and `materials` carry their names and defaults.
    bool hasMaterials = true;
};

/// Reads .veg, .vegb, .msh, .vtk or .vtu. Lengths are scaled, materials are taken as they are (Pa, kg/m^3).
/// @param metresPerUnit what one unit of the file's coordinates is, > 0
/// @throws Error naming the file (and line) for another extension and for what cannot be repaired
VolumeFile readVolume(const std::string& path, double metresPerUnit = 1.0);

/// Whether the extension is that of a simulation mesh, in any case of letters.
bool isVolumeFile(const std::string& path);
const std::vector<std::string>& volumeExtensions();

/// Numbers of a .bou, which count the file's vertices, as numbers of the mesh; ascending. @throws Error for a vertex
/// that no element uses
std::vector<int> meshVertices(const VolumeFile& file, const std::vector<int>& fileVertices, const std::string& where);

}  // namespace pliant
