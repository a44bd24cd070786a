// SPDX-License-Identifier: Zlib
#include "btPliant/btPliantSystem.h"

#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <algorithm>
#include <cmath>

#include "btPliant/body/Batches.h"
#include "btPliant/body/CharacterPoses.h"
#include "btPliant/body/MeshMotionState.h"
#include "btPliant/btPliantDebugShapes.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/Sound.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/sensors/ContactSensors.h"
#include "btPliant/sensors/SensorRegions.h"
#include "btPliant/step/PairAlgorithm.h"
#include "btPliant/step/Statistics.h"
#include "btPliant/step/Substep.h"
#include "pliant/math/Error.h"

using btPliantInternal::Access;
using btPliantInternal::BatchGroup;
using btPliantInternal::BodyData;
using btPliantInternal::dataOf;
using btPliantInternal::SystemData;

namespace {

/// What of the settings cannot be; empty: nothing.
std::string problemOf(const btPliantSystemInfo& info) {
    constexpr int mostThreads = 1024;
    const auto isAtLeastZero = [](double x) { return std::isfinite(x) && x >= 0.0; };
    if (info.m_threads < 0 || info.m_threads > mostThreads)
        return "m_threads is " + std::to_string(info.m_threads) + "; it must be 0, for all cores, to 1024";
    if (!isAtLeastZero(static_cast<double>(info.m_margin))) return "m_margin must be a length, m, that is not negative";
    if (!isAtLeastZero(static_cast<double>(info.m_speculativeRadii)) ||
        !isAtLeastZero(static_cast<double>(info.m_penetrationSlop)))
        return "m_speculativeRadii and m_penetrationSlop must be finite and not negative";
    const double recovery = static_cast<double>(info.m_penetrationRecovery);
    if (!(recovery >= 0.0 && recovery <= 1.0)) return "m_penetrationRecovery must be a share from 0 to 1";
    if (info.m_maxContactsPerPair < 1 || info.m_maxContacts < 1)
        return "m_maxContactsPerPair and m_maxContacts must be at least 1";
    if (!isAtLeastZero(info.m_sleepingEnergy)) return "m_sleepingEnergy must be finite and not negative, J/kg";
    return {};
}

/// The world's solver where it is one of ours, or a pool's; null: none.
btPliantConstraintSolver* solverOf(btDiscreteDynamicsWorld& world) {
    btConstraintSolver* solver = world.getConstraintSolver();
    if (auto* pool = dynamic_cast<btPliantConstraintSolverPool*>(solver)) return &pool->getSolver();
    return dynamic_cast<btPliantConstraintSolver*>(solver);
}

}  // namespace

