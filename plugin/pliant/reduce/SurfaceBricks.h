// SPDX-License-Identifier: Zlib
// The simulation mesh of a surface.
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/mesh/VolumeMesh.h"
#include "pliant/reduce/ReduceOptions.h"

namespace pliant {

/// Bricks inside of a surface, or along it, as the options say (voxelise()). With filled shares those of a thin body go
/// along its own axes (thinBodyAxes()).
/// @param notes what a user should know of it is added, a sentence each
/// @throws Error as voxelise()
VolumeMesh surfaceBricks(const SurfaceMesh& surface, const ReduceOptions& options, const ElasticMaterial& material,
                         std::vector<std::string>& notes);

}  // namespace pliant
