// SPDX-License-Identifier: Zlib
// A scene that starts again without being built again, for soaks.
#include <btBulletDynamicsCommon.h>

#include <algorithm>

#include "btPliantScene/SceneFields.h"
#include "btPliantScene/SceneLayers.h"
#include "btPliantScene/btPliantConversions.h"
#include "pliant/math/Error.h"
#include "pliant/scene/Placing.h"

namespace {

using pliant::RigidTransform;
using pliant::toBullet;

std::vector<RigidTransform> places(pliant::scene::Placement placement, const pliant::Vector3& up, int drop) {
    placement.seed += static_cast<std::uint64_t>(drop);
    return pliant::scene::place(placement, up);
}

/// The body keeps its deformation.
void lift(btPliantBody& body, const RigidTransform& place, const pliant::scene::StartVelocity& velocity) {
    body.setMeshTransform(toBullet(place));
    body.setLinearVelocity(toBullet(velocity.linear));
    body.setAngularVelocity(toBullet(velocity.angular));
}

void lift(btRigidBody& body, const btTransform& place, const pliant::scene::StartVelocity& velocity) {
    body.setCenterOfMassTransform(place);
    body.setLinearVelocity(toBullet(velocity.linear));
    body.setAngularVelocity(toBullet(velocity.angular));
    body.activate(true);
}

}  // namespace

void btPliantScene::dropAgain(int drop, bool newBodies) {
    btPliantInternal::SceneData& data = *m_data;
    if (!data.joints.empty())
        throw pliant::Error(data.scene.file, "bodies with joints cannot be dropped again one by one");
    if (!data.tools.empty()) throw pliant::Error(data.scene.file, "bodies in hands cannot be dropped again");
    if (data.scene.timeline.any())
        throw pliant::Error(data.scene.file, "scenes with events or sensors cannot be dropped again");
    std::size_t next = 0;
    for (const pliant::scene::BodyGroup& group : data.scene.bodies) {
        std::vector<btRigidBody*>& named = data.named[group.name];
        int copy = 0;
        for (const RigidTransform& place : places(group.placement, data.scene.up(), drop)) {
            const int number = copy++;
            Deformable& deformable = data.deformables[next++];
            if (group.motion != pliant::scene::Motion::Free || deformable.m_body->isAnchored()) continue;
            if (!newBodies && !group.clip.isRagdoll) {  // limbs cannot be lifted
                lift(*deformable.m_body, place, group.velocity);
                continue;
            }
            const auto entry = std::find(named.begin(), named.end(), deformable.m_body);
            data.system.destroyBody(deformable.m_body);
            *entry = deformable.m_body = btPliantInternal::makeBody(data, group, deformable.m_model, place, number);
        }
    }
    btPliantInternal::nameLayers(data);
    if (data.fields) data.fields = std::make_unique<btPliantInternal::SceneFields>(data);
    next = 0;
    for (const pliant::scene::RigidGroup& group : data.scene.rigid)
        for (const RigidTransform& place : places(group.placement, data.scene.up(), drop)) {
            btRigidBody& body = *data.rigids[next++].m_body;
            if (!body.isStaticOrKinematicObject())
                lift(body, data.frames.bodyAt(body, toBullet(place)), group.velocity);
        }
}
