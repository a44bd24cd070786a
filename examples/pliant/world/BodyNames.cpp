// SPDX-License-Identifier: Zlib
#include "world/BodyNames.h"

namespace pliant::program {
namespace {

/// @param bodies all of a kind, those of a group one after the other
template <class Body>
std::string numbered(const std::string& name, const std::vector<Body>& bodies, const Body& body) {
    std::size_t before = 0, copies = 0;
    for (const Body& other : bodies) {
        if (other.m_group != body.m_group) continue;
        before += &other < &body ? 1 : 0;
        ++copies;
    }
    return copies > 1 ? name + "[" + std::to_string(before) + "]" : name;
}

}  // namespace

std::string bodyName(const SceneWorld& world, const SceneWorld::Deformable& deformable) {
    const auto group = static_cast<std::size_t>(deformable.m_group);
    return numbered(groupName(world.scene().bodies[group]), world.deformables(), deformable);
}

std::string bodyName(const SceneWorld& world, const SceneWorld::Rigid& rigid) {
    const auto group = static_cast<std::size_t>(rigid.m_group);
    return numbered(groupName(world.scene().rigid[group]), world.rigids(), rigid);
}

}  // namespace pliant::program
