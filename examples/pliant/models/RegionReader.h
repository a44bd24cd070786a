// SPDX-License-Identifier: Zlib
// Parts of a body in a scene file: what is held, and what has a material of its own.
#pragma once

#include <string>
#include <vector>

#include "pliant/reduce/ReduceOptions.h"
#include "pliant/scene/CheckedYaml.h"

namespace pliant::program {

/// What `fixed` says: a .bou file, a region, or a list of regions. Fills fixedVertices or hold.
void readHeld(const scene::CheckedYaml& value, const std::string& sceneFile, ReduceOptions& options);
std::vector<MaterialRegion> readRegions(const scene::CheckedYaml& list);

}  // namespace pliant::program
