// SPDX-License-Identifier: Zlib
// A run as a text file of Universal Scene Description (.usda): reduced bodies are exact there. A model is a mesh with r
// blend shapes, the columns of U and dN; a body refers to it and has a transform and r weights, its q, at every frame.
#pragma once

#include <memory>
#include <string>

#include "pliant/scene/SceneDescription.h"
#include "pliant/scene/ScenePoses.h"
#include "world/SceneWorld.h"

namespace pliant::program {

class UsdFile {
public:
    /// @param scene outlives this  @throws Error where a mesh cannot be read, and for characters
    UsdFile(const std::string& path, const scene::SceneDescription& scene, const Models& models);
    ~UsdFile();
    /// Another frame, kept until close().
    void add(const scene::ScenePoses& poses);
    /// Writes the file beside its name and renames it. @throws Error naming it
    void close();

private:
    struct Data;
    std::unique_ptr<Data> m_data;
};

}  // namespace pliant::program
