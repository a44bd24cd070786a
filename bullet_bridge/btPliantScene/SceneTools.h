// SPDX-License-Identifier: Zlib
// The hands of a scene.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pliant/scene/ToolDescription.h"

namespace btPliantInternal {

struct SceneData;
struct SceneTool;

/// Adds the tools of data.scene to the world. @throws pliant::Error where a port is taken
void addTools(SceneData& data);
/// Where a tool is held now, world.
pliant::ToolPose gripOf(const SceneTool& tool);
/// Gives a tool another device. @param said what the scene says of it  @param device null: none
void setDevice(const pliant::scene::Tool& said, std::shared_ptr<pliant::HandDevice> device, SceneTool& tool);
/// Before the coming step: reads the devices for its end.
void followDevices(SceneData& data);
/// After a step that ended at data.time: tells the devices what is felt; hands in threads see the world.
void tellDevices(SceneData& data);
/// What went wrong with the devices so far, a sentence each with the place of the tool.
std::vector<std::string> failedDevices(const SceneData& data);

}  // namespace btPliantInternal
