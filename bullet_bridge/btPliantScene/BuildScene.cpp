// SPDX-License-Identifier: Zlib
// From what a scene says to bodies in a world.
#include <btBulletDynamicsCommon.h>

#include "btPliantScene/IdlePairs.h"
#include "btPliantScene/SceneClock.h"
#include "btPliantScene/SceneFields.h"
#include "btPliantScene/SceneJoints.h"
#include "btPliantScene/SceneLayers.h"
#include "btPliantScene/ScenePool.h"
#include "btPliantScene/SceneTools.h"
#include "btPliantScene/SceneTouches.h"
#include "btPliantScene/btPliantConversions.h"
#include "pliant/math/Error.h"
#include "pliant/runtime/DefaultDamping.h"
#include "pliant/scene/Placing.h"

namespace btPliantInternal {
namespace {

using pliant::RigidTransform;
using pliant::toBullet;
using pliant::scene::BodyGroup;
using pliant::scene::Motion;
using pliant::scene::RigidGroup;

/// Of Bullet's construction info or of ours: they name the four alike.
template <class Info>
void setSurface(const pliant::scene::SurfaceProperties& surface, Info& info) {
    info.m_friction = static_cast<btScalar>(surface.friction);
    info.m_restitution = static_cast<btScalar>(surface.restitution);
    info.m_rollingFriction = static_cast<btScalar>(surface.rollingFriction);
    info.m_spinningFriction = static_cast<btScalar>(surface.spinningFriction);
}

/// Contact by a penalty, where the surface asks for it.
void setPenalty(const pliant::scene::SurfaceProperties& surface, btCollisionObject& object) {
    if (surface.contactStiffness > 0.0)
        object.setContactStiffnessAndDamping(static_cast<btScalar>(surface.contactStiffness),
                                             static_cast<btScalar>(surface.contactDamping));
}

btPliantBodyInfo bodyInfo(const BodyGroup& group, const pliant::scene::ModelEntry& model,
                          const pliant::ReducedModel& reduced, double step, const RigidTransform& place) {
    btPliantBodyInfo info;
    info.m_meshTransform = toBullet(place);
    info.m_linearVelocity = toBullet(group.velocity.linear);
    info.m_angularVelocity = toBullet(group.velocity.angular);
    setSurface(group.surface, info);
    info.m_damping = model.damping ? *model.damping : pliant::defaultDamping(reduced, step);
    info.m_newmark = model.newmark;
    info.m_integrator = model.integrator;
    info.m_coupling = model.coupling;
    info.m_selfContact = model.selfContact;
    info.m_kinematic = group.motion != Motion::Free;
    return info;
}

btPliantBody* makeCharacter(SceneData& data, const BodyGroup& group,
                            const std::shared_ptr<const pliant::CharacterModel>& model, const btPliantBodyInfo& start,
                            int copy) {
    btPliantCharacterInfo info;
    static_cast<btPliantBodyInfo&>(info) = start;
    info.m_clip = group.clip.clip;
    info.m_speed = group.clip.speed;
    info.m_phase = group.clip.phaseOf(group.placement.seed, copy);
    try {
        btPliantCharacter* character = data.system.createCharacter(model, info);
        const std::string problem = group.clip.isRagdoll ? character->startRagdoll() : std::string();
        if (!problem.empty()) throw pliant::Error("it cannot be a ragdoll", problem);
        return character;
    } catch (const pliant::Error& problem) {
        throw pliant::Error(group.clip.where.empty() ? group.where : group.clip.where, problem.what());
    }
}

void addGround(SceneData& data, const pliant::scene::Ground& ground) {
    data.groundShape =
        std::make_unique<btStaticPlaneShape>(toBullet(data.scene.up()), static_cast<btScalar>(ground.height));
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, data.groundShape.get());
    setSurface(ground.surface, info);
    data.ground = std::make_unique<btRigidBody>(info);
    setPenalty(ground.surface, *data.ground);
    data.world.addRigidBody(data.ground.get());
}

/// What moves a group of the file; its bodies are yet to come.
template <class Group>
DrivenGroup drivenGroup(const SceneData& data, const Group& group) {
    return {
        {}, {}, pliant::scene::place(group.placement, data.scene.up()), group.placement, group.path, group.velocity};
}

void addBodies(SceneData& data, const BodyGroup& group, int number, std::vector<int>& counts) {
    std::size_t index = 0;
    while (data.scene.models[index].name != group.model) ++index;
    const int model = static_cast<int>(index);
    DrivenGroup driven = drivenGroup(data, group);
    int copy = 0;
    for (const RigidTransform& place : driven.start) {
        btPliantBody* body = makeBody(data, group, model, place, copy++);
        if (group.isPool && body->isAnchored())
            throw pliant::Error(
                group.where,
                "the model \"" + data.scene.models[index].label + "\" has held vertices: its bodies do not move freely",
                "leave \"spawn\" out");
        data.named[group.name].push_back(body);
        data.deformables.push_back({body, model, counts[index]++, number, group.motion});
        driven.deformables.push_back(body);
        if (group.motion != Motion::Kinematic) data.movingMass += data.models[index]->totalMass();
    }
    if (group.motion == Motion::Kinematic) data.driven.push_back(std::move(driven));
}

void makeKinematic(btRigidBody& body) {
    body.setCollisionFlags((body.getCollisionFlags() & ~btCollisionObject::CF_STATIC_OBJECT) |
                           btCollisionObject::CF_KINEMATIC_OBJECT);
    body.setActivationState(DISABLE_DEACTIVATION);
}

/// Bullet sweeps a ball along the way of a step that is longer than a threshold. The ball is inside of most bodies:
/// half of the least half of the box.
void testFlight(btRigidBody& body) {
    btVector3 least, most;
    body.getCollisionShape()->getAabb(btTransform::getIdentity(), least, most);
    const btVector3 half = btScalar(0.5) * (most - least);
    const btScalar radius = btScalar(0.5) * half[half.minAxis()];
    body.setCcdSweptSphereRadius(radius);
    body.setCcdMotionThreshold(radius);
}

void addRigids(SceneData& data, const RigidGroup& group, int number) {
    data.shapes.push_back(makeRigidShape(group));
    const RigidShapeHolder& holder = data.shapes.back();
    btCollisionShape* shape = holder.shape.get();
    btVector3 inertia(0, 0, 0);
    if (group.shape == pliant::scene::RigidShape::Hull || group.shape == pliant::scene::RigidShape::Compound)
        inertia = static_cast<btScalar>(group.mass) * holder.inertiaOfKilogram;
    else if (group.mass > 0.0)
        shape->calculateLocalInertia(static_cast<btScalar>(group.mass), inertia);
    DrivenGroup driven = drivenGroup(data, group);
    for (const RigidTransform& place : driven.start) {
        btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(group.mass), nullptr, shape, inertia);
        info.m_startWorldTransform = toBullet(place) * btTransform(holder.axes);
        setSurface(group.surface, info);
        auto body = std::make_unique<btRigidBody>(info);
        setPenalty(group.surface, *body);
        if (group.isContinuous) testFlight(*body);
        data.frames.setAxes(*body, holder.axes);
        if (group.mass > 0.0) {
            body->setLinearVelocity(toBullet(group.velocity.linear));
            body->setAngularVelocity(toBullet(group.velocity.angular));
            data.movingMass += group.mass;
        }
        if (group.isKinematic) {
            makeKinematic(*body);
            driven.rigids.push_back(body.get());
        }
        addToWorld(data, *body, group.layer);
        if (!group.mayFallAsleep) body->forceActivationState(DISABLE_DEACTIVATION);
        data.named[group.name].push_back(body.get());
        data.rigids.push_back({body.get(), number});
        data.rigidOwner.push_back(std::move(body));
    }
    if (group.isKinematic) data.driven.push_back(std::move(driven));
}

