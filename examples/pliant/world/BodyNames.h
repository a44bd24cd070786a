// SPDX-License-Identifier: Zlib
// What the bodies of a scene are called in messages.
#pragma once

#include <string>

#include "pliant/scene/GroupName.h"
#include "world/SceneWorld.h"

namespace pliant::program {

using scene::groupName;

/// The group's name, with the number of the copy as joints write it where there are several: "crate[4]".
std::string bodyName(const SceneWorld& world, const SceneWorld::Deformable& deformable);
std::string bodyName(const SceneWorld& world, const SceneWorld::Rigid& rigid);

}  // namespace pliant::program
