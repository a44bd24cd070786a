// SPDX-License-Identifier: Zlib
// What a scene says of times that its run does not come to.
#pragma once

#include <string>
#include <vector>

#include "pliant/scene/SceneDescription.h"

namespace pliant::program {

/// One sentence for each event, shot and picture behind the end of the run, with the line of the scene, both times and
/// the cure: events and shots never come, and a picture shows the end. @param end of the run, s
std::vector<std::string> timeWarnings(const scene::SceneDescription& scene, double end);

}  // namespace pliant::program