void addJoints(SceneData& data, int number) {
    const pliant::scene::JointGroup& group = data.scene.joints[static_cast<std::size_t>(number)];
    for (auto& joint : makeJoints(data, group)) {
        listPointJoints(data, number, *joint);
        data.world.addConstraint(joint.get(), !group.collide);
        if (!group.name.empty()) data.namedJoints[group.name].push_back(joint.get());
        data.joints.push_back(std::move(joint));
    }
}

}  // namespace

btPliantBody* makeBody(SceneData& data, const BodyGroup& group, int model, const RigidTransform& place, int copy) {
    const auto index = static_cast<std::size_t>(model);
    const pliant::scene::LoadedModel& loaded = data.models[index];
    const btPliantBodyInfo info = bodyInfo(group, data.scene.models[index], *loaded, data.scene.time.step(), place);
    btPliantBody* body = loaded.character() ? makeCharacter(data, group, loaded.character(), info, copy)
                                            : data.system.createBody(loaded, info);
    if (!loaded.character() && !group.clip.where.empty())
        throw pliant::Error(group.clip.where,
                            "the model \"" + data.scene.models[index].label + "\" has no bones that could move",
                            "leave clip, speed, phase and drive out, or give the model a \"rig\"");
    setPenalty(group.surface, *body);
    addToWorld(data, *body, group.layer);
    if (!group.mayFallAsleep) body->forceActivationState(DISABLE_DEACTIVATION);
    return body;
}

