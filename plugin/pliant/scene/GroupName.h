// SPDX-License-Identifier: Zlib
/// @file
/// What groups of bodies are called in messages and files.
#pragma once

#include <string>

#include "pliant/math/Api.h"
#include "pliant/scene/SceneDescription.h"

namespace pliant::scene {

/// The name of a group, or of its model where it has none.
PLIANT_INTERNAL_API std::string groupName(const BodyGroup& group);
/// The name of a group, or the word of its shape where it has none.
PLIANT_INTERNAL_API std::string groupName(const RigidGroup& group);

/// Number of copies of a group.
PLIANT_INTERNAL_API int copiesOf(const Placement& placement);
/// The name of copy `copy` of a group: with its number where there are several, "crate[4]".
template <class Group>
std::string copyName(const Group& group, int copy) {
    return groupName(group) + (copiesOf(group.placement) > 1 ? "[" + std::to_string(copy) + "]" : "");
}

}  // namespace pliant::scene
