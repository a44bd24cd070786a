// SPDX-License-Identifier: Zlib
// A scene as a Bullet world: what the scene file describes, built. Knows nothing of pictures and files.
#pragma once

#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>

#include <memory>
#include <vector>

#include "btPliant/btPliantConstraintSolver.h"
#include "btPliant/btPliantSystem.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/scene/SceneDescription.h"
#include "world/Grab.h"
#include "world/RigidShapes.h"
#include "world/SceneJoints.h"

namespace pliant::program {

/// One model a scene entry, in the scene's order.
using Models = std::vector<std::shared_ptr<const ReducedModel>>;

class SceneWorld {
public:
    struct Deformable {
        btPliantBody* body = nullptr;
        int model = 0;         ///< index into the scene's models
        int numberOfKind = 0;  ///< among the bodies of that model
        int group = 0;         ///< index into the scene's groups of bodies
        scene::Motion motion = scene::Motion::Free;
    };
    struct Rigid {
        std::unique_ptr<btRigidBody> body;
        int group = 0;  ///< index into the scene's rigid groups
    };

    /// Keeps a reference to `scene`. @param threads workers; 0 = all cores. @throws Error
    SceneWorld(const scene::SceneDescription& scene, const Models& models, int threads);
    ~SceneWorld();
    SceneWorld(const SceneWorld&) = delete;
    SceneWorld& operator=(const SceneWorld&) = delete;

    /// One substep of scene.time.step() seconds.
    void step();
    double time() const { return m_time; }  ///< simulated, s
    /// Everything that moves freely goes back to where it started, with its start velocity, every group with other
    /// chances of its jitter: the bodies themselves, or new ones in their place after they have been removed.
    /// @param drop number added to the seeds. @throws Error for scenes with joints
    void dropAgain(int drop, bool newBodies);

    const scene::SceneDescription& scene() const { return m_scene; }
    const std::vector<Deformable>& deformables() const { return m_deformables; }
    const std::vector<Rigid>& rigids() const { return m_rigids; }
    const RigidShapeHolder& shapeOf(const Rigid& rigid) const {
        return m_shapes[static_cast<std::size_t>(rigid.group)];
    }
    btPliantSystem& system() const { return *m_system; }
    const std::vector<std::unique_ptr<btTypedConstraint>>& joints() const { return m_joints; }
    const NamedBodies& named() const { return m_named; }
    Grab& hand() { return *m_hand; }
    /// Total mass of what moves freely, kg.
    double movingMass() const { return m_movingMass; }

private:
    /// A group of bodies that the scene moves.
    struct Driven {
        std::vector<btPliantBody*> deformables;  ///< or
        std::vector<btRigidBody*> rigids;
        std::vector<RigidTransform> start;
        scene::Placement placement;
        std::optional<scene::Path> path;
        scene::StartVelocity velocity;
    };

    btPliantBody* makeBody(const scene::BodyGroup& group, int model, const std::shared_ptr<const ReducedModel>& reduced,
                           const RigidTransform& place);
    void addGround(const scene::Ground& ground);
    void addBodies(const scene::BodyGroup& group, const Models& models, std::vector<int>& counts);
    void addRigids(const scene::RigidGroup& group, int number);
    void addJoints(const scene::JointGroup& group);
    void drive();
    void chooseDetail();

    const scene::SceneDescription& m_scene;
    std::unique_ptr<btCollisionConfiguration> m_configuration;
    std::unique_ptr<btCollisionDispatcher> m_dispatcher;
    std::unique_ptr<btBroadphaseInterface> m_broadphase;
    std::unique_ptr<btPliantConstraintSolver> m_solver;
    std::unique_ptr<btDiscreteDynamicsWorld> m_world;
    std::unique_ptr<btPliantSystem> m_system;
    std::unique_ptr<btCollisionShape> m_groundShape;
    std::unique_ptr<btRigidBody> m_ground;
    std::vector<RigidShapeHolder> m_shapes;
    std::vector<Rigid> m_rigids;
    std::vector<Deformable> m_deformables;
    std::vector<Driven> m_driven;
    NamedBodies m_named;
    std::vector<std::unique_ptr<btTypedConstraint>> m_joints;
    std::unique_ptr<Grab> m_hand;
    double m_movingMass = 0.0;
    double m_time = 0.0;
    int m_steps = 0;
};

}  // namespace pliant::program
