// SPDX-License-Identifier: Zlib
#include "loop/SceneBodies.h"

#include "pliant/scene/GroupName.h"

namespace pliant::program {
namespace {

/// Adds the copies of a group. @param next the number of the first one; goes on with them
template <class Group>
void addCopies(const Group& group, int model, std::size_t index, std::size_t& next, std::vector<SceneBody>& bodies) {
    for (int copy = 0; copy < scene::copiesOf(group.placement); ++copy)
        bodies.push_back({scene::copyName(group, copy), model, index, next++, copy == 0});
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
