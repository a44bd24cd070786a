// SPDX-License-Identifier: Zlib
#pragma once

#include <string>

#include "world/SceneWorld.h"

namespace pliant::program {

/// XXH3-128 of every body's transform, velocities, q and q' in order, 32 hex digits: equal only when all bits are.
std::string stateHash(const SceneWorld& world);

}  // namespace pliant::program
