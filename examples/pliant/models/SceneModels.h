// SPDX-License-Identifier: Zlib
#pragma once

#include <string>

#include "pliant/scene/SceneDescription.h"
#include "world/SceneWorld.h"

namespace pliant::program {

/// Where what a scene reduces is kept in an output folder.
std::string modelsIn(const std::string& output);

/// The models of a scene in its order: reduced ones are loaded, meshes reduced first unless that was done before. A bar
/// in the terminal tells how far it is; it is gone at the end.
/// @param folder where reductions are kept that do not say "keep"
/// @param threads of reductions; 0: all cores. @throws Error, Cancelled
Models loadModels(const scene::SceneDescription& scene, const std::string& folder, int threads = 0);

}  // namespace pliant::program
