// SPDX-License-Identifier: Zlib
// The poses of a scene as plain groups of bodies, which logs keep and physics threads interpolate: one for each model,
// then "rigid", whose coordinate is 1 for who takes part, and "scene", whose one body has the same of all reduced
// bodies, whether each joint holds, the camera that events have cut to, and when.
#pragma once

#include <vector>

#include "pliant/scene/SceneDescription.h"
#include "pliant/scene/ScenePoses.h"
#include "pliant/view/StateLog.h"
#include "world/SceneWorld.h"

namespace pliant::program {

/// The groups of a scene; that of "scene" has the path of the scene file as its name.
std::vector<LoggedGroup> packedGroups(const scene::SceneDescription& scene, const Models& models);

/// @param groups are given their sizes
void pack(const scene::ScenePoses& poses, std::vector<Poses>& groups);

/// Who is there for half of a step, between two poses that were interpolated, is not there yet, or no longer.
/// @param poses has its sizes; what it says of the looks of joints stays
void unpack(const std::vector<Poses>& groups, scene::ScenePoses& poses);

}  // namespace pliant::program
