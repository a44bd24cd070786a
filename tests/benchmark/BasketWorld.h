// SPDX-License-Identifier: Zlib
// What the benchmarks of many baskets share: the model, a world with a ground, and baskets that stand in it a little
// askew.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>

#include "btPliant/btPliantSystem.h"
#include "pliant/reduce/Reduce.h"

namespace pliant::benchmarks {

constexpr double kSpacing = 0.48;  // m, of the grid that falls

/// The model that PLIANT_PILE_MODEL names, else media/basket/basket.obj reduced as in the main scene.
inline std::shared_ptr<const ReducedModel> basket(int dimension) {
    static const std::shared_ptr<const ReducedModel> model = [dimension] {
        if (const char* file = std::getenv("PLIANT_PILE_MODEL")) return loadModel(file);
        ReduceOptions options;
        options.modes = 20;
        options.dimension = dimension;
        options.solid = false;
        options.youngsModulus = 1.0e7;
        options.poissonRatio = 0.3;
        options.density = 400;
        std::fprintf(stderr, "reducing the basket to r = %d\n", dimension);
        return reduceFile(PLIANT_MEDIA_DIR "/basket/basket.obj", options);
    }();
    return model;
}

/// Gravity along -z and a ground.
class GroundWorld {
public:
    explicit GroundWorld(std::unique_ptr<btConstraintSolver> solver)
        : m_dispatcher(&m_configuration),
          m_solver(std::move(solver)),
          m_world(&m_dispatcher, &m_broadphase, m_solver.get(), &m_configuration),
          m_plane(btVector3(0, 0, 1), 0),
          m_ground(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &m_plane)) {
        m_ground.setFriction(btScalar(0.8));
        m_world.setGravity(btVector3(0, 0, btScalar(-9.81)));
        m_world.getDispatchInfo().m_deterministicOverlappingPairs = true;
        m_world.addRigidBody(&m_ground);
    }
    virtual ~GroundWorld() { m_world.removeRigidBody(&m_ground); }

    /// Place `column`, `row` of a grid `side` wide at height z, shifted and turned a little by chance.
    btTransform place(int column, int row, int side, double z) {
        const auto at = [&](int k) { return kSpacing * (k - 0.5 * (side - 1)) + 0.02 * m_uniform(m_random); };
        const double x = at(column), y = at(row);
        const double tiltX = m_uniform(m_random), tiltY = m_uniform(m_random), angle = 0.5 * m_uniform(m_random);
        const btVector3 axis(static_cast<btScalar>(tiltX), static_cast<btScalar>(tiltY), btScalar(0.5));
        return btTransform(btQuaternion(axis.normalized(), static_cast<btScalar>(angle)),
                           btVector3(static_cast<btScalar>(x), static_cast<btScalar>(y), static_cast<btScalar>(z)));
    }

    /// A reduced basket as in the main scene, which never sleeps.
    void addBasket(btPliantSystem& system, std::shared_ptr<const ReducedModel> model, const btTransform& at) {
        btPliantBodyInfo info;
        info.m_meshTransform = at;
        info.m_rollingFriction = btScalar(0.01);
        info.m_damping.mass = 0.2;
        info.m_damping.stiffness = 0.002;
        info.m_coupling = Coupling::Inertia;
        btPliantBody* body = system.createBody(std::move(model), info);
        m_world.addRigidBody(body);
        body->forceActivationState(DISABLE_DEACTIVATION);
    }

    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher;
    btDbvtBroadphase m_broadphase;
    std::unique_ptr<btConstraintSolver> m_solver;
    btDiscreteDynamicsWorld m_world;

private:
    btStaticPlaneShape m_plane;
    btRigidBody m_ground;
    std::mt19937 m_random{512};
    std::uniform_real_distribution<double> m_uniform{-1.0, 1.0};
};

}  // namespace pliant::benchmarks
