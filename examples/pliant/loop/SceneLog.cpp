// SPDX-License-Identifier: Zlib
#include "loop/SceneLog.h"

#include "loop/ScenePacking.h"
#include "pliant/math/Error.h"

namespace pliant::program {

SceneLogWriter::SceneLogWriter(const std::string& path, const scene::SceneDescription& scene, const Models& models)
    : m_log(path, packedGroups(scene, models)) {}

void SceneLogWriter::add(const scene::ScenePoses& poses) {
    pack(poses, m_frame);
    m_log.add(m_frame);
}

SceneLogReader::SceneLogReader(const std::string& path) : m_path(path), m_log(path) {
    const std::vector<LoggedGroup>& groups = m_log.groups();
    if (groups.size() < 2 || groups[groups.size() - 2].name != "rigid" || groups.back().bodies != 1)
        throw Error(path, "is no record of a scene", "write one with output: [{states: {file: run.states}}]");
    m_sceneFile = groups.back().name;
}

void SceneLogReader::expectScene(const scene::SceneDescription& scene, const Models& models) const {
    const std::vector<LoggedGroup> wanted = packedGroups(scene, models), &has = m_log.groups();
    bool same = wanted.size() == has.size();
    for (std::size_t i = 0; same && i < wanted.size(); ++i)
        same = wanted[i].bodies == has[i].bodies && wanted[i].dimension == has[i].dimension;
    if (!same) throw Error(m_path, "has other bodies or joints than " + scene.file, "run the scene again");
}

void SceneLogReader::read(int frame, scene::ScenePoses& poses) {
    m_log.read(frame, m_frame);
    unpack(m_frame, poses);
    poses.time = m_log.time(frame);
}

}  // namespace pliant::program
