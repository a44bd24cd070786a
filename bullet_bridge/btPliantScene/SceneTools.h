// SPDX-License-Identifier: Zlib
// The hands of a scene.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "btPliant/btPliantTool.h"
#include "btPliantScene/btPliantScene.h"

namespace btPliantInternal {

/// A tool with its device.
struct SceneTool {
    std::unique_ptr<btPliantTool> tool;
    std::shared_ptr<pliant::HandDevice> device;  ///< null: there is none, and the hand lets go
    std::optional<pliant::ToolPose> origin;      ///< its first pose, which ways are scaled from
    pliant::Wrench felt;                         ///< what it was sent last
};

/// Adds the tools of data.scene to the world. @throws pliant::Error where a port is taken
void addTools(SceneData& data);
/// Before the coming step: reads the devices for its end.
void followDevices(SceneData& data);
/// After a step that ended at data.time: tells the devices what is felt.
void tellDevices(SceneData& data);

}  // namespace btPliantInternal
