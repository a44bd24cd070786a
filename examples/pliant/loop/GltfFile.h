// SPDX-License-Identifier: Zlib
// A run as glTF 2.0 (.glb): reduced bodies are exact there. A model is a mesh with r morph targets, the columns of U
// and dN; a body is a node with a rigid transform and r weights, its q, at every frame.
#pragma once

#include <memory>
#include <string>

#include "pliant/scene/SceneDescription.h"
#include "pliant/scene/ScenePoses.h"
#include "world/SceneWorld.h"

namespace pliant::program {

class GltfFile {
public:
    /// @throws Error where a mesh cannot be read
    GltfFile(const std::string& path, const scene::SceneDescription& scene, const Models& models);
    ~GltfFile();
    /// Another frame, kept until close().
    void add(const scene::ScenePoses& poses);
    /// Writes the file beside its name and renames it. @throws Error naming it
    void close();

private:
    struct Data;
    std::unique_ptr<Data> m_data;
};

}  // namespace pliant::program
