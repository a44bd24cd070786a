// SPDX-License-Identifier: Zlib
// Stiffness and damping of bodies while they move.
#include <btBulletDynamicsCommon.h>

#include <algorithm>

#include "btPliantScene/SceneClock.h"
#include "btPliantScene/ScenePool.h"
#include "pliant/math/Error.h"

namespace btPliantInternal {
namespace {

using pliant::scene::LivePath;

void scaleStiffness(SceneData& data, btPliantBody& body, const std::string& material, double factor) {
    const std::vector<pliant::ElasticMaterial>& materials = body.getModel().mesh.materials;
    std::vector<double>& factors = data.clock->stiffness[&body];
    factors.resize(materials.size(), 1.0);
    for (std::size_t m = 0; m < materials.size(); ++m)
        if (material.empty() || materials[m].name == material) factors[m] = factor;
    std::vector<pliant::MaterialEdit> edits;
    for (std::size_t m = 0; m < factors.size(); ++m) {
        pliant::MaterialEdit edit;
        edit.material = static_cast<int>(m);
        edit.stiffnessScale = factors[m];
        if (factors[m] != 1.0) edits.push_back(edit);
    }
    const std::string problem = body.setMaterial(edits);
    if (!problem.empty()) data.clock->timeline.warn(problem);
}

void checkMaterial(const SceneData& data, const LivePath& path) {
    if (path.kind != LivePath::Kind::Stiffness) return;
    for (btRigidBody* body : bodiesOf(data, path.of)) {
        const pliant::ReducedModel& model = btPliantBody::upcast(body)->getModel();
        const auto isIt = [&](const pliant::ElasticMaterial& material) { return material.name == path.material; };
        if (model.materialGroups.empty())
            throw pliant::Error(path.of.where,
                                "the model of \"" + path.of.name + "\" does not keep its materials apart",
                                "reduce it again");
        if (!path.material.empty() && std::none_of(model.mesh.materials.begin(), model.mesh.materials.end(), isIt)) {
            std::string known;
            for (const pliant::ElasticMaterial& material : model.mesh.materials)
                known += (known.empty() ? "" : ", ") + material.name;
            throw pliant::Error(path.of.where, "\"" + path.of.name + "\" has no material \"" + path.material + "\"",
                                "it has: " + known);
        }
    }
}

}  // namespace

void setMaterial(SceneData& data, const LivePath& path, double value) {
    for (btRigidBody* body : bodiesOf(data, path.of)) {
        btPliantBody& soft = *btPliantBody::upcast(body);
        if (path.kind == LivePath::Kind::Stiffness) {
            scaleStiffness(data, soft, path.material, value);
            continue;
        }
        pliant::DampingSettings damping = soft.getSettings().damping;
        (path.kind == LivePath::Kind::MassDamping ? damping.mass : damping.stiffness) = std::max(value, 0.0);
        soft.setDamping(damping);
        if (!isPresent(soft)) soft.forceActivationState(DISABLE_SIMULATION);
    }
}

void checkMaterials(const SceneData& data) {
    for (const pliant::scene::Event& event : data.scene.timeline.events)
        for (const pliant::scene::Action& action : event.actions)
            if (action.kind == pliant::scene::ActionKind::Set) checkMaterial(data, action.path);
    for (const pliant::scene::Animation& animation : data.scene.timeline.animations)
        checkMaterial(data, animation.path);
}

}  // namespace btPliantInternal
