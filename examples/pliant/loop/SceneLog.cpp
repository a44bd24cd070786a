// SPDX-License-Identifier: Zlib
#include "loop/SceneLog.h"

#include <filesystem>

#include "pliant/math/Error.h"

namespace pliant::program {
namespace {

/// How many copies all groups of a kind have.
template <class Groups, class Choose>
int copiesOf(const Groups& groups, const Choose& choose) {
    int sum = 0;
    for (const auto& group : groups)
        if (choose(group)) sum += group.placement.count[0] * group.placement.count[1] * group.placement.count[2];
    return sum;
}

std::vector<LoggedGroup> groupsOf(const scene::SceneDescription& scene, const Models& models) {
    std::vector<LoggedGroup> groups;
    int all = 0;
    for (std::size_t m = 0; m < models.size(); ++m) {
        const std::string& name = scene.models[m].name;
        const int bodies = copiesOf(scene.bodies, [&](const scene::BodyGroup& group) { return group.model == name; });
        groups.push_back({name, bodies, models[m]->dimension()});
        all += bodies;
    }
    groups.push_back({"rigid", copiesOf(scene.rigid, [](const scene::RigidGroup&) { return true; }), 1});
    // Who of the reduced bodies takes part, the camera of events, and when it was cut to.
    groups.push_back({std::filesystem::absolute(scene.file).lexically_normal().string(), 1, all + 2});
    return groups;
}

}  // namespace

SceneLogWriter::SceneLogWriter(const std::string& path, const scene::SceneDescription& scene, const Models& models)
    : m_log(path, groupsOf(scene, models)) {
    for (const LoggedGroup& group : groupsOf(scene, models)) {
        m_frame.emplace_back();
        m_frame.back().resize(group.bodies, group.dimension);
    }
}

void SceneLogWriter::add(const scene::ScenePoses& poses) {
    const std::size_t models = poses.models.size();
    for (std::size_t m = 0; m < models; ++m) m_frame[m] = poses.models[m];
    Poses &rigid = m_frame[models], &scene = m_frame[models + 1];
    for (std::size_t i = 0; i < poses.rigid.size(); ++i) {
        rigid.worldFromBody[i] = poses.rigid[i];
        rigid.q[i] = poses.isRigidShown[i] ? 1.0 : 0.0;
    }
    std::size_t next = 0;
    for (const std::vector<char>& shown : poses.isShown)
        for (const char is : shown) scene.q[next++] = is ? 1.0 : 0.0;
    scene.q[next++] = poses.camera;
    scene.q[next] = poses.cutTime;
    m_frame.front().time = rigid.time = scene.time = poses.time;
    for (Poses& group : m_frame) group.time = poses.time;
    m_log.add(m_frame);
}

SceneLogReader::SceneLogReader(const std::string& path) : m_path(path), m_log(path) {
    const std::vector<LoggedGroup>& groups = m_log.groups();
    if (groups.size() < 2 || groups[groups.size() - 2].name != "rigid" || groups.back().bodies != 1)
        throw Error(path, "is no record of a scene", "write one with output: [{states: {file: run.states}}]");
    m_sceneFile = groups.back().name;
}

void SceneLogReader::expectScene(const scene::SceneDescription& scene, const Models& models) const {
    const std::vector<LoggedGroup> wanted = groupsOf(scene, models), &has = m_log.groups();
    bool same = wanted.size() == has.size();
    for (std::size_t i = 0; same && i < wanted.size(); ++i)
        same = wanted[i].bodies == has[i].bodies && wanted[i].dimension == has[i].dimension;
    if (!same) throw Error(m_path, "has other bodies than " + scene.file, "run the scene again");
}

void SceneLogReader::read(int frame, scene::ScenePoses& poses) {
    m_log.read(frame, m_frame);
    const std::size_t models = m_frame.size() - 2;
    poses.time = m_log.time(frame);
    poses.models.assign(m_frame.begin(), m_frame.begin() + static_cast<std::ptrdiff_t>(models));
    const Poses &rigid = m_frame[models], &scene = m_frame[models + 1];
    poses.rigid = rigid.worldFromBody;
    poses.isRigidShown.clear();
    for (const double q : rigid.q) poses.isRigidShown.push_back(q > 0.5 ? 1 : 0);
    poses.isShown.clear();
    std::size_t next = 0;
    for (const Poses& model : poses.models) {
        poses.isShown.emplace_back();
        for (int i = 0; i < model.count(); ++i) poses.isShown.back().push_back(scene.q[next++] > 0.5 ? 1 : 0);
    }
    poses.camera = static_cast<int>(scene.q[next++]);
    poses.cutTime = scene.q[next];
}

}  // namespace pliant::program
