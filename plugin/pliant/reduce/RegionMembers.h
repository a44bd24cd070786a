// SPDX-License-Identifier: Zlib
// What of a simulation mesh lies in the regions that users name.
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/mesh/VolumeMesh.h"
#include "pliant/reduce/BodyRegion.h"

namespace pliant {

/// Where regions are looked for.
struct RegionSpace {
    const VolumeMesh& mesh;      ///< The simulation mesh, m.
    const SurfaceMesh* outline;  ///< Surface that `mesh` are the bricks of, m; null: the mesh is the input.
    double metresPerUnit = 1.0;  ///< Unit of the regions' numbers, m.
    std::string input;           ///< File of the input, for messages.
    double thickness = 0.0;      ///< Of the wall whose middle `outline` is, m; 0 where it is no sheet.
};

/// Vertices in any of the regions, ascending. Bricks stick out of their surface: what is beyond the surface's bounding
/// box counts as on that box. Of a material or group: all vertices of the elements that have it, or that hold surface
/// of that name.
/// @throws Error for a region without a vertex, for unknown names, and when every vertex would be held
std::vector<int> heldVertices(const RegionSpace& space, const std::vector<BodyRegion>& regions);

/// Gives the bricks of a voxelised surface the materials of the regions; what no region holds keeps the first one of
/// `mesh`, which is the body's. Materials that no brick has are left out.
/// @throws Error for a region without a brick or with all of them, for one that later ones hide, for unknown names, and
/// for one name with two sets of constants
void setRegionMaterials(const RegionSpace& space, const std::vector<MaterialRegion>& regions, VolumeMesh& mesh);

}  // namespace pliant
