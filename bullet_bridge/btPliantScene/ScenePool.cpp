// SPDX-License-Identifier: Zlib
#include "btPliantScene/ScenePool.h"

#include <btBulletDynamicsCommon.h>

#include "btPliantScene/SceneLayers.h"
#include "btPliantScene/btPliantConversions.h"

namespace btPliantInternal {
namespace {

/// The group of Bullet's filter that a body is in while it waits; nobody's mask has it.
constexpr int kNoGroup = 0;

}  // namespace

void setFilter(SceneData& data, btRigidBody& body, bool isThere) {
    btBroadphaseProxy* proxy = body.getBroadphaseProxy();
    FilterWords words{kNoGroup, kNoGroup};
    if (isThere) words = {btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter};
    const std::string& layer = layerOf(data, body);
    if (isThere && !layer.empty()) words = filterOf(data.scene, layer);
    proxy->m_collisionFilterGroup = words.group;
    proxy->m_collisionFilterMask = words.mask;
    data.world.getBroadphase()->getOverlappingPairCache()->removeOverlappingPairsContainingProxy(
        proxy, data.world.getDispatcher());
}

namespace {

void stop(btRigidBody& body) {
    body.setLinearVelocity(btVector3(0, 0, 0));
    body.setAngularVelocity(btVector3(0, 0, 0));
    body.clearForces();
    if (btPliantBody* soft = btPliantBody::upcast(&body)) {
        const pliant::VectorX zero = pliant::VectorX::Zero(soft->getModel().dimension());
        soft->setReducedCoordinates(zero);
        soft->setReducedVelocities(zero);
    }
}

void move(btRigidBody& body, const btTransform& place) {
    if (btPliantBody* soft = btPliantBody::upcast(&body)) {
        soft->setMeshTransform(place);
        return;
    }
    body.setCenterOfMassTransform(place);
    body.setInterpolationWorldTransform(place);
}

}  // namespace

bool isPresent(const btRigidBody& body) {
    return body.getActivationState() != DISABLE_SIMULATION;
}

void park(SceneData& data, btRigidBody& body) {
    stop(body);
    const pliant::Vector3 up = data.scene.up();
    const double height = up.dot(pliant::fromBullet(body.getCenterOfMassPosition()));
    const double wanted = data.scene.ground ? data.scene.ground->height : 0.0;
    const btPliantBody* soft = btPliantBody::upcast(&body);
    btTransform place = soft ? soft->getMeshTransform() : body.getCenterOfMassTransform();
    place.setOrigin(place.getOrigin() + pliant::toBullet(pliant::Vector3((wanted - height) * up)));
    move(body, place);
    body.forceActivationState(DISABLE_SIMULATION);
    setFilter(data, body, false);
}

void unpark(SceneData& data, btRigidBody& body, const pliant::RigidTransform& place, const pliant::Vector3& velocity) {
    body.forceActivationState(ACTIVE_TAG);
    body.setDeactivationTime(0);
    stop(body);
    move(body, data.frames.bodyAt(body, pliant::toBullet(place)));
    body.setGravity(data.world.getGravity());
    body.setLinearVelocity(pliant::toBullet(velocity));
    setFilter(data, body, true);
    data.world.updateSingleAabb(&body);
    if (data.staysAwake(body)) body.forceActivationState(DISABLE_DEACTIVATION);
}

}  // namespace btPliantInternal
