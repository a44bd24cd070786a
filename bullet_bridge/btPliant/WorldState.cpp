// SPDX-License-Identifier: Zlib
// A whole world to a blob and back: clock, objects, reduced bodies, broadphase, contacts.
#include "btPliant/WorldState.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <cmath>

#include "btPliant/Convert.h"
#include "btPliant/StateNumbers.h"
#include "btPliant/SystemData.h"

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
    out.seal();
}

StateStatus btPliantSystem::restoreState(const std::byte* blob, std::size_t size) {
    Data& system = *m_data;
    StateReader in(pliant::StateKind::World, blob, size);
    const btPliantInternal::GetNumbers get{in};
    btScalar local = 0, fixedStep = 0;
    get(local);
    get(fixedStep);
    const auto seed = in.get<std::uint64_t>();
    double stepLength = 0;
    in.get(&stepLength, 1);
    btCollisionObjectArray& objects = system.world->getCollisionObjectArray();
    if (in.get<std::uint64_t>() != static_cast<std::uint64_t>(objects.size())) in.fail(StateStatus::OtherWorld);
    std::vector<btPliantInternal::ObjectState> objectStates(static_cast<std::size_t>(objects.size()));
    for (int i = 0; i < objects.size() && in.ok(); ++i)
        btPliantInternal::getObject(*objects[i], in, objectStates[static_cast<std::size_t>(i)]);
    if (in.get<std::uint64_t>() != system.bodies.size()) in.fail(StateStatus::OtherWorld);
    std::vector<btPliantInternal::BodyState> bodyStates(system.bodies.size());
    std::vector<btPliantInternal::ObjectState> outside(system.bodies.size());
    for (std::size_t i = 0; i < system.bodies.size() && in.ok(); ++i) {
        const btPliantBody& body = *system.bodies[i];
        if (in.get<std::int32_t>() != (system.isInWorld(body) ? body.getWorldArrayIndex() : -1))
            in.fail(StateStatus::OtherWorld);
        if (in.ok() && !system.isInWorld(body)) btPliantInternal::getObject(body, in, outside[i]);
        if (in.ok()) btPliantInternal::getBody(body, in, bodyStates[i]);
    }
    btPliantInternal::BroadphaseState broadphase;
    btPliantInternal::ContactState contacts;
    if (in.ok() && btPliantInternal::getBroadphase(*system.world, in, broadphase))
        btPliantInternal::getContacts(system, in, contacts);
    if (in.ok() && !in.atEnd()) in.fail(StateStatus::Damaged);
    if (!in.ok()) return in.status();

    StepClock::local(*system.world) = local;
    StepClock::fixedStep(*system.world) = fixedStep;
    if (system.solver) system.solver->setRandSeed(static_cast<unsigned long>(seed));
    system.stepLength = stepLength;
    for (int i = 0; i < objects.size(); ++i)
        btPliantInternal::applyObject(*objects[i], objectStates[static_cast<std::size_t>(i)]);
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        if (!system.isInWorld(*system.bodies[i])) btPliantInternal::applyObject(*system.bodies[i], outside[i]);
        btPliantInternal::applyBody(*system.bodies[i], bodyStates[i]);
    }
    btPliantInternal::applyBroadphase(*system.world, broadphase);
    btPliantInternal::applyContacts(system, contacts);
    system.contactsAreFresh = false;
    system.energiesAreKnown = false;
    return StateStatus::Ok;
}
