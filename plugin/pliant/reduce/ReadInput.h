// SPDX-License-Identifier: Zlib
// From the user's files to a checked simulation mesh and the surface that is drawn, both in the mesh frame.
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/mesh/VolumeMesh.h"
#include "pliant/reduce/BodyMass.h"
#include "pliant/reduce/ReduceOptions.h"

namespace pliant {

struct ReductionInput {
    VolumeMesh mesh;
    std::vector<int> fixedVertices;  ///< Numbers of the vertices that are held, 0-based, ascending.
    std::vector<int> vertexOf;       ///< Vertex of `mesh` for each one of the input file (ReadVolume.h).
    SurfaceMesh surface;             ///< Surface that collides.
    /// Surface that is drawn: the same triangles, with vertices split at sharp edges (ReduceOptions::creaseAngle).
    SurfaceMesh drawn;
    BodyMass mass;                   ///< Mass of the body; `filling` is empty where the input has elements.
    std::vector<std::string> notes;  ///< What was tolerated, repaired or looks implausible, one sentence each.
};

/// With options.solid decided (ReduceOptions::decidedFor). A surface (ReadSurface.h): voxelised, and drawn itself
/// unless options.surface names another; a simulation mesh (ReadVolume.h): as it is, drawn as options.surface or as its
/// boundary. @throws Error for any other file, for what the readers refuse, for impossible materials, for bodies in
/// several parts, and when every vertex is held.
ReductionInput readInput(const std::string& input, const ReduceOptions& options);

}  // namespace pliant
