// SPDX-License-Identifier: Zlib
// What the events of a scene do to its world.
#include <btBulletDynamicsCommon.h>

#include <algorithm>

#include "btPliantScene/SceneClock.h"
#include "btPliantScene/ScenePool.h"
#include "btPliantScene/SpawnCheck.h"
#include "btPliantScene/btPliantConversions.h"
#include "pliant/scene/Placing.h"

namespace btPliantInternal {
namespace {

using pliant::toBullet;
using pliant::Vector3;
using pliant::scene::Action;
using pliant::scene::ActionKind;
using pliant::scene::DueAction;
using pliant::scene::LivePath;

void setGravity(SceneData& data, int axis, double value) {
    btVector3 gravity = data.world.getGravity();
    gravity[axis] = static_cast<btScalar>(value);
    for (btRigidBody* body : allBodies(data))
        if (isPresent(*body)) body->activate(true);  // Bullet tells only what is awake
    data.world.setGravity(gravity);
}

void setMotor(btTypedConstraint& joint, const LivePath& path, double value, double step) {
    const bool velocity = path.kind == LivePath::Kind::MotorVelocity;
    const auto number = static_cast<btScalar>(value);
    if (joint.getConstraintType() == HINGE_CONSTRAINT_TYPE) {
        auto& hinge = static_cast<btHingeConstraint&>(joint);
        if (velocity)
            hinge.enableAngularMotor(true, number, hinge.getMaxMotorImpulse());
        else
            hinge.setMaxMotorImpulse(static_cast<btScalar>(value * step));
    } else {
        auto& slider = static_cast<btSliderConstraint&>(joint);
        velocity ? slider.setTargetLinMotorVelocity(static_cast<btScalar>(value * path.metres))
                 : slider.setMaxLinMotorForce(number);
    }
    joint.getRigidBodyA().activate(true);
    joint.getRigidBodyB().activate(true);
}

/// The group that a body of this name is moved with.
DrivenGroup* drivenGroup(SceneData& data, const pliant::scene::Reference& reference) {
    const btRigidBody* body = bodiesOf(data, reference)[0];
    for (DrivenGroup& group : data.driven)
        if (std::count(group.rigids.begin(), group.rigids.end(), body) +
                std::count(group.deformables.begin(), group.deformables.end(), body) >
            0)
            return &group;
    return nullptr;
}

/// From where the number is now to a value.
void leadTo(SceneData& data, const LivePath& path, double value, double duration) {
    DrivenGroup* group = drivenGroup(data, path.of);
    const int component = path.axis + (path.kind == LivePath::Kind::Rotation ? 3 : 0);
    std::vector<Leading>& all = data.clock->leading;
    const auto sameNumber = [&](const Leading& other) { return other.group == group && other.component == component; };
    all.erase(std::remove_if(all.begin(), all.end(), sameNumber), all.end());
    if (group->path) group->placement = group->path->at(data.time, group->placement);
    group->path.reset();  // what an event leads follows its expressions no longer
    group->isLed = true;
    const Vector3& now = component < 3 ? group->placement.position : group->placement.rotation;
    all.push_back({group, component, now[path.axis], value, data.time, duration});
}

}  // namespace

void setLive(SceneData& data, const LivePath& path, double value) {
    switch (path.kind) {
        case LivePath::Kind::Gravity:
            return setGravity(data, path.axis, value);
        case LivePath::Kind::MotorVelocity:
        case LivePath::Kind::MotorStrength:
            for (btTypedConstraint* joint : data.namedJoints.at(path.of.name))
                setMotor(*joint, path, value, data.scene.time.step());
            return;
        case LivePath::Kind::Friction:
            for (btRigidBody* body : bodiesOf(data, path.of)) body->setFriction(static_cast<btScalar>(value));
            return;
        case LivePath::Kind::Restitution:
            for (btRigidBody* body : bodiesOf(data, path.of)) body->setRestitution(static_cast<btScalar>(value));
            return;
        case LivePath::Kind::Position:
        case LivePath::Kind::Rotation:
            return leadTo(data, path, value, 0.0);
        case LivePath::Kind::Stiffness:
        case LivePath::Kind::MassDamping:
        case LivePath::Kind::StiffnessDamping:
            return setMaterial(data, path, value);
        case LivePath::Kind::SunBrightness:
        case LivePath::Kind::LampBrightness:
        case LivePath::Kind::LampPosition:
        case LivePath::Kind::CameraFrom:
        case LivePath::Kind::CameraTo:
        case LivePath::Kind::FieldOfView:
            return;  // whoever draws asks the timeline
    }
}

void animate(SceneData& data, bool ofGroups, double t) {
    std::vector<double>& last = data.clock->animated;
    const auto& animations = data.scene.timeline.animations;
    for (std::size_t i = 0; i < animations.size(); ++i) {
        if (animations[i].path.isOfPicture()) continue;
        const LivePath::Kind kind = animations[i].path.kind;
        const bool isOfGroup = kind == LivePath::Kind::Position || kind == LivePath::Kind::Rotation;
        const double value = animations[i].at(t);
        if (isOfGroup != ofGroups || value == last[i]) continue;  // what stays the same wakes nobody
        last[i] = value;
        setLive(data, animations[i].path, value);
    }
}

namespace {

void push(SceneData& data, const Action& action, const Vector3& impulse) {
    for (const pliant::scene::Reference& reference : action.of)
        for (btRigidBody* body : bodiesOf(data, reference)) {
            if (!isPresent(*body)) continue;
            body->activate(true);
            btPliantBody* soft = btPliantBody::upcast(body);
            const btVector3 J = toBullet(impulse), point = action.at ? toBullet(*action.at) : btVector3(0, 0, 0);
            if (!action.at)
                body->applyCentralImpulse(J);
            else if (soft)
                soft->applyImpulseAt(point, J);
            else
                body->applyImpulse(J, data.frames.placeOf(*body).getBasis() * point);
        }
}

/// The next bodies of the pool that wait, each with a chance of its own.
void spawn(SceneData& data, const DueAction& due) {
    const Action& action = *due.action;
    pliant::scene::Placement placement;
    placement.position = due.vector;
    placement.jitterPosition = action.jitterPosition;
    placement.jitterRotation = action.jitterRotation;
    placement.seed = due.seed;
    int left = due.count;
    for (btRigidBody* body : bodiesOf(data, action.of[0])) {
        if (left == 0) return;
        if (isPresent(*body)) continue;
        const pliant::RigidTransform place = pliant::scene::place(placement, data.scene.up())[0];
        placement.seed = placement.seed * 6364136223846793005ULL + 1442695040888963407ULL;
        unpark(data, *body, place, due.velocity);
        data.clock->arrivals.push_back({body, &action});
        --left;
    }
}

void remove(SceneData& data, const Action& action) {
    const std::vector<pliant::scene::Sensor>& sensors = data.scene.timeline.sensors;
    for (std::size_t s = 0; s < sensors.size(); ++s)
        if (sensors[s].name == action.region && !action.region.empty())
            for (btRigidBody* body : data.clock->bodies[s].of)
                if (isInside(sensors[s], *body) && !body->isStaticOrKinematicObject()) park(data, *body);
    for (const pliant::scene::Reference& reference : action.of)
        for (btRigidBody* body : bodiesOf(data, reference))
            if (isPresent(*body)) park(data, *body);
}

void setHolds(SceneData& data, const Action& action, bool holds) {
    for (const pliant::scene::Reference& reference : action.of)
        for (btTypedConstraint* joint : data.namedJoints.at(reference.name)) {
            joint->setEnabled(holds);
            joint->getRigidBodyA().activate(true);
            joint->getRigidBodyB().activate(true);
        }
}

}  // namespace

void perform(SceneData& data, const DueAction& due) {
    const Action& action = *due.action;
    ++data.clock->actions;
    switch (action.kind) {
        case ActionKind::Set:
            return setLive(data, action.path, due.value);
        case ActionKind::Animate:
            return leadTo(data, action.path, due.value, action.duration);
        case ActionKind::Push:
            return push(data, action, due.vector);
        case ActionKind::Spawn:
            return spawn(data, due);
        case ActionKind::Remove:
            return remove(data, action);
        case ActionKind::Join:
            return setHolds(data, action, true);
        case ActionKind::Part:
            return setHolds(data, action, false);
        case ActionKind::Picture:
            data.clock->pictures.push_back(action.file);
            return;
        case ActionKind::Save:
            return saveScene(data, action.file);
        case ActionKind::Restore:
            return restoreScene(data, action.file);
        case ActionKind::Cut:
            data.poses.camera = data.scene.cameraIndex(action.camera);
            data.poses.cutTime = data.time;
            return;
        case ActionKind::Say:
            if (data.clock->say) data.clock->say(data.time, due.text);
            return;
        case ActionKind::Ragdoll:
            return letFall(data, action);
        case ActionKind::Clip:
            return driveAgain(data, action);
        case ActionKind::Stop:
            data.clock->isStopped = true;
    }
}

void advanceClock(SceneData& data) {
    checkArrivals(data);
    measureSensors(data);
    data.clock->timeline.advance(data.time, [&](const pliant::scene::DueAction& due) { perform(data, due); });
}

}  // namespace btPliantInternal
