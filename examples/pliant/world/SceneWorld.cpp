// SPDX-License-Identifier: Zlib
#include "world/SceneWorld.h"

#include <btBulletDynamicsCommon.h>

#include "pliant/math/Error.h"

namespace pliant::program {

SceneWorld::SceneWorld(const scene::SceneDescription& scene, const Models& models, int threads)
    : m_configuration(std::make_unique<btDefaultCollisionConfiguration>()),
      m_dispatcher(std::make_unique<btCollisionDispatcher>(m_configuration.get())),
      m_broadphase(std::make_unique<btDbvtBroadphase>()),
      m_solver(std::make_unique<btPliantConstraintSolver>()),
      m_world(std::make_unique<btDiscreteDynamicsWorld>(m_dispatcher.get(), m_broadphase.get(), m_solver.get(),
                                                        m_configuration.get())) {
    btPliantScene::applySettings(scene, *m_world);
    m_system = std::make_unique<btPliantSystem>(m_world.get(), btPliantScene::getSystemInfo(scene, threads));
    m_scene = std::make_unique<btPliantScene>(*m_system, scene, models);
    m_hand = std::make_unique<Grab>(*m_world);
}

SceneWorld::~SceneWorld() = default;

}  // namespace pliant::program
