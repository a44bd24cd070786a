// SPDX-License-Identifier: Zlib
// The files that a scene says its run shall write, frame by frame: from poses alone, whoever has them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pliant/scene/SceneBounds.h"
#include "pliant/scene/SceneDescription.h"
#include "pliant/scene/ScenePoses.h"
#include "world/SceneWorld.h"

namespace pliant::program {

/// What writing files needs to know.
struct OutputPlan {
    std::string folder;         ///< Folder where the files are made.
    scene::WholeView standard;  ///< Where the scene is seen from where it names no camera.
    scene::Bounds bounds;       ///< Bounds of the scene as it starts.
    int frames = 0;             ///< Number of frames that come.
    bool draw = true;           ///< Whether films and pictures are made; false: none.
    bool joints = true;         ///< Whether joints are drawn.
    /// Whose hidden things are drawn where the scene says so, at the time of the poses; absent: nobody's.
    const SceneWorld* world = nullptr;
};

class OutputFiles {
public:
    /// Begins all files. @param scene outlives this. @throws Error (unwritable files, no GL context)
    OutputFiles(const scene::SceneDescription& scene, const Models& models, const OutputPlan& plan);
    ~OutputFiles();
    OutputFiles(const OutputFiles&) = delete;
    OutputFiles& operator=(const OutputFiles&) = delete;

    /// The end of a frame. @param frame from 0. @param isLast no other comes. @throws Error
    void add(const scene::ScenePoses& poses, int frame, bool isLast);
    /// A frame that no file has, for cameras that come nearer to what they follow.
    void pass(const scene::ScenePoses& poses);
    /// A picture of the present frame, beside those that the scene says. @param file in the folder. @throws Error
    void addPicture(const std::string& file);
    /// Ends all files. @return their names. @throws Error
    std::vector<std::string> close();

private:
    struct Data;
    std::unique_ptr<Data> m_data;
};

/// What the files of a run of this scene are: those that it says, or a film and a picture.
std::vector<scene::OutputFile> outputsOf(const scene::SceneDescription& scene);

}  // namespace pliant::program
