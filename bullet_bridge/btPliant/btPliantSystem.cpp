// SPDX-License-Identifier: Zlib
#include "btPliant/btPliantSystem.h"

#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <algorithm>

#include "btPliant/body/Batches.h"
#include "btPliant/btPliantDebugShapes.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/Sound.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/sensors/ContactSensors.h"
#include "btPliant/step/PairAlgorithm.h"
#include "btPliant/step/Statistics.h"
#include "btPliant/step/Substep.h"
#include "pliant/math/Error.h"

using btPliantInternal::BatchGroup;

btPliantSystem::btPliantSystem(btDiscreteDynamicsWorld* world, const btPliantSystemInfo& info, int)
    : m_data(std::make_unique<Data>()) {
    if (!world) throw pliant::Error("btPliantSystem", "no world was given");
    m_data->world = world;
    m_data->info = info;
    m_data->workers = std::make_unique<pliant::Workers>(info.m_threads);
    auto* dispatcher = dynamic_cast<btCollisionDispatcher*>(world->getDispatcher());
    if (dispatcher)
        btPliantInternal::registerAlgorithms(*dispatcher);
    else
        m_data->status = "The world's dispatcher is no btCollisionDispatcher: reduced bodies do not collide. ";
    auto* solver = dynamic_cast<btPliantConstraintSolver*>(world->getConstraintSolver());
    if (auto* pool = dynamic_cast<btPliantConstraintSolverPool*>(world->getConstraintSolver()))
        solver = &pool->getSolver();
    if (!solver && dynamic_cast<btMultiBodyDynamicsWorld*>(world)) {
        m_data->status +=
            "A btMultiBodyDynamicsWorld (and a btDeformableMultiBodyDynamicsWorld) takes its own kind of solver only: "
            "reduced bodies move as rigid ones in it, without deformation and contact response of their own; use a "
            "btDiscreteDynamicsWorld, btDiscreteDynamicsWorldMt or btSoftRigidDynamicsWorld.";
    } else if (!solver) {
        m_data->status +=
            "The world's solver is no btPliantConstraintSolver: reduced bodies move as rigid ones, without deformation "
            "and contact response of their own; hand a btPliantConstraintSolver to the world's constructor (a "
            "btPliantConstraintSolverPool to that of a btDiscreteDynamicsWorldMt).";
    } else if (solver->m_system) {
        m_data->status += "The world's solver already serves another btPliantSystem; make one system per world.";
    } else {
        solver->m_system = this;
        m_data->solver = solver;
    }
    world->addAction(this);
}

btDiscreteDynamicsWorld* btPliantSystem::asDiscrete(btDynamicsWorld* world) {
    auto* discrete = dynamic_cast<btDiscreteDynamicsWorld*>(world);
    if (world && !discrete)
        throw pliant::Error("btPliantSystem",
                            "the world is no btDiscreteDynamicsWorld, and only such worlds have the "
                            "islands and actions that reduced bodies need",
                            "make a btDiscreteDynamicsWorld, btDiscreteDynamicsWorldMt or btSoftRigidDynamicsWorld");
    return discrete;
}

btPliantSystem::~btPliantSystem() {
    // A world that is destroyed with bodies in it takes their proxies away and leaves their numbers.
    for (const btPliantBody* body : m_data->bodies)
        m_data->worldIsGone |= !m_data->isInWorld(*body) && body->getWorldArrayIndex() >= 0;
    while (!m_data->bodies.empty()) destroyBody(m_data->bodies.back());
    if (!m_data->worldIsGone) m_data->world->removeAction(this);
    if (m_data->solver) m_data->solver->m_system = nullptr;
}

bool btPliantSystem::isConnected() const {
    return m_data->solver != nullptr;
}
const std::string& btPliantSystem::getStatus() const {
    return m_data->status;
}
int btPliantSystem::getNumBodies() const {
    return static_cast<int>(m_data->bodies.size());
}
btPliantBody* btPliantSystem::getBody(int index) const {
    return m_data->bodies[static_cast<std::size_t>(index)];
}
btDiscreteDynamicsWorld* btPliantSystem::getWorld() const {
    return m_data->world;
}
const btPliantSystemInfo& btPliantSystem::getInfo() const {
    return m_data->info;
}
const btPliantStats& btPliantSystem::getStats() const {
    btPliantInternal::collectEnergies(*m_data);
    return m_data->stats;
}
const btPliantStats& btPliantSystem::getAccumulatedStats() const {
    return m_data->accumulated;
}
int btPliantSystem::getWorkersObserved() const {
    return m_data->workers->observed();
}

double btPliantSystem::getOtherSeconds(double stepSeconds) const {
    const btPliantStats& ours = m_data->accumulated;
    return std::max(0.0,
                    stepSeconds - ours.m_deformationSeconds - ours.m_collisionSeconds - ours.m_contactSolveSeconds);
}

void btPliantSystem::resetAccumulatedSeconds() {
    m_data->accumulated = btPliantStats();
}

void btPliantSystem::updateAction(btCollisionWorld*, btScalar timeStep) {
    btPliantInternal::endSubstep(*m_data, timeStep);
}

// On other drawers Bullet's own drawing shows the deformed triangles.
void btPliantSystem::debugDraw(btIDebugDraw* debugDrawer) {
    if (auto* shapes = dynamic_cast<btPliantDebugShapes*>(debugDrawer)) shapes->addSystem(*this);
}

