// SPDX-License-Identifier: Zlib
// States that events keep, and take the world back to.
#include <btBulletDynamicsCommon.h>

#include "btPliantScene/SceneClock.h"
#include "btPliantScene/ScenePool.h"

namespace btPliantInternal {

void saveScene(SceneData& data, const std::string& name) {
    SavedScene& saved = data.clock->saved[name];
    data.system.saveState(saved.world);
    saved.isPresent.clear();
    for (const btRigidBody* body : allBodies(data)) saved.isPresent.push_back(isPresent(*body) ? 1 : 0);
    saved.driven = data.driven;
    saved.leading = data.clock->leading;
    saved.time = data.time;
}

void restoreScene(SceneData& data, const std::string& name) {
    const auto found = data.clock->saved.find(name);
    if (found == data.clock->saved.end())
        return data.clock->timeline.warn("the state \"" + name + "\" was not saved yet; nothing was restored");
    const SavedScene& saved = found->second;
    const std::vector<btRigidBody*> bodies = allBodies(data);
    std::vector<char> before;
    for (const btRigidBody* body : bodies) before.push_back(isPresent(*body) ? 1 : 0);
    // Who takes part is told the broadphase first: pairs are part of the state.
    const auto tell = [&](const std::vector<char>& present) {
        for (std::size_t i = 0; i < bodies.size(); ++i)
            if ((isPresent(*bodies[i]) ? 1 : 0) != present[i]) setFilter(data, *bodies[i], present[i] != 0);
    };
    tell(saved.isPresent);
    const pliant::StateStatus status = data.system.restoreState(saved.world.data(), saved.world.size());
    if (status != pliant::StateStatus::Ok) {
        for (std::size_t i = 0; i < bodies.size(); ++i)
            if (before[i] != saved.isPresent[i]) setFilter(data, *bodies[i], before[i] != 0);
        return data.clock->timeline.warn("the state \"" + name + "\" cannot be restored: the world has changed since");
    }
    data.driven = saved.driven;
    data.clock->leading = saved.leading;
    for (Leading& leading : data.clock->leading) leading.start += data.time - saved.time;
}

}  // namespace btPliantInternal
