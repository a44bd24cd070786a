// SPDX-License-Identifier: Zlib
#include "loop/SceneLog.h"

#include <charconv>

#include "loop/ScenePacking.h"
#include "pliant/math/Error.h"

namespace pliant::program {
namespace {

const std::string bonesOfModel = "bones of model ";

/// The number of the model whose bones a group is; -1: it is another group.
int characterOf(const std::string& name) {
    int model = -1;
    if (name.compare(0, bonesOfModel.size(), bonesOfModel) != 0) return -1;
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + bonesOfModel.size(), end, model);
    return error == std::errc() && stop == end && model >= 0 ? model : -1;
}

std::vector<LoggedGroup> loggedGroups(const scene::SceneDescription& scene, const Models& models) {
    const std::vector<LoggedGroup> packed = packedGroups(scene, models);
    std::vector<LoggedGroup> groups;
    for (std::size_t m = 0; m < models.size(); ++m)
        if (const auto& character = models[m].character())
            groups.push_back({bonesOfModel + std::to_string(m), packed[m].bodies * character->skeleton.boneCount(), 1});
    groups.insert(groups.end(), packed.begin(), packed.end());
    return groups;
}

/// Bones as bodies, whose frames have no scale.
Poses packBones(const Poses& characters) {
    Poses bones;
    bones.time = characters.time;
    bones.resize(static_cast<int>(characters.bones.size()), 1);
    for (std::size_t b = 0; b < characters.bones.size(); ++b) {
        const auto& map = characters.bones[b];
        bones.q[b] = map.col(0).norm();
        bones.worldFromBody[b] = {map.leftCols<3>() / bones.q[b], map.col(3)};
    }
    return bones;
}

void unpackBones(const Poses& bones, Poses& characters) {
    if (characters.count() == 0) return;
    characters.resizeBones(bones.count() / characters.count());
    for (std::size_t b = 0; b < characters.bones.size(); ++b)
        characters.bones[b] << bones.q[b] * bones.worldFromBody[b].rotation, bones.worldFromBody[b].translation;
}

}  // namespace

SceneLogWriter::SceneLogWriter(const std::string& path, const scene::SceneDescription& scene, const Models& models)
    : m_log(path, loggedGroups(scene, models)) {}

void SceneLogWriter::add(const scene::ScenePoses& poses) {
    pack(poses, m_packed);
    m_frame.clear();
    for (const Poses& model : poses.models)
        if (model.boneCount > 0) m_frame.push_back(packBones(model));
    m_frame.insert(m_frame.end(), m_packed.begin(), m_packed.end());
    for (Poses& group : m_frame) group.time = poses.time;
    m_log.add(m_frame);
}

SceneLogReader::SceneLogReader(const std::string& path) : m_path(path), m_log(path) {
    const std::vector<LoggedGroup>& groups = m_log.groups();
    if (groups.size() < 2 || groups[groups.size() - 2].name != "rigid" || groups.back().bodies != 1)
        throw Error(path, "is no record of a scene", "write one with output: [{states: {file: run.states}}]");
    m_sceneFile = groups.back().name;
    while (characterOf(groups[m_characters.size()].name) >= 0)
        m_characters.push_back(characterOf(groups[m_characters.size()].name));
    const int models = static_cast<int>(groups.size() - 2 - m_characters.size());
    for (const int model : m_characters)
        if (model >= models) throw Error(path, "has bones of a model that it does not have", "run the scene again");
}

void SceneLogReader::expectScene(const scene::SceneDescription& scene, const Models& models) const {
    const std::vector<LoggedGroup> wanted = loggedGroups(scene, models), &has = m_log.groups();
    bool same = wanted.size() == has.size();
    for (std::size_t i = 0; same && i < wanted.size(); ++i)
        same = wanted[i].bodies == has[i].bodies && wanted[i].dimension == has[i].dimension;
    if (!same) throw Error(m_path, "has other bodies or joints than " + scene.file, "run the scene again");
}

void SceneLogReader::read(int frame, scene::ScenePoses& poses) {
    m_log.read(frame, m_frame);
    const auto first = m_frame.begin() + static_cast<std::ptrdiff_t>(m_characters.size());
    unpack({first, m_frame.end()}, poses);
    for (std::size_t i = 0; i < m_characters.size(); ++i)
        unpackBones(m_frame[i], poses.models[static_cast<std::size_t>(m_characters[i])]);
    poses.time = m_log.time(frame);
}

}  // namespace pliant::program
