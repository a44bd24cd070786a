// SPDX-License-Identifier: Zlib
// A run as a series of VTK files, for ParaView: the simulation meshes of all reduced bodies, bent and placed.
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/VolumeMesh.h"
#include "pliant/scene/SceneDescription.h"
#include "pliant/scene/SceneModels.h"
#include "pliant/scene/ScenePoses.h"

namespace pliant::program {

using scene::Models;

/// NAME.pvd lists the members with their times; they lie in a folder NAME beside it, one a model and frame:
/// 0_cow_00000.vtu. Bodies that do not take part are left out.
class VtuSeries {
public:
    /// @param scene outlives this  @param path of the .pvd file
    VtuSeries(const std::string& path, const scene::SceneDescription& scene, const Models& models);
    /// Writes the members of another frame. @throws Error naming the file
    void add(const scene::ScenePoses& poses);
    /// Writes the list beside its name and renames it. @throws Error likewise
    void close() const;

private:
    struct Member {
        double time = 0.0;
        std::size_t model = 0;
        std::string file;  ///< as seen from the list
    };

    std::string m_path;
    const scene::SceneDescription& m_scene;
    Models m_models;
    std::vector<Member> m_members;
    int m_frames = 0;
};

/// The simulation meshes of the bodies of a model that are shown, one after another, in the world, m.
/// @param displacement 3n x 1, by which vertices are displaced from their bodies at rest, world directions, m; of
/// characters from the skin
VolumeMesh placedMeshes(const scene::LoadedModel& model, const Poses& poses, const std::vector<char>& isShown,
                        VectorX& displacement);

}  // namespace pliant::program
