// SPDX-License-Identifier: Zlib
// A scene in a Bullet world as a user's program has one; its models are all the bar of BarModel.h.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "../bridge/BarModel.h"
#include "btPliant/btPliantConstraintSolver.h"
#include "btPliantScene/btPliantConversions.h"
#include "btPliantScene/btPliantScene.h"
#include "pliant/math/Error.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::test {

/// Reads scenes whose models are meshes, which nothing is made of.
inline scene::SceneOptions anyModel() {
    scene::SceneOptions options;
    options.reduceReader = [](const auto&, const std::string&) { return std::make_shared<scene::ReduceRecipe>(); };
    options.rigReader = [](const auto&) { return std::make_shared<scene::ReduceRecipe>(); };
    return options;
}

class SceneInWorld {
public:
    /// @param stepsASecond of the scene
    explicit SceneInWorld(const std::string& text, int stepsASecond = 120, int threads = 1,
                          const scene::LoadedModel& model = makeBar())
        : m_description(
              scene::parseScene("time: {frames_per_second: " + std::to_string(stepsASecond) + ", substeps: 1}\n" + text,
                                "timed.yaml", anyModel())) {
        for (scene::ModelEntry& entry : m_description.models) entry.damping = DampingSettings{10.0};
        btPliantScene::applySettings(m_description, m_world);
        m_system = std::make_unique<btPliantSystem>(&m_world, btPliantScene::getSystemInfo(m_description, threads));
        m_scene = std::make_unique<btPliantScene>(*m_system, m_description,
                                                  btPliantScene::Models(m_description.models.size(), model));
    }

    void step(double seconds) {
        for (int i = 0; i < std::lround(seconds / m_description.time.step()); ++i) m_scene->step();
    }
    btPliantScene& scene() { return *m_scene; }
    btDiscreteDynamicsWorld& world() { return m_world; }
    double number(const std::string& name) const { return m_scene->getNumber(name); }
    const btRigidBody& rigid(int i) const { return *m_scene->getRigids()[static_cast<std::size_t>(i)].m_body; }
    const btPliantBody& soft(int i) const { return *m_scene->getDeformables()[static_cast<std::size_t>(i)].m_body; }
    Vector3 velocity(int i = 0) const { return fromBullet(rigid(i).getLinearVelocity()); }
    Vector3 place(int i = 0) const { return fromBullet(rigid(i).getCenterOfMassPosition()); }
    int presentBodies() const {
        int count = 0;
        for (const auto& r : m_scene->getRigids()) count += btPliantScene::isPresent(*r.m_body);
        for (const auto& d : m_scene->getDeformables()) count += btPliantScene::isPresent(*d.m_body);
        return count;
    }
    /// Every number of the present state.
    std::vector<double> state() const {
        std::vector<double> all;
        const auto add = [&](const btRigidBody& body) {
            for (int i = 0; i < 3; ++i) {
                all.push_back(static_cast<double>(body.getCenterOfMassPosition()[i]));
                all.push_back(static_cast<double>(body.getLinearVelocity()[i]));
                all.push_back(static_cast<double>(body.getAngularVelocity()[i]));
                for (int j = 0; j < 3; ++j)
                    all.push_back(static_cast<double>(body.getWorldTransform().getBasis()[i][j]));
            }
        };
        for (const auto& r : m_scene->getRigids()) add(*r.m_body);
        for (const auto& d : m_scene->getDeformables()) {
            add(*d.m_body);
            for (const double q : d.m_body->getReducedCoordinates()) all.push_back(q);
            for (const double v : d.m_body->getReducedVelocities()) all.push_back(v);
        }
        return all;
    }

private:
    scene::SceneDescription m_description;
    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher{&m_configuration};
    btDbvtBroadphase m_broadphase;
    btPliantConstraintSolver m_solver;
    btDiscreteDynamicsWorld m_world{&m_dispatcher, &m_broadphase, &m_solver, &m_configuration};
    std::unique_ptr<btPliantSystem> m_system;
    std::unique_ptr<btPliantScene> m_scene;
};

}  // namespace pliant::test
