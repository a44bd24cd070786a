// SPDX-License-Identifier: Zlib
// A run as a table of text, for spreadsheets and data frames: a row for each body and frame.
#pragma once

#include <string>
#include <vector>

#include "loop/SceneBodies.h"
#include "pliant/model/WholeFileWriter.h"
#include "pliant/scene/SceneDescription.h"
#include "pliant/scene/SceneModels.h"
#include "pliant/scene/ScenePoses.h"

namespace pliant::program {

/// Columns: time, s; name; place of the body frame's origin, m; rotation world from body, a unit quaternion; reduced
/// coordinates, m sqrt(kg), as many as the largest model has, empty where a body has fewer. Of characters the place is
/// that of the first bone. Numbers are read back to the same bits. Bodies that do not take part have no row.
class TrajectoryTable {
public:
    /// @param scene outlives this  @throws Error naming the file
    TrajectoryTable(const std::string& path, const scene::SceneDescription& scene, const scene::Models& models);
    /// Writes the rows of another frame. @throws Error naming the file
    void add(const scene::ScenePoses& poses);
    /// Gives the file its name. @throws Error likewise
    void close();

private:
    std::vector<SceneBody> m_bodies;
    std::vector<int> m_dimensions;  ///< of each model
    int m_columns = 0;              ///< of reduced coordinates
    WholeFileWriter m_file;
};

}  // namespace pliant::program
