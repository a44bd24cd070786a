// SPDX-License-Identifier: Zlib
// A scene in a Bullet world of its own, with a hand that drags bodies.
#pragma once

#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>

#include <memory>
#include <vector>

#include "btPliant/btPliantConstraintSolver.h"
#include "btPliantScene/btPliantScene.h"
#include "world/Grab.h"

namespace pliant::program {

using Models = btPliantScene::Models;

class SceneWorld {
public:
    using Deformable = btPliantScene::Deformable;
    using Rigid = btPliantScene::Rigid;

    /// @param threads workers; 0 = all cores. @throws Error
    SceneWorld(const scene::SceneDescription& scene, const Models& models, int threads);
    ~SceneWorld();
    SceneWorld(const SceneWorld&) = delete;
    SceneWorld& operator=(const SceneWorld&) = delete;

    /// One substep of scene.time.step() seconds.
    void step() { m_scene->step(); }
    double time() const { return m_scene->getTime(); }  ///< Simulated time, s.
    void dropAgain(int drop, bool newBodies) { m_scene->dropAgain(drop, newBodies); }

    btPliantScene& physics() const { return *m_scene; }
    const scene::SceneDescription& scene() const { return m_scene->getDescription(); }
    const std::vector<Deformable>& deformables() const { return m_scene->getDeformables(); }
    const std::vector<Rigid>& rigids() const { return m_scene->getRigids(); }
    btPliantSystem& system() const { return *m_system; }
    const std::vector<std::unique_ptr<btTypedConstraint>>& joints() const { return m_scene->getJoints(); }
    Grab& hand() { return *m_hand; }
    /// Total mass of what moves freely, kg.
    double movingMass() const { return m_scene->getMovingMass(); }

private:
    // Destroyed from the last to the first: bodies, system, world.
    std::unique_ptr<btCollisionConfiguration> m_configuration;
    std::unique_ptr<btCollisionDispatcher> m_dispatcher;
    std::unique_ptr<btBroadphaseInterface> m_broadphase;
    std::unique_ptr<btPliantConstraintSolver> m_solver;
    std::unique_ptr<btDiscreteDynamicsWorld> m_world;
    std::unique_ptr<btPliantSystem> m_system;
    std::unique_ptr<btPliantScene> m_scene;
    std::unique_ptr<Grab> m_hand;
};

}  // namespace pliant::program
