// SPDX-License-Identifier: Zlib
#include "world/SceneWorld.h"

#include <btBulletDynamicsCommon.h>
#include <btPliant/btPliantDetail.h>

#include <Eigen/Geometry>

#include "pliant/math/Error.h"
#include "pliant/runtime/DefaultDamping.h"
#include "pliant/scene/Placing.h"
#include "world/BulletConversions.h"

namespace pliant::program {
namespace {

btPliantSystemInfo systemInfo(const scene::SceneDescription& scene, int threads) {
    btPliantSystemInfo info;
    info.m_threads = threads;
    info.m_settings.doublePrecision = scene.solver.doublePrecision;
    info.m_settings.tangentTolerance = scene.solver.tangentTolerance;
    info.m_margin = static_cast<btScalar>(scene.solver.margin);
    return info;
}

/// Of Bullet's construction info or of ours: they name the four alike.
template <class Info>
void setSurface(const scene::SurfaceProperties& surface, Info& info) {
    info.m_friction = static_cast<btScalar>(surface.friction);
    info.m_restitution = static_cast<btScalar>(surface.restitution);
    info.m_rollingFriction = static_cast<btScalar>(surface.rollingFriction);
    info.m_spinningFriction = static_cast<btScalar>(surface.spinningFriction);
}

btPliantBodyInfo bodyInfo(const scene::BodyGroup& group, const scene::ModelEntry& model, const ReducedModel& reduced,
                          const RigidTransform& place) {
    btPliantBodyInfo info;
    info.m_meshTransform = toBullet(place);
    info.m_linearVelocity = toBullet(group.velocity.linear);
    info.m_angularVelocity = toBullet(group.velocity.angular);
    setSurface(group.surface, info);
    info.m_damping = model.damping ? *model.damping : defaultDamping(reduced);
    info.m_newmark = model.newmark;
    info.m_integrator = model.integrator;
    info.m_coupling = model.coupling;
    info.m_selfContact = model.selfContact;
    info.m_kinematic = group.motion != scene::Motion::Free;
    return info;
}

}  // namespace

SceneWorld::SceneWorld(const scene::SceneDescription& scene, const Models& models, int threads)
    : m_scene(scene),
      m_configuration(std::make_unique<btDefaultCollisionConfiguration>()),
      m_dispatcher(std::make_unique<btCollisionDispatcher>(m_configuration.get())),
      m_broadphase(std::make_unique<btDbvtBroadphase>()),
      m_solver(std::make_unique<btPliantConstraintSolver>()),
      m_world(std::make_unique<btDiscreteDynamicsWorld>(m_dispatcher.get(), m_broadphase.get(), m_solver.get(),
                                                        m_configuration.get())) {
    m_world->setGravity(toBullet(scene.gravity));
    m_world->getSolverInfo().m_numIterations = scene.solver.iterations;
    m_world->getDispatchInfo().m_deterministicOverlappingPairs = true;
    m_system = std::make_unique<btPliantSystem>(m_world.get(), systemInfo(scene, threads));
    if (!m_system->isConnected()) throw Error(scene.file, m_system->getStatus());
    if (scene.ground) addGround(*scene.ground);
    std::vector<int> counts(models.size(), 0);
    for (const scene::BodyGroup& group : scene.bodies) addBodies(group, models, counts);
    for (std::size_t i = 0; i < scene.rigid.size(); ++i) addRigids(scene.rigid[i], static_cast<int>(i));
    for (const scene::JointGroup& group : scene.joints) addJoints(group);
    m_hand = std::make_unique<Grab>(*m_world);
}

SceneWorld::~SceneWorld() {
    m_hand.reset();
    for (const auto& joint : m_joints) m_world->removeConstraint(joint.get());
    for (const Deformable& deformable : m_deformables) m_system->destroyBody(deformable.body);
    for (const Rigid& rigid : m_rigids) m_world->removeRigidBody(rigid.body.get());
    if (m_ground) m_world->removeRigidBody(m_ground.get());
    m_system.reset();
}

void SceneWorld::addGround(const scene::Ground& ground) {
    m_groundShape = std::make_unique<btStaticPlaneShape>(toBullet(m_scene.up()), static_cast<btScalar>(ground.height));
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, m_groundShape.get());
    setSurface(ground.surface, info);
    m_ground = std::make_unique<btRigidBody>(info);
    m_world->addRigidBody(m_ground.get());
}

btPliantBody* SceneWorld::makeBody(const scene::BodyGroup& group, int model,
                                   const std::shared_ptr<const ReducedModel>& reduced, const RigidTransform& place) {
    const scene::ModelEntry& entry = m_scene.models[static_cast<std::size_t>(model)];
    btPliantBody* body = m_system->createBody(reduced, bodyInfo(group, entry, *reduced, place));
    m_world->addRigidBody(body);
    if (!group.mayFallAsleep) body->forceActivationState(DISABLE_DEACTIVATION);
    return body;
}

