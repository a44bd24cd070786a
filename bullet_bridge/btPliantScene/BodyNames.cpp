// SPDX-License-Identifier: Zlib
#include "btPliantScene/BodyNames.h"

#include <btBulletDynamicsCommon.h>

#include "btPliantScene/SceneData.h"
#include "pliant/scene/GroupName.h"

namespace btPliantInternal {

BodyNames::BodyNames(const SceneData& data) {
    const auto add = [&](const auto& bodies, const auto& groups) {
        int copy = 0;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const int group = bodies[i].m_group;
            copy = i > 0 && bodies[i - 1].m_group == group ? copy + 1 : 0;
            m_names[bodies[i].m_body] = pliant::scene::copyName(groups[static_cast<std::size_t>(group)], copy);
        }
    };
    add(data.deformables, data.scene.bodies);
    add(data.rigids, data.scene.rigid);
    if (data.ground) m_names[data.ground.get()] = "ground";
}

const std::string& BodyNames::of(const btCollisionObject& object) const {
    const auto found = m_names.find(&object);
    return found == m_names.end() ? m_other : found->second;
}

}  // namespace btPliantInternal
