// SPDX-License-Identifier: Zlib
#include "pliant/scene/GroupName.h"

#include <filesystem>

#include "pliant/scene/SceneKeys.h"

namespace pliant::scene {

std::string groupName(const BodyGroup& group) {
    if (!group.name.empty()) return group.name;
    const std::filesystem::path model(group.model);  // of a model that is named by its file
    return model.extension() == ".pliant" ? model.stem().string() : group.model;
}

std::string groupName(const RigidGroup& group) {
    if (!group.name.empty()) return group.name;
    return sceneKeys("rigid").find("shape")->words[static_cast<std::size_t>(group.shape)];
}

int copiesOf(const Placement& placement) {
    return placement.count[0] * placement.count[1] * placement.count[2];
}

}  // namespace pliant::scene
