// SPDX-License-Identifier: Zlib
// Every surface file that Pliant reads, by its extension. Part of Pliant::reduce (docs/formats.md).
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

struct SurfaceFile {
    SurfaceMesh mesh;                ///< The surface, m, repaired (RepairSurface.h), with normals.
    bool hasNormals = false;         ///< Whether the file has normals; otherwise they are those of computeNormals().
    std::vector<std::string> notes;  ///< What was tolerated or repaired, one sentence each, for the user to see.
};

/// Reads .obj, .ply, .stl, .off, .gltf or .glb; .fbx, .dae or .x by a program of its own (rig/import). @param
/// metresPerUnit what one unit of the file's coordinates is, > 0: 0.001 for millimetres. @throws Error naming the file
/// (and line) for another extension and for what cannot be repaired
SurfaceFile readSurface(const std::string& path, double metresPerUnit = 1.0);

/// Whether the extension is that of a surface file, in any case of letters.
bool isSurfaceFile(const std::string& path);
const std::vector<std::string>& surfaceExtensions();

}  // namespace pliant
