// SPDX-License-Identifier: Zlib
#include <btBulletCollisionCommon.h>

#include "btPliantScene/Framing.h"
#include "btPliantScene/btPliantConversions.h"

namespace btPliantInternal {
namespace {

using pliant::fromBullet;
using pliant::Vector3;

void addBody(pliant::scene::Bounds& bounds, const btRigidBody& body, const pliant::scene::SceneDescription& scene) {
    if (!btPliantScene::isPresent(body)) return;                                     // waits for an event
    if (body.getCollisionShape()->getShapeType() == STATIC_PLANE_PROXYTYPE) return;  // has no end
    btVector3 least, most;
    body.getAabb(least, most);
    bounds.add(fromBullet(least));
    bounds.add(fromBullet(most));
    if (!scene.ground) return;
    const Vector3 centre = fromBullet(body.getWorldTransform().getOrigin());
    bounds.add(centre - (scene.up().dot(centre) - scene.ground->height) * scene.up());
}

}  // namespace

pliant::scene::Bounds boundsOf(const btPliantScene& world) {
    pliant::scene::Bounds bounds;
    for (const btPliantScene::Deformable& deformable : world.getDeformables())
        addBody(bounds, *deformable.m_body, world.getDescription());
    for (const btPliantScene::Rigid& rigid : world.getRigids()) addBody(bounds, *rigid.m_body, world.getDescription());
    return bounds;
}

}  // namespace btPliantInternal
