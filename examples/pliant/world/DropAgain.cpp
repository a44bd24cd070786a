// SPDX-License-Identifier: Zlib
// A scene that starts again without being built again, for soaks.
#include <btBulletDynamicsCommon.h>

#include <algorithm>

#include "pliant/math/Error.h"
#include "pliant/scene/Placing.h"
#include "world/BulletConversions.h"
#include "world/SceneWorld.h"

namespace pliant::program {
namespace {

std::vector<RigidTransform> places(scene::Placement placement, const Vector3& up, int drop) {
    placement.seed += static_cast<std::uint64_t>(drop);
    return scene::place(placement, up);
}

/// The body keeps its deformation.
void lift(btPliantBody& body, const RigidTransform& place, const scene::StartVelocity& velocity) {
    body.setMeshTransform(toBullet(place));
    body.setLinearVelocity(toBullet(velocity.linear));
    body.setAngularVelocity(toBullet(velocity.angular));
}

void lift(btRigidBody& body, const RigidTransform& place, const scene::StartVelocity& velocity) {
    body.setCenterOfMassTransform(toBullet(place));
    body.setLinearVelocity(toBullet(velocity.linear));
    body.setAngularVelocity(toBullet(velocity.angular));
    body.activate(true);
}

}  // namespace

void SceneWorld::dropAgain(int drop, bool newBodies) {
    if (!m_joints.empty()) throw Error(m_scene.file, "bodies with joints cannot be dropped again one by one");
    std::size_t next = 0;
    for (const scene::BodyGroup& group : m_scene.bodies) {
        std::vector<btRigidBody*>& named = m_named[group.name];
        for (const RigidTransform& place : places(group.placement, m_scene.up(), drop)) {
            Deformable& deformable = m_deformables[next++];
            if (group.motion != scene::Motion::Free || deformable.body->isAnchored()) continue;
            if (!newBodies) {
                lift(*deformable.body, place, group.velocity);
                continue;
            }
            const std::shared_ptr<const ReducedModel> model = deformable.body->getSharedModel();
            const auto entry = std::find(named.begin(), named.end(), deformable.body);
            m_system->destroyBody(deformable.body);
            *entry = deformable.body = makeBody(group, deformable.model, model, place);
        }
    }
    next = 0;
    for (const scene::RigidGroup& group : m_scene.rigid)
        for (const RigidTransform& place : places(group.placement, m_scene.up(), drop)) {
            btRigidBody& body = *m_rigids[next++].body;
            if (!body.isStaticOrKinematicObject()) lift(body, place, group.velocity);
        }
}

}  // namespace pliant::program
