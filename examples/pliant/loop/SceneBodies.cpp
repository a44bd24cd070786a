// SPDX-License-Identifier: Zlib
#include "loop/SceneBodies.h"

#include "world/BodyNames.h"

namespace pliant::program {
namespace {

/// Adds the copies of a group. @param next the number of the first one; goes on with them
template <class Group>
void addCopies(const Group& group, int model, std::size_t index, std::size_t& next, std::vector<SceneBody>& bodies) {
    const auto& count = group.placement.count;
    const int copies = count[0] * count[1] * count[2];
    for (int copy = 0; copy < copies; ++copy) {
        const std::string suffix = copies > 1 ? "[" + std::to_string(copy) + "]" : "";
        bodies.push_back({groupName(group) + suffix, model, index, next++, copy == 0});
    }
}

}  // namespace

std::vector<SceneBody> bodiesOf(const scene::SceneDescription& scene) {
    std::vector<SceneBody> bodies;
    std::vector<std::size_t> next(scene.models.size(), 0);
    for (std::size_t g = 0; g < scene.bodies.size(); ++g) {
        std::size_t m = 0;
        while (scene.models[m].name != scene.bodies[g].model) ++m;
        addCopies(scene.bodies[g], static_cast<int>(m), g, next[m], bodies);
    }
    std::size_t rigid = 0;
    for (std::size_t g = 0; g < scene.rigid.size(); ++g) addCopies(scene.rigid[g], -1, g, rigid, bodies);
    return bodies;
}

}  // namespace pliant::program
