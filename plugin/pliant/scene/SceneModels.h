// SPDX-License-Identifier: Zlib
/// @file
/// The models that a scene names.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/scene/SceneDescription.h"

namespace pliant::scene {

/// Makes the model of an entry that names a mesh (ModelEntry::isReduced is false).
using ModelMaker = std::function<std::shared_ptr<const ReducedModel>(const ModelEntry&)>;

/// The models of a scene in its order: reduced ones are loaded, others made.
/// @param scene names them
/// @param make may be empty where readScene() was given no ReduceReader, for then there are no meshes
/// @throws Error with the place of the entry; Cancelled as `make` throws it
PLIANT_API std::vector<std::shared_ptr<const ReducedModel>> loadModels(const SceneDescription& scene,
                                                                       const ModelMaker& make = {});

}  // namespace pliant::scene
