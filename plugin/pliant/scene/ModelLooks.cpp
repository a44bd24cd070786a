// SPDX-License-Identifier: Zlib
#include "pliant/scene/ModelLooks.h"

#include <algorithm>

namespace pliant::scene {

ModelLooks looksOf(const SceneDescription& scene, int model) {
    const ModelEntry& entry = scene.models[static_cast<std::size_t>(model)];
    ModelLooks looks;
    looks.materials.push_back(entry.materials);
    for (const BodyGroup& group : scene.bodies) {
        if (group.model != entry.name) continue;
        MaterialPairs own = entry.materials;
        own.insert(own.end(), group.materials.begin(), group.materials.end());
        auto found = std::find(looks.materials.begin(), looks.materials.end(), own);
        if (found == looks.materials.end()) found = looks.materials.insert(found, own);
        const auto& n = group.placement.count;
        looks.ofBody.insert(looks.ofBody.end(), static_cast<std::size_t>(n[0] * n[1] * n[2]),
                            static_cast<int>(found - looks.materials.begin()));
    }
    return looks;
}

}  // namespace pliant::scene
