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

}  // namespace pliant::scene
