// SPDX-License-Identifier: Zlib
// The hands of a scene.
#pragma once

#include <string>
#include <vector>

namespace btPliantInternal {

struct SceneData;

/// Adds the tools of data.scene to the world. @throws pliant::Error where a port is taken
void addTools(SceneData& data);
/// Before the coming step: reads the devices for its end.
void followDevices(SceneData& data);
/// After a step that ended at data.time: tells the devices what is felt.
void tellDevices(SceneData& data);
/// What went wrong with the devices so far, a sentence each with the place of the tool.
std::vector<std::string> failedDevices(const SceneData& data);

}  // namespace btPliantInternal