SceneData::SceneData(btPliantSystem& systemOfWorld, const pliant::scene::SceneDescription& description)
    : scene(description), system(systemOfWorld), world(*systemOfWorld.getWorld()) {}
SceneData::~SceneData() = default;

bool SceneData::staysAwake(const btRigidBody& body) const {
    for (const btPliantScene::Deformable& deformable : deformables)
        if (deformable.m_body == &body)
            return !scene.bodies[static_cast<std::size_t>(deformable.m_group)].mayFallAsleep;
    for (const btPliantScene::Rigid& rigid : rigids)
        if (rigid.m_body == &body) return !scene.rigid[static_cast<std::size_t>(rigid.m_group)].mayFallAsleep;
    return false;
}

namespace {

void parkPools(SceneData& data) {
    for (const btPliantScene::Deformable& deformable : data.deformables)
        if (data.scene.bodies[static_cast<std::size_t>(deformable.m_group)].isPool) park(data, *deformable.m_body);
    for (const btPliantScene::Rigid& rigid : data.rigids)
        if (data.scene.rigid[static_cast<std::size_t>(rigid.m_group)].isPool) park(data, *rigid.m_body);
}

}  // namespace

void buildScene(SceneData& data) {
    if (data.scene.ground) addGround(data, *data.scene.ground);
    std::vector<int> counts(data.models.size(), 0);
    for (std::size_t i = 0; i < data.scene.bodies.size(); ++i)
        addBodies(data, data.scene.bodies[i], static_cast<int>(i), counts);
    for (std::size_t i = 0; i < data.scene.rigid.size(); ++i) addRigids(data, data.scene.rigid[i], static_cast<int>(i));
    for (std::size_t i = 0; i < data.scene.joints.size(); ++i) addJoints(data, static_cast<int>(i));
    nameLayers(data);
    addTools(data);
    addTouches(data);
    parkPools(data);
    if (data.scene.timeline.any()) {
        data.clock = std::make_unique<SceneClock>(data);
        checkMaterials(data);
        checkCharacters(data);
    }
    if (!data.scene.fields.empty()) data.fields = std::make_unique<SceneFields>(data);
    for (std::size_t m = 0; m < counts.size(); ++m) {
        data.poses.models.emplace_back();
        data.poses.models.back().resize(counts[m], data.models[m]->dimension());
        if (data.models[m].character())
            data.poses.models.back().resizeBones(data.models[m].character()->skeleton.boneCount());
    }
    for (const int count : counts) data.poses.isShown.emplace_back(static_cast<std::size_t>(count), 1);
    data.poses.rigid.resize(data.rigids.size());
    data.poses.isHeld.resize(data.joints.size(), 1);
    data.poses.isRigidShown.resize(data.rigids.size(), 1);
}

}  // namespace btPliantInternal