void SceneWorld::addBodies(const scene::BodyGroup& group, const Models& models, std::vector<int>& counts) {
    std::size_t index = 0;
    while (m_scene.models[index].name != group.model) ++index;
    const int model = static_cast<int>(index), number = static_cast<int>(&group - m_scene.bodies.data());
    Driven driven{{}, {}, scene::place(group.placement, m_scene.up()), group.placement, group.path, group.velocity};
    for (const RigidTransform& place : driven.start) {
        btPliantBody* body = makeBody(group, model, models[index], place);
        m_named[group.name].push_back(body);
        m_deformables.push_back({body, model, counts[index]++, number, group.motion});
        driven.deformables.push_back(body);
        if (group.motion == scene::Motion::Free && !body->isAnchored()) m_movingMass += models[index]->totalMass();
    }
    if (group.motion == scene::Motion::Kinematic) m_driven.push_back(std::move(driven));
}

void SceneWorld::addRigids(const scene::RigidGroup& group, int number) {
    m_shapes.push_back(makeRigidShape(group));
    btCollisionShape* shape = m_shapes.back().shape.get();
    btVector3 inertia(0, 0, 0);
    if (group.mass > 0.0) shape->calculateLocalInertia(static_cast<btScalar>(group.mass), inertia);
    Driven driven{{}, {}, scene::place(group.placement, m_scene.up()), group.placement, group.path, group.velocity};
    for (const RigidTransform& place : driven.start) {
        btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(group.mass), nullptr, shape, inertia);
        info.m_startWorldTransform = toBullet(place);
        setSurface(group.surface, info);
        auto body = std::make_unique<btRigidBody>(info);
        if (group.mass > 0.0) {
            body->setLinearVelocity(toBullet(group.velocity.linear));
            body->setAngularVelocity(toBullet(group.velocity.angular));
            m_movingMass += group.mass;
        }
        if (group.isKinematic) {
            body->setCollisionFlags((body->getCollisionFlags() & ~btCollisionObject::CF_STATIC_OBJECT) |
                                    btCollisionObject::CF_KINEMATIC_OBJECT);
            body->setActivationState(DISABLE_DEACTIVATION);
            driven.rigids.push_back(body.get());
        }
        m_world->addRigidBody(body.get());
        m_named[group.name].push_back(body.get());
        m_rigids.push_back({std::move(body), number});
    }
    if (group.isKinematic) m_driven.push_back(std::move(driven));
}

void SceneWorld::addJoints(const scene::JointGroup& group) {
    for (auto& joint : makeJoints(group, m_named, m_scene.time.step())) {
        m_world->addConstraint(joint.get(), !group.collide);
        m_joints.push_back(std::move(joint));
    }
}

namespace {

/// Where a body that moves for ever is after t seconds.
RigidTransform moved(const RigidTransform& place, const scene::StartVelocity& velocity, double t) {
    RigidTransform result = place;
    result.translation += t * velocity.linear;
    const double rate = velocity.angular.norm();
    if (rate > 0.0)
        result.rotation = Eigen::AngleAxisd(rate * t, velocity.angular / rate).toRotationMatrix() * place.rotation;
    return result;
}

}  // namespace

/// Puts what the scene moves where it is at the end of the coming step.
void SceneWorld::drive() {
    const double t = m_time + m_scene.time.step();
    for (const Driven& driven : m_driven) {
        const std::vector<RigidTransform> places =
            driven.path ? scene::place(driven.path->at(t, driven.placement), m_scene.up()) : driven.start;
        for (std::size_t i = 0; i < places.size(); ++i) {
            const btTransform place = toBullet(moved(places[i], driven.velocity, t));
            if (i < driven.deformables.size()) driven.deformables[i]->setMeshTransform(place);
            if (i < driven.rigids.size()) driven.rigids[i]->setWorldTransform(place);
        }
    }
}

/// Once a frame.
void SceneWorld::chooseDetail() {
    if (!m_scene.detail || m_steps++ % m_scene.time.substeps != 0) return;
    btPliantViewer viewer;
    viewer.m_eye = toBullet(m_scene.camera->from);
    viewer.m_fieldOfView = static_cast<btScalar>(m_scene.camera->fieldOfView) * SIMD_RADS_PER_DEG;
    viewer.m_imageHeight = m_scene.output.height;
    btPliantDetailPolicy policy;
    policy.m_fullPixels = static_cast<btScalar>(m_scene.detail->pixels);
    policy.m_least = m_scene.detail->least;
    policy.m_quietEnergy = m_scene.detail->quietEnergy;
    btPliantSetLevelOfDetail(*m_system, viewer, policy);
}

void SceneWorld::step() {
    chooseDetail();
    drive();
    // one step of exactly this length: Bullet's own substepping would round its clock in single precision
    m_world->stepSimulation(static_cast<btScalar>(m_scene.time.step()), 0);
    m_time += m_scene.time.step();
}

}  // namespace pliant::program