namespace {
/// Of the distance between the points of a solid's surface: what its contacts are found within (contactScale).
constexpr double kScaleOfSpacing = 0.25;

void checkStart(const btTransform& place, const btPliantBodyInfo& info) {
    using namespace btPliantInternal;
    if (isPlace(place) && isWithin(info.m_linearVelocity, kFastest) && isWithin(info.m_angularVelocity, kFastest))
        return;
    throw pliant::Error("btPliantSystem::createBody", "the place or a velocity of the body has a number that cannot be",
                        "places lie within 1e15 m, velocities within 3e8 m/s and rad/s");
}
}  // namespace

btPliantBody* btPliantSystem::createBody(std::shared_ptr<const pliant::ReducedModel> model,
                                         const btPliantBodyInfo& info) {
    if (!model) throw pliant::Error("btPliantSystem::createBody", "no model was given");
    checkStart(info.m_meshTransform, info);
    pliant::BatchSettings settings = m_data->info.m_settings;
    settings.integrator = info.m_integrator;
    settings.newmark = info.m_newmark;
    settings.damping = info.m_damping;
    settings.coupling = info.m_coupling;
    BatchGroup& group = btPliantInternal::groupFor(*m_data, model, settings);

    auto data = std::make_unique<btPliantBody::Data>();
    data->system = this;
    data->group = &group;
    data->fullModel = data->originalModel = model;
    data->detail = model->dimension();
    data->slot = group.batch->add();
    ++group.bodies;
    data->number = m_data->nextBodyNumber++;
    data->frameIsFree = !model->anchored && !info.m_kinematic;
    data->meshFromBody = btPliantInternal::toBullet(model->meshFromBody);
    data->bodyFromMesh = data->meshFromBody.inverse();
    data->largestRadius =
        model->skeleton.radii.size() > 0 ? static_cast<double>(model->skeleton.radii.maxCoeff()) : 0.0;
    data->contactScale = data->largestRadius;
    if (group.surface) {
        data->largestRadius = std::max(data->largestRadius, model->contactSurface.thickness);
        data->contactScale = std::min(data->largestRadius, kScaleOfSpacing * group.surface->pointSpacing());
        data->field.emplace(group.surface);
    }
    data->deformed.emplace(group.collision);
    data->previousQ = pliant::VectorX::Zero(model->dimension());
    data->modalContactForce = data->contactProjection = pliant::VectorX::Zero(model->dimension());
    data->motionState = std::make_unique<btPliantInternal::MeshMotionState>(*data, info.m_motionState);

    const auto mass = static_cast<btScalar>(data->frameIsFree ? model->totalMass() : 0.0);
    const btVector3 inertia =
        data->frameIsFree ? btPliantInternal::toBullet(model->inertia.principalInertia) : btVector3(0, 0, 0);
    btRigidBody::btRigidBodyConstructionInfo construction(mass, nullptr, nullptr, inertia);
    btTransform worldFromMesh = info.m_meshTransform;
    if (info.m_motionState) info.m_motionState->getWorldTransform(worldFromMesh);
    construction.m_startWorldTransform = worldFromMesh * data->meshFromBody;
    checkStart(construction.m_startWorldTransform, info);  // which a motion state may have said
    construction.m_friction = info.m_friction;
    construction.m_restitution = info.m_restitution;
    construction.m_rollingFriction = info.m_rollingFriction;
    construction.m_spinningFriction = info.m_spinningFriction;
    construction.m_linearDamping = info.m_linearDamping;
    construction.m_angularDamping = info.m_angularDamping;

    auto* body = new btPliantBody(construction, std::move(data));
    body->setLinearVelocity(info.m_linearVelocity);
    body->setAngularVelocity(info.m_angularVelocity);
    m_data->bodies.push_back(body);
    body->setSelfContact(info.m_selfContact);
    return body;
}

void btPliantSystem::destroyBody(btPliantBody* body) {
    const auto found = std::find(m_data->bodies.begin(), m_data->bodies.end(), body);
    if (found != m_data->bodies.end()) delete body;
}

void btPliantSystem::Data::forget(btPliantBody& gone) {
    btPliantBody* body = &gone;
    const auto found = std::find(bodies.begin(), bodies.end(), body);
    if (found == bodies.end()) return;
    bodies.erase(found);
    if (!worldIsGone) takeOut(gone);
    touchRequests.erase(std::remove_if(touchRequests.begin(), touchRequests.end(),
                                       [body](const auto& r) { return r.body == body || r.other == body; }),
                        touchRequests.end());
    gone.setSelfContact(false);
}

void btPliantSystem::Data::takeOut(btPliantBody& body) {
    for (int i = world->getNumConstraints() - 1; i >= 0; --i) {
        btTypedConstraint* constraint = world->getConstraint(i);
        if (&constraint->getRigidBodyA() == &body || &constraint->getRigidBodyB() == &body)
            world->removeConstraint(constraint);
    }
    if (isInWorld(body)) world->removeRigidBody(&body);
}

btPliantContactSensor* btPliantSystem::createContactSensor(const btPliantContactSensorInfo& info) {
    std::unique_ptr<btPliantContactSensor> sensor(new btPliantContactSensor(btPliantInternal::makeSensorData(info)));
    m_data->sensors.push_back(std::move(sensor));
    btPliantInternal::indexSensors(*m_data);
    return m_data->sensors.back().get();
}

void btPliantSystem::destroyContactSensor(btPliantContactSensor* sensor) {
    const auto found = std::find_if(m_data->sensors.begin(), m_data->sensors.end(),
                                    [sensor](const auto& each) { return each.get() == sensor; });
    if (found == m_data->sensors.end()) return;
    m_data->sensors.erase(found);
    btPliantInternal::indexSensors(*m_data);
}

int btPliantSystem::getNumContactSensors() const {
    return static_cast<int>(m_data->sensors.size());
}
btPliantContactSensor* btPliantSystem::getContactSensor(int index) const {
    return m_data->sensors[static_cast<std::size_t>(index)].get();
}
