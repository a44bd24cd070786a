// SPDX-License-Identifier: Zlib
// A ground with walls, and grids of bodies above it: what `benchmark_solids` lets fall.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <random>
#include <vector>

#include "btPliant/btPliantConstraintSolver.h"
#include "btPliant/btPliantSystem.h"
#include "pliant/runtime/DefaultDamping.h"

namespace pliant::benchmarks {

/// Gravity along -z, Bullet's default settings, bodies with the damping and friction that a scene gives them.
class SolidWorld {
public:
    explicit SolidWorld(int workers)
        : m_dispatcher(&m_configuration),
          m_world(&m_dispatcher, &m_broadphase, &m_solver, &m_configuration),
          m_plane(btVector3(0, 0, 1), 0) {
        m_world.setGravity(btVector3(0, 0, btScalar(-9.81)));
        m_world.getDispatchInfo().m_deterministicOverlappingPairs = true;
        btPliantSystemInfo settings;
        settings.m_threads = workers;
        m_system = std::make_unique<btPliantSystem>(&m_world, settings);
        addRigid(&m_plane, btTransform::getIdentity());
    }
    ~SolidWorld() {
        m_system.reset();
        for (const auto& body : m_rigid) m_world.removeRigidBody(body.get());
    }

    /// Four walls around the origin, m. @param halfX, halfY to their inner sides
    void addWalls(double halfX, double halfY, double height) {
        constexpr double kHalf = 0.1;
        for (const int side : {-1, 1}) {
            addBox(Vector3(kHalf, halfY + 2 * kHalf, height / 2), Vector3(side * (halfX + kHalf), 0, height / 2), 0);
            addBox(Vector3(halfX, kHalf, height / 2), Vector3(0, side * (halfY + kHalf), height / 2), 0);
        }
    }
    /// Of 28 degrees, from x = -4.2 m and z = 2.4 m down to the middle of the ground.
    void addSlope() { addBox(Vector3(2.4, 2.2, 0.1), Vector3(-2.2, 0, 1.15), 0.489); }

    /// @param first middle of the lowest layer of the grid, m @param tilt largest angle by chance, rad
    void addGrid(const std::shared_ptr<const ReducedModel>& model, int nx, int ny, int nz, const Vector3& spacing,
                 const Vector3& first, double tilt) {
        btPliantBodyInfo info;
        info.m_damping = defaultDamping(*model);
        const Vector3& offset = model->meshFromBody.translation;
        for (int k = 0; k < nz; ++k)
            for (int j = 0; j < ny; ++j)
                for (int i = 0; i < nx; ++i) {
                    const Vector3 steps(i - 0.5 * (nx - 1), j - 0.5 * (ny - 1), k);
                    const Vector3 at = first + spacing.cwiseProduct(steps);
                    const double x = draw(), y = draw(), z = draw(), angle = tilt * draw();
                    const btQuaternion turn(vector(Vector3(x, y, z + 1.5)).normalized(), static_cast<btScalar>(angle));
                    info.m_meshTransform =
                        btTransform(turn, vector(at)) * btTransform(btQuaternion::getIdentity(), vector(-offset));
                    m_world.addRigidBody(m_system->createBody(model, info));
                }
    }

    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher;
    btDbvtBroadphase m_broadphase;
    btPliantConstraintSolver m_solver;
    btDiscreteDynamicsWorld m_world;
    std::unique_ptr<btPliantSystem> m_system;

private:
    static btVector3 vector(const Vector3& v) {
        return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z())};
    }
    double draw() { return static_cast<double>(m_random()) / 2147483648.0 - 1.0; }  // the same everywhere

    /// @param turn about y, rad
    void addBox(const Vector3& half, const Vector3& at, double turn) {
        m_boxes.push_back(std::make_unique<btBoxShape>(vector(half)));
        addRigid(m_boxes.back().get(),
                 btTransform(btQuaternion(btVector3(0, 1, 0), static_cast<btScalar>(turn)), vector(at)));
    }
    void addRigid(btCollisionShape* shape, const btTransform& at) {
        btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, shape);
        info.m_startWorldTransform = at;
        m_rigid.push_back(std::make_unique<btRigidBody>(info));
        m_world.addRigidBody(m_rigid.back().get());
    }

    btStaticPlaneShape m_plane;
    std::vector<std::unique_ptr<btBoxShape>> m_boxes;
    std::vector<std::unique_ptr<btRigidBody>> m_rigid;
    std::mt19937 m_random{27};
};

}  // namespace pliant::benchmarks
