// SPDX-License-Identifier: Zlib
// pliant.World: a Bullet world of its own with reduced and rigid bodies.
#pragma once

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>

#include <unordered_map>

#include "Bodies.h"
#include "Rigid.h"
#include "btPliant/btPliantConstraintSolver.h"
#include "btPliant/btPliantSystem.h"

namespace pliant::python {

class WorldPicture;

class World : public Simulation {
public:
    /// @param gravity m/s^2. @param threads workers; 0 = all cores. @param iterations of the contact solver
    World(const Vector3& gravity, int threads, int iterations);
    ~World() override;

    btPliantSystem& system() override { return *m_system; }
    btDiscreteDynamicsWorld& bullet() { return *m_world; }
    double time() const { return m_time; }  ///< simulated, s
    void setTime(double time) { m_time = time; }

    /// Steps of h seconds. @throws Error where h is below 1e-6 or above 1e6
    void step(double h, int count);
    /// Adds bodies of a model. @param infos one a body
    std::shared_ptr<BodyArrays> add(const std::shared_ptr<const ReducedModel>& model,
                                    const std::vector<btPliantBodyInfo>& infos);
    /// Takes bodies out of the world. Their arrays stay as they are.
    void remove(BodyArrays& arrays);
    /// Adds a rigid body. @return its number
    int addRigid(std::unique_ptr<Rigid> rigid);

    /// The number of an object: reduced and rigid bodies together, in the order in which they were added; -1: none of
    /// this world.
    int numberOf(const btCollisionObject& object) const;
    /// A rigid body. @throws IndexError where the number is none of one
    Rigid& rigid(int number);
    const std::vector<std::shared_ptr<BodyArrays>>& arrays() const { return m_arrays; }
    const std::unordered_map<int, std::unique_ptr<Rigid>>& rigids() const { return m_rigids; }
    /// Changes whenever a body is added or removed.
    int revision() const { return m_revision; }
    /// What draws it; made at the first call.
    WorldPicture& picture();

private:
    // Destroyed from the last to the first: picture, reduced bodies with their system, rigid bodies, world.
    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher{&m_configuration};
    btDbvtBroadphase m_broadphase;
    btPliantConstraintSolver m_solver;
    std::unique_ptr<btDiscreteDynamicsWorld> m_world;
    std::unordered_map<int, std::unique_ptr<Rigid>> m_rigids;
    std::unique_ptr<btPliantSystem> m_system;
    std::unordered_map<const btCollisionObject*, int> m_numbers;
    std::unique_ptr<WorldPicture> m_picture;
    int m_next = 0, m_revision = 0;
    double m_time = 0.0;
};

void addWorld(py::module_& module);

}  // namespace pliant::python
