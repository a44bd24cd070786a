// SPDX-License-Identifier: Zlib
#pragma once

#include <string>

#include "pliant/scene/SceneDescription.h"
#include "world/SceneWorld.h"

namespace pliant::program {

/// Where reductions of a scene are kept.
struct ModelFolder {
    std::string path;              ///< Of those that do not say "keep".
    bool movesWhatIsKept = false;  ///< Whether those that do go there, too, under their file's name.
};

/// The folder of an output folder where what a scene reduces is kept.
ModelFolder modelsIn(const std::string& output);

/// The models of a scene in its order: reduced ones are loaded, meshes reduced first unless that was done before. A bar
/// in the terminal tells how far it is; it is gone at the end.
/// @param threads of reductions; 0: all cores. @throws Error, Cancelled
Models loadModels(const scene::SceneDescription& scene, const ModelFolder& folder, int threads = 0);

}  // namespace pliant::program
