// SPDX-License-Identifier: Zlib
#include "loop/ScenePacking.h"

#include <cmath>
#include <filesystem>
#include <numeric>

#include "pliant/mesh/FilesThere.h"

namespace pliant::program {
namespace {

constexpr double kThere = 0.999;  ///< of 1

int copiesIn(const scene::Placement& placement) {
    return placement.count[0] * placement.count[1] * placement.count[2];
}

/// How many copies all groups of a kind have.
template <class Groups, class Choose>
int copiesOf(const Groups& groups, const Choose& choose) {
    int sum = 0;
    for (const auto& group : groups)
        if (choose(group)) sum += copiesIn(group.placement);
    return sum;
}

/// Joints of an entry: one for each copy of its first body.
int jointsOf(const scene::SceneDescription& scene) {
    int sum = 0;
    for (const scene::JointGroup& joint : scene.joints) {
        const auto isIt = [&](const auto& group) { return group.name == joint.ends[0].name; };
        sum += joint.ends[0].copy >= 0 ? 1 : copiesOf(scene.bodies, isIt) + copiesOf(scene.rigid, isIt);
    }
    return sum;
}

bool isThere(double share) {
    return share > kThere;
}

}  // namespace

std::vector<LoggedGroup> packedGroups(const scene::SceneDescription& scene, const Models& models) {
    std::vector<LoggedGroup> groups;
    int all = 0;
    for (std::size_t m = 0; m < models.size(); ++m) {
        const std::string& name = scene.models[m].name;
        const int bodies = copiesOf(scene.bodies, [&](const scene::BodyGroup& group) { return group.model == name; });
        groups.push_back({name, bodies, models[m]->dimension()});
        all += bodies;
    }
    groups.push_back({"rigid", copiesOf(scene.rigid, [](const scene::RigidGroup&) { return true; }), 1});
    const std::string file = files::absolute(scene.file).lexically_normal().string();
    groups.push_back({file, 1, all + jointsOf(scene) + 2});
    return groups;
}

void pack(const scene::ScenePoses& poses, std::vector<Poses>& groups) {
    const std::size_t models = poses.models.size();
    groups.resize(models + 2);
    std::size_t all = poses.isHeld.size() + 2;
    for (const std::vector<char>& shown : poses.isShown) all += shown.size();
    for (std::size_t m = 0; m < models; ++m) groups[m] = poses.models[m];
    Poses &rigid = groups[models], &scene = groups[models + 1];
    rigid.resize(static_cast<int>(poses.rigid.size()), 1);
    scene.resize(1, static_cast<int>(all));
    for (std::size_t i = 0; i < poses.rigid.size(); ++i) {
        rigid.worldFromBody[i] = poses.rigid[i];
        rigid.q[i] = poses.isRigidShown[i] ? 1.0 : 0.0;
    }
    std::size_t next = 0;
    for (const std::vector<char>& shown : poses.isShown)
        for (const char is : shown) scene.q[next++] = is ? 1.0 : 0.0;
    for (const char is : poses.isHeld) scene.q[next++] = is ? 1.0 : 0.0;
    scene.q[next++] = poses.camera;
    scene.q[next] = poses.cutTime;
    for (Poses& group : groups) group.time = poses.time;
}

void unpack(const std::vector<Poses>& groups, scene::ScenePoses& poses) {
    const std::size_t models = groups.size() - 2;
    const Poses &rigid = groups[models], &scene = groups[models + 1];
    poses.time = groups.front().time;
    poses.models.assign(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(models));
    poses.rigid = rigid.worldFromBody;
    poses.isRigidShown.clear();
    for (const double q : rigid.q) poses.isRigidShown.push_back(isThere(q) ? 1 : 0);
    poses.isShown.clear();
    std::size_t next = 0;
    for (const Poses& model : poses.models) {
        poses.isShown.emplace_back();
        for (int i = 0; i < model.count(); ++i) poses.isShown.back().push_back(isThere(scene.q[next++]) ? 1 : 0);
    }
    poses.isHeld.clear();
    while (next + 2 < scene.q.size()) poses.isHeld.push_back(isThere(scene.q[next++]) ? 1 : 0);
    poses.camera = static_cast<int>(std::lround(scene.q[next++]));
    poses.cutTime = scene.q[next];
}

}  // namespace pliant::program
