// SPDX-License-Identifier: Zlib
#include "stats/BodyCheck.h"

#include <cmath>

#include "btPliantScene/btPliantConversions.h"
#include "world/BodyNames.h"

namespace pliant::program {
namespace {

/// Of everything whose potential energy the system sums, kg.
double weighedMass(const SceneWorld& world) {
    double mass = 0.0;
    for (const SceneWorld::Deformable& deformable : world.deformables())
        mass += deformable.m_body->getModel().totalMass();
    for (const SceneWorld::Rigid& rigid : world.rigids())
        if (rigid.m_body->getInvMass() > 0) mass += 1.0 / static_cast<double>(rigid.m_body->getInvMass());
    return mass;
}

bool isFinite(const btPliantBody& body) {
    const btTransform& transform = body.getWorldTransform();
    bool finite = body.getReducedCoordinates().allFinite() && body.getReducedVelocities().allFinite();
    for (int i = 0; i < 3; ++i) {
        finite = finite && std::isfinite(transform.getOrigin()[i]);
        for (int j = 0; j < 3; ++j) finite = finite && std::isfinite(transform.getBasis()[i][j]);
    }
    return finite;
}

}  // namespace

BodyCheck checkBodies(const SceneWorld& world) {
    BodyCheck check;
    const scene::SceneDescription& scene = world.scene();
    for (const SceneWorld::Deformable& deformable : world.deformables()) {
        if (!btPliantScene::isPresent(*deformable.m_body)) continue;  // waits for an event
        ++check.bodies;
        const bool finite = isFinite(*deformable.m_body);
        const double height = scene.up().dot(fromBullet(deformable.m_body->getWorldTransform().getOrigin()));
        check.notFinite += finite ? 0 : 1;
        if (finite && !(scene.ground && height < scene.ground->height)) continue;
        ++check.lost;
        check.lostNames.push_back(bodyName(world, deformable));
    }
    return check;
}

double groundEnergy(const SceneWorld& world) {
    const scene::SceneDescription& scene = world.scene();
    return scene.ground ? weighedMass(world) * scene.gravity.norm() * scene.ground->height : 0.0;
}

}  // namespace pliant::program
