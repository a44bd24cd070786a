// SPDX-License-Identifier: Zlib
// What the scene moves by itself.
#include <Eigen/Geometry>

#include "btPliantScene/SceneClock.h"
#include "btPliantScene/SceneJoints.h"
#include "btPliantScene/btPliantConversions.h"
#include "pliant/scene/Placing.h"

namespace btPliantInternal {
namespace {

using pliant::RigidTransform;

/// Where a body that moves for ever is after t seconds.
RigidTransform moved(const RigidTransform& place, const pliant::scene::StartVelocity& velocity, double t) {
    RigidTransform result = place;
    result.translation += t * velocity.linear;
    const double rate = velocity.angular.norm();
    if (rate > 0.0)
        result.rotation = Eigen::AngleAxisd(rate * t, velocity.angular / rate).toRotationMatrix() * place.rotation;
    return result;
}

}  // namespace

void drive(SceneData& data) {
    const double t = data.time + data.scene.time.step();
    if (data.clock) {
        animate(data, false, data.time);
        animate(data, true, t);
        lead(data, t);
    }
    for (const DrivenGroup& driven : data.driven) {
        const std::vector<RigidTransform> places =
            driven.path    ? pliant::scene::place(driven.path->at(t, driven.placement), data.scene.up())
            : driven.isLed ? pliant::scene::place(driven.placement, data.scene.up())
                           : driven.start;
        for (std::size_t i = 0; i < places.size(); ++i) {
            const btTransform place = pliant::toBullet(moved(places[i], driven.velocity, t));
            if (i < driven.deformables.size()) driven.deformables[i]->setMeshTransform(place);
            if (i < driven.rigids.size()) driven.rigids[i]->setWorldTransform(place);
        }
    }
    leadPoints(data);
}

}  // namespace btPliantInternal
