// SPDX-License-Identifier: Zlib
#include "draw/Bounds.h"

#include <cmath>

#include "world/BulletConversions.h"

namespace pliant::program {
namespace {

void addBody(Bounds& bounds, const btRigidBody& body, const scene::SceneDescription& scene) {
    btVector3 least, most;
    body.getAabb(least, most);
    bounds.add(fromBullet(least));
    bounds.add(fromBullet(most));
    if (!scene.ground) return;
    const Vector3 centre = fromBullet(body.getWorldTransform().getOrigin());
    bounds.add(centre - (scene.up().dot(centre) - scene.ground->height) * scene.up());
}

}  // namespace

Bounds boundsOf(const SceneWorld& world) {
    Bounds bounds;
    for (const SceneWorld::Deformable& deformable : world.deformables())
        addBody(bounds, *deformable.body, world.scene());
    for (const SceneWorld::Rigid& rigid : world.rigids()) addBody(bounds, *rigid.body, world.scene());
    return bounds;
}

Vector3 horizontal(const Vector3& up) {
    const Vector3 axis = std::abs(up.x()) < 0.9 ? Vector3(Vector3::UnitX()) : Vector3(Vector3::UnitY());
    return (axis - axis.dot(up) * up).normalized();
}

}  // namespace pliant::program
