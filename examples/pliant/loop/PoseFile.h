// SPDX-License-Identifier: Zlib
// Files of a run that need no picture: they take where everything is, frame by frame.
#pragma once

#include <memory>
#include <string>

#include "pliant/scene/SceneDescription.h"
#include "pliant/scene/ScenePoses.h"
#include "world/SceneWorld.h"

namespace pliant::program {

/// A file that takes where everything is, frame by frame.
class PoseFile {
public:
    virtual ~PoseFile() = default;
    /// Another frame. @throws Error naming the file
    virtual void add(const scene::ScenePoses& poses) = 0;
    /// Writes what is left. @throws Error likewise
    virtual void close() = 0;
};

/// States, glTF, USD, a series of VTK files or a table; null for what is no file of poses. @param scene outlives it
/// @throws Error where the file cannot hold the scene
std::unique_ptr<PoseFile> makePoseFile(scene::OutputKind kind, const std::string& path,
                                       const scene::SceneDescription& scene, const Models& models);

}  // namespace pliant::program
