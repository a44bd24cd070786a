// SPDX-License-Identifier: Zlib
// A whole world to a blob and back: clock, objects, reduced bodies, broadphase, contacts, joints, contact sensors.
#include "btPliant/snapshot/WorldState.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <cmath>

#include "btPliant/data/Convert.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/snapshot/SavedLevels.h"
#include "btPliant/snapshot/StateNumbers.h"

using pliant::StateReader;
using pliant::StateStatus;
using pliant::StateWriter;

namespace btPliantInternal {

namespace {

/// Bullet's clock is protected; a derived class may name it.
struct StepClock : btDiscreteDynamicsWorld {
    static btScalar& local(btDiscreteDynamicsWorld& world) { return world.*(&StepClock::m_localTime); }
    static btScalar& fixedStep(btDiscreteDynamicsWorld& world) { return world.*(&StepClock::m_fixedTimeStep); }
};

template <typename State, typename Visit>
void visitObject(State& s, const Visit& visit) {
    visit(s.rigid);
    visit(s.ours);
    visit(s.shapeType);
    visit(s.transform);
    visit(s.interpolation);
    visit(s.interpolationLinear);
    visit(s.interpolationAngular);
    visit(s.activation);
    visit(s.deactivationTime);
    if (!s.rigid) return;
    visit(s.linear);
    visit(s.angular);
    visit(s.force);
    visit(s.torque);
}

ObjectState stateOf(const btCollisionObject& object) {
    ObjectState s;
    const btRigidBody* body = btRigidBody::upcast(&object);
    s.rigid = body != nullptr;
    s.ours = btPliantBody::upcast(&object) != nullptr;
    s.shapeType = object.getCollisionShape() ? object.getCollisionShape()->getShapeType() : -1;
    s.transform = object.getWorldTransform();
    s.interpolation = object.getInterpolationWorldTransform();
    s.interpolationLinear = object.getInterpolationLinearVelocity();
    s.interpolationAngular = object.getInterpolationAngularVelocity();
    s.activation = object.getActivationState();
    s.deactivationTime = object.getDeactivationTime();
    if (!body) return s;
    s.linear = body->getLinearVelocity();
    s.angular = body->getAngularVelocity();
    s.force = body->getTotalForce();
    s.torque = body->getTotalTorque();
    return s;
}

}  // namespace

void putObject(const btCollisionObject& object, StateWriter& out) {
    const ObjectState s = stateOf(object);
    visitObject(s, PutNumbers{out});
}

bool getObject(const btCollisionObject& object, StateReader& in, ObjectState& state) {
    const ObjectState present = stateOf(object);
    state.force.setZero();
    state.torque.setZero();
    visitObject(state, GetNumbers{in});
    if (!in.ok()) return false;
    if (state.rigid != present.rigid || state.ours != present.ours || state.shapeType != present.shapeType)
        in.fail(StateStatus::OtherWorld);
    else if (!isRotation(state.transform.getBasis()) || !isRotation(state.interpolation.getBasis()) ||
             state.activation < ACTIVE_TAG || state.activation > DISABLE_SIMULATION + 1)
        in.fail(StateStatus::BadNumber);
    return in.ok();
}

void applyObject(btCollisionObject& object, const ObjectState& s) {
    object.setWorldTransform(s.transform);
    if (btRigidBody* body = btRigidBody::upcast(&object)) {
        body->setLinearVelocity(s.linear);
        body->setAngularVelocity(s.angular);
        // The sums hold the factors already.
        const btVector3 linear = body->getLinearFactor(), angular = body->getAngularFactor();
        body->clearForces();
        body->setLinearFactor(btVector3(1, 1, 1));
        body->setAngularFactor(btVector3(1, 1, 1));
        body->applyCentralForce(s.force);
        body->applyTorque(s.torque);
        body->setLinearFactor(linear);
        body->setAngularFactor(angular);
        body->updateInertiaTensor();
    }
    object.setInterpolationWorldTransform(s.interpolation);
    object.setInterpolationLinearVelocity(s.interpolationLinear);
    object.setInterpolationAngularVelocity(s.interpolationAngular);
    object.forceActivationState(s.activation);
    object.setDeactivationTime(s.deactivationTime);
}

}  // namespace btPliantInternal

using btPliantInternal::StepClock;