btPliantSystem::btPliantSystem(btDiscreteDynamicsWorld* world, const btPliantSystemInfo& info, int)
    : m_data(std::make_unique<Data>()) {
    if (!world) throw pliant::Error("btPliantSystem", "no world was given");
    if (const std::string problem = problemOf(info); !problem.empty()) throw pliant::Error("btPliantSystem", problem);
    m_data->world = world;
    m_data->info = info;
    m_data->workers = std::make_unique<pliant::Workers>(info.m_threads);
    auto* dispatcher = dynamic_cast<btCollisionDispatcher*>(world->getDispatcher());
    if (dispatcher)
        btPliantInternal::registerAlgorithms(*dispatcher);
    else
        m_data->status = "The world's dispatcher is no btCollisionDispatcher: reduced bodies do not collide. ";
    btPliantConstraintSolver* solver = solverOf(*world);
    if (!solver && dynamic_cast<btMultiBodyDynamicsWorld*>(world)) {
        m_data->status +=
            "A btMultiBodyDynamicsWorld (and a btDeformableMultiBodyDynamicsWorld) takes its own kind of solver only: "
            "reduced bodies are coupled one way in it (contacts are solved between rigid bodies, and their impulses "
            "bend them); for full coupling use a btDiscreteDynamicsWorld, btDiscreteDynamicsWorldMt or "
            "btSoftRigidDynamicsWorld.";
    } else if (!solver) {
        m_data->status +=
            "The world's solver is no btPliantConstraintSolver: reduced bodies are coupled one way (contacts are "
            "solved "
            "between rigid bodies, and their impulses bend them); for full coupling hand a btPliantConstraintSolver to "
            "the world's constructor (a btPliantConstraintSolverPool to that of a btDiscreteDynamicsWorldMt).";
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
    const bool isThere = index >= 0 && index < getNumBodies();
    return isThere ? m_data->bodies[static_cast<std::size_t>(index)] : nullptr;
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

// The world may have been given another solver, and a solver that served another system may be free by now.
void btPliantSystem::followSolver() {
    btPliantConstraintSolver* solver = solverOf(*m_data->world);
    if (solver == m_data->solver) return;
    if (m_data->solver) {
        m_data->solver->m_system = nullptr;
        m_data->solver = nullptr;
        m_data->status +=
            "The world was given another solver: reduced bodies are coupled one way (contacts are solved between rigid "
            "bodies, and their impulses bend them), unless it is a btPliantConstraintSolver. ";
    }
    if (!solver || solver->m_system) return;
    solver->m_system = this;
    m_data->solver = solver;
}

void btPliantSystem::updateAction(btCollisionWorld*, btScalar timeStep) {
    followSolver();
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
    if (isRigidPlace(place) && isWithin(info.m_linearVelocity, kFastest) && isWithin(info.m_angularVelocity, kFastest))
        return;
    throw pliant::Error("btPliantSystem::createBody", "the place or a velocity of the body has a number that cannot be",
                        "places lie within 1e15 m and are turned, not scaled; velocities within 3e8 m/s and rad/s");
}

void checkSurface(const btPliantBodyInfo& info) {
    for (const btScalar number : {info.m_friction, info.m_restitution, info.m_rollingFriction, info.m_spinningFriction,
                                  info.m_linearDamping, info.m_angularDamping})
        if (!(std::isfinite(number) && number >= btScalar(0)))
            throw pliant::Error("btPliantSystem::createBody",
                                "a friction, the restitution or a damping of the body is negative or no finite number");
}
/// The system's settings with those that a body has of its own. @throws Error where they cannot be
pliant::BatchSettings settingsOf(const btPliantSystemInfo& info, const btPliantBodyInfo& start) {
    pliant::BatchSettings settings = info.m_settings;
    settings.integrator = start.m_integrator;
    settings.newmark = start.m_newmark;
    settings.damping = start.m_damping;
    settings.coupling = start.m_coupling;
    if (const std::string problem = pliant::problemOf(settings); !problem.empty())
        throw pliant::Error("btPliantSystem::createBody", problem);
    return settings;
}

/// What of a body follows from its model, at rest; with a place in its batch.
std::unique_ptr<BodyData> bodyData(BatchGroup& group, const std::shared_ptr<const pliant::ReducedModel>& model,
                                   const btPliantBodyInfo& start,
                                   std::unique_ptr<btPliantInternal::CharacterData> character) {
    auto data = std::make_unique<BodyData>();
    data->group = &group;
    data->character = std::move(character);
    data->fullModel = data->originalModel = model;
    data->detail = model->dimension();
    data->slot = group.batch->add();
    ++group.bodies;
    data->frameIsFree = !model->anchored && !start.m_kinematic && !data->character;
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
    data->deformed.emplace(group.collision, data->character ? data->character->crowd->skin : nullptr);
    data->previousQ = pliant::VectorX::Zero(model->dimension());
    data->modalContactForce = data->contactProjection = data->loadedVelocity =
        pliant::VectorX::Zero(model->dimension());
    data->motionState = std::make_unique<btPliantInternal::MeshMotionState>(*data, start.m_motionState);
    return data;
}

/// What Bullet's rigid body is made of: mass, place and surface. Characters stand upright, and are told their place.
btRigidBody::btRigidBodyConstructionInfo constructionOf(BodyData& data, const btPliantBodyInfo& start) {
    const pliant::ReducedModel& model = *data.fullModel;
    const auto mass = static_cast<btScalar>(data.frameIsFree ? model.totalMass() : 0.0);
    const btVector3 inertia =
        data.frameIsFree ? btPliantInternal::toBullet(model.inertia.principalInertia) : btVector3(0, 0, 0);
    btRigidBody::btRigidBodyConstructionInfo construction(mass, nullptr, nullptr, inertia);
    btTransform worldFromMesh = start.m_meshTransform;
    if (start.m_motionState) start.m_motionState->getWorldTransform(worldFromMesh);
    construction.m_startWorldTransform = worldFromMesh * data.meshFromBody;
    checkStart(construction.m_startWorldTransform, start);  // which a motion state may have said
    if (data.character) {
        data.character->placement.next = btPliantInternal::toEigen(worldFromMesh);
        construction.m_startWorldTransform.getBasis().setIdentity();
    }
    construction.m_friction = start.m_friction;
    construction.m_restitution = start.m_restitution;
    construction.m_rollingFriction = start.m_rollingFriction;
    construction.m_spinningFriction = start.m_spinningFriction;
    construction.m_linearDamping = start.m_linearDamping;
    construction.m_angularDamping = start.m_angularDamping;
    return construction;
}

/// Makes a body, with `character` where it is one.
btPliantBody* makeBody(btPliantSystem& owner, const std::shared_ptr<const pliant::ReducedModel>& model,
                       const btPliantBodyInfo& start, std::unique_ptr<btPliantInternal::CharacterData> character) {
    SystemData& system = dataOf(owner);
    checkStart(start.m_meshTransform, start);
    checkSurface(start);
    BatchGroup& group = btPliantInternal::groupFor(system, model, settingsOf(system.info, start));
    std::unique_ptr<BodyData> data = bodyData(group, model, start, std::move(character));
    data->system = &owner;
    data->number = system.nextBodyNumber++;
    const btRigidBody::btRigidBodyConstructionInfo construction = constructionOf(*data, start);

    const bool isCharacter = data->character != nullptr;
    btPliantBody* body = isCharacter ? Access::make<btPliantCharacter>(construction, std::move(data))
                                     : Access::make<btPliantBody>(construction, std::move(data));
    system.bodies.push_back(body);
    if (isCharacter) {
        system.characters.push_back(body);
        return body;
    }
    body->setLinearVelocity(start.m_linearVelocity);
    body->setAngularVelocity(start.m_angularVelocity);
    body->setSelfContact(start.m_selfContact);
    return body;
}

}  // namespace

btPliantBody* btPliantSystem::createBody(std::shared_ptr<const pliant::ReducedModel> model,
                                         const btPliantBodyInfo& info) {
    if (!model) throw pliant::Error("btPliantSystem::createBody", "no model was given");
    return makeBody(*this, model, info, nullptr);
}

namespace {

const char* const creating = "btPliantSystem::createCharacter";

/// Number of a clip; -1: none. @throws Error
int clipOf(const pliant::CharacterModel& model, const btPliantCharacterInfo& info) {
    if (info.m_drive == btPliantDrive::Pose) return -1;
    if (!(std::abs(info.m_speed) <= btPliantInternal::kFastest) || !std::isfinite(info.m_phase))
        throw pliant::Error(creating, "the speed or the phase of the clip is a number that cannot be");
    if (info.m_clip.empty()) return model.clips.empty() ? -1 : 0;
    std::string names;
    for (std::size_t i = 0; i < model.clips.size(); ++i) {
        if (model.clips[i].name == info.m_clip) return static_cast<int>(i);
        names += (i == 0 ? "" : ", ") + model.clips[i].name;
    }
    throw pliant::Error(creating, "\"" + model.flesh->name + "\" has no clip \"" + info.m_clip + "\"",
                        model.clips.empty() ? std::string("it has no clips") : "its clips are " + names);
}

std::unique_ptr<btPliantInternal::CharacterData> characterData(
    SystemData& system, const std::shared_ptr<const pliant::CharacterModel>& model, const btPliantCharacterInfo& info) {
    auto c = std::make_unique<btPliantInternal::CharacterData>();
    c->model = model;
    c->pose = info.m_pose.empty() ? stance(model->skeleton) : info.m_pose;
    if (!btPliantInternal::isPose(*model, c->pose))
        throw pliant::Error(creating, "the pose has not one frame for each bone, or a number in it that cannot be");
    c->clip = clipOf(*model, info);
    if (c->clip >= 0) {
        const pliant::Clip& clip = model->clips[static_cast<std::size_t>(c->clip)];
        c->speed = info.m_speed;
        c->time = (info.m_phase - std::floor(info.m_phase)) * (clip.end - clip.start);
    }
    const auto bones = static_cast<std::size_t>(model->skeleton.boneCount());
    c->impulses.assign(bones, pliant::Vector3::Zero());
    c->angularImpulses = c->impulses;
    c->crowd = &btPliantInternal::crowdFor(system, model, info.m_base.value_or(model->base));
    return c;
}

}  // namespace

btPliantCharacter* btPliantSystem::createCharacter(std::shared_ptr<const pliant::CharacterModel> model,
                                                   const btPliantCharacterInfo& info) {
    if (!model) throw pliant::Error(creating, "no model was given");
    checkStart(info.m_meshTransform, info);
    btPliantBody* body = makeBody(*this, model->flesh, info, characterData(*m_data, model, info));
    ++body->data().character->crowd->characters;
    btPliantInternal::standStill(*m_data, body->data());
    btPliantInternal::setPlaceVelocity(*body->data().character, btPliantInternal::toEigen(info.m_linearVelocity));
    body->data().deformedTransform = body->getWorldTransform();
    return static_cast<btPliantCharacter*>(body);
}

void btPliantSystem::destroyBody(btPliantBody* body) {
    const auto found = std::find(m_data->bodies.begin(), m_data->bodies.end(), body);
    if (found != m_data->bodies.end()) delete body;
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
