// SPDX-License-Identifier: Zlib
// What a scene says and probably does not mean.
#pragma once

#include <string>
#include <vector>

#include "world/SceneWorld.h"

namespace pliant::program {

/// One sentence for each group of bodies that start below the ground, each two groups that start inside each other
/// or are to touch and cannot, each velocity that moves nothing, and each joint whose point is farther from its body
/// than the body is large, and each time behind the end; with the line of the scene, numbers and the cure. To be asked
/// before the first step. @param end of the run, s
std::vector<std::string> sceneWarnings(const SceneWorld& world, double end);

}  // namespace pliant::program