void btPliantSystem::saveState(std::vector<std::byte>& blob) const {
    Data& system = *m_data;
    StateWriter out(pliant::StateKind::World, blob);
    const btPliantInternal::PutNumbers put{out};
    put(StepClock::local(*system.world));
    put(StepClock::fixedStep(*system.world));
    out.put(static_cast<std::uint64_t>(system.solver ? system.solver->getRandSeed() : 0));
    out.put(system.stepLength);
    out.put(system.lastSolvedStep);
    put(system.nextLimitedPair);
    const btCollisionObjectArray& objects = system.world->getCollisionObjectArray();
    out.put(static_cast<std::uint64_t>(objects.size()));
    for (int i = 0; i < objects.size(); ++i) btPliantInternal::putObject(*objects[i], out);
    out.put(static_cast<std::uint64_t>(system.bodies.size()));
    std::vector<std::byte> scratch;
    for (const btPliantBody* body : system.bodies) {
        put(system.isInWorld(*body) ? body->getWorldArrayIndex() : -1);
        if (!system.isInWorld(*body)) btPliantInternal::putObject(*body, out);
        btPliantInternal::putBody(*body, scratch, out);
    }
    btPliantInternal::putBroadphase(*system.world, out);
    btPliantInternal::putContacts(system, out);
    btPliantInternal::putJoints(*system.world, out);
    btPliantInternal::putSensors(system, out);
    out.seal();
}

namespace btPliantInternal {
namespace {

struct WholeState {
    btScalar local = 0, fixedStep = 0;
    std::uint64_t seed = 0;
    double stepLength = 0, lastSolvedStep = 0;
    int nextLimitedPair = 0;
    std::vector<ObjectState> objects, outside;  ///< of the world; of our bodies that are not in it
    std::vector<BodyState> bodies;
    BroadphaseState broadphase;
    ContactState contacts;
    std::vector<JointState> joints;
    std::vector<SensorNumbers> sensors;
};

bool getWorld(const SystemData& system, StateReader& in, WholeState& state) {
    const GetNumbers get{in};
    get(state.local);
    get(state.fixedStep);
    state.seed = in.get<std::uint64_t>();
    in.get(&state.stepLength, 1);
    in.get(&state.lastSolvedStep, 1);
    get(state.nextLimitedPair);
    if (state.nextLimitedPair < 0 || state.stepLength < 0 || state.lastSolvedStep < 0) in.fail(StateStatus::BadNumber);
    const btCollisionObjectArray& objects = system.world->getCollisionObjectArray();
    if (in.get<std::uint64_t>() != static_cast<std::uint64_t>(objects.size())) in.fail(StateStatus::OtherWorld);
    state.objects.resize(static_cast<std::size_t>(objects.size()));
    for (int i = 0; i < objects.size() && in.ok(); ++i)
        getObject(*objects[i], in, state.objects[static_cast<std::size_t>(i)]);
    if (in.get<std::uint64_t>() != system.bodies.size()) in.fail(StateStatus::OtherWorld);
    state.bodies.resize(system.bodies.size());
    state.outside.resize(system.bodies.size());
    SavedLevels levels(system);
    for (std::size_t i = 0; i < system.bodies.size() && in.ok(); ++i) {
        const btPliantBody& body = *system.bodies[i];
        const bool inside = system.isInWorld(body);
        if (in.get<std::int32_t>() != (inside ? body.getWorldArrayIndex() : -1)) in.fail(StateStatus::OtherWorld);
        if (in.ok() && !inside) getObject(body, in, state.outside[i]);
        if (in.ok()) getBody(body, in, levels, state.bodies[i]);
    }
    if (in.ok() && getBroadphase(*system.world, in, state.broadphase)) getContacts(system, in, state.contacts);
    if (in.ok()) getJoints(*system.world, in, state.joints);
    if (in.ok()) getSensors(in, state.sensors);
    if (in.ok() && !in.atEnd()) in.fail(StateStatus::Damaged);
    return in.ok();
}

void applyWorld(SystemData& system, WholeState& state) {
    StepClock::local(*system.world) = state.local;
    StepClock::fixedStep(*system.world) = state.fixedStep;
    if (system.solver) system.solver->setRandSeed(static_cast<unsigned long>(state.seed));
    system.stepLength = state.stepLength;
    system.lastSolvedStep = state.lastSolvedStep;
    system.nextLimitedPair = state.nextLimitedPair;
    btCollisionObjectArray& objects = system.world->getCollisionObjectArray();
    for (int i = 0; i < objects.size(); ++i) applyObject(*objects[i], state.objects[static_cast<std::size_t>(i)]);
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        if (!system.isInWorld(*system.bodies[i])) applyObject(*system.bodies[i], state.outside[i]);
        applyBody(*system.bodies[i], state.bodies[i]);
    }
    applyBroadphase(*system.world, state.broadphase);
    ++system.touchVersion;  // distributed contact is made anew, as it was saved
    applyContacts(system, state.contacts);
    for (std::size_t i = 0; i < state.joints.size(); ++i)
        state.joints[i].apply(*system.world->getConstraint(static_cast<int>(i)));
    applySensors(system, state.sensors);
    system.contactsAreFound = false;
    system.energiesAreMeasured = false;
}

}  // namespace
}  // namespace btPliantInternal

StateStatus btPliantSystem::restoreState(const std::byte* blob, std::size_t size) {
    StateReader in(pliant::StateKind::World, blob, size);
    btPliantInternal::WholeState state;
    if (btPliantInternal::getWorld(*m_data, in, state)) btPliantInternal::applyWorld(*m_data, state);
    return in.status();
}
