// SPDX-License-Identifier: Zlib
// A run of a scene in a log of poses (pliant/view/StateLog.h): its reduced bodies, its rigid ones, and who takes part.
#pragma once

#include <string>
#include <vector>

#include "pliant/scene/SceneDescription.h"
#include "pliant/scene/ScenePoses.h"
#include "pliant/view/StateLog.h"
#include "world/SceneWorld.h"

namespace pliant::program {

/// Writes it, as packed groups (loop/ScenePacking.h). Before them stand the bones of characters, a group for each model
/// that is one: every bone of every body is a frame, whose coordinate is its scale.
class SceneLogWriter {
public:
    /// @throws Error naming the file
    SceneLogWriter(const std::string& path, const scene::SceneDescription& scene, const Models& models);
    void add(const scene::ScenePoses& poses);  ///< @throws Error naming the file
    void close() { m_log.close(); }            ///< @throws Error naming the file

private:
    StateLogWriter m_log;
    std::vector<Poses> m_frame, m_packed;
};

/// Reads it.
class SceneLogReader {
public:
    /// @throws Error naming the file
    explicit SceneLogReader(const std::string& path);
    /// The scene file that was run.
    const std::string& sceneFile() const { return m_sceneFile; }
    int frameCount() const { return m_log.frameCount(); }
    double time(int frame) const { return m_log.time(frame); }
    /// @throws Error where the log is of another scene
    void expectScene(const scene::SceneDescription& scene, const Models& models) const;
    void read(int frame, scene::ScenePoses& poses);

private:
    std::string m_path, m_sceneFile;
    StateLog m_log;
    std::vector<int> m_characters;  ///< the models whose bones the first groups are
    std::vector<Poses> m_frame;
};

}  // namespace pliant::program
