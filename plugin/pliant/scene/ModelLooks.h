// SPDX-License-Identifier: Zlib
/// @file
/// What the bodies of one model look like: groups of a scene may have materials of their own.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/scene/SceneDescription.h"

namespace pliant::scene {

/// Pairs of a material of the mesh and one of SceneDescription::materials that is drawn in its place.
using MaterialPairs = std::vector<std::pair<std::string, std::string>>;

/// The looks of the bodies of a model.
struct ModelLooks {
    std::vector<MaterialPairs> materials;  ///< Of each look, at least one; of one material the last pair counts.
    std::vector<int> ofBody;               ///< The look of each body, in the order of the file.
};

/// The looks of a model of a scene: that of its entry, and those of groups that have other materials.
/// @param scene has an entry for it
/// @param model index of the entry
PLIANT_API ModelLooks looksOf(const SceneDescription& scene, int model);

}  // namespace pliant::scene
