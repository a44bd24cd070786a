// SPDX-License-Identifier: Zlib
#pragma once

#include <string>

#include "pliant/math/Progress.h"
#include "pliant/scene/SceneDescription.h"
#include "world/SceneWorld.h"

namespace pliant::program {

/// The models of a scene in its order: reduced ones are loaded, meshes reduced first unless that was done before.
/// @param folder where reductions are kept that do not say "keep". @throws Error
Models loadModels(const scene::SceneDescription& scene, const std::string& folder, int threads,
                  const ProgressCallback& progress);

}  // namespace pliant::program
