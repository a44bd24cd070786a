// SPDX-License-Identifier: Zlib
#include "btPliant/data/HandPushes.h"

#include <algorithm>

#include "btPliant/data/Convert.h"

namespace btPliantInternal {

using pliant::Vector3;

bool patchOf(const HandPushes& hand, const btCollisionObject& body, btPliantContactPatch& patch) {
    Vector3 force = Vector3::Zero(), torque = force, moment = force;
    double sum = 0.0;
    patch.m_points.clear();
    patch.m_area = patch.m_depth = 0.0;
    for (const HandPush& push : hand.points) {
        const double pressure = push.pressure.norm();
        if (push.body != &body || !(pressure > 0.0)) continue;
        force += push.pressure + push.friction;
        torque += push.torque;
        moment += pressure * push.place;
        sum += pressure;
        patch.m_area += push.area;
        patch.m_depth = std::max(patch.m_depth, push.depth);
        patch.m_points.push_back({toBullet(push.place), toBullet(Vector3(push.pressure / pressure)), push.depth,
                                  push.area, pressure / push.area});
    }
    if (!(sum > 0.0)) return false;
    patch.m_force = toBullet(force);
    patch.m_torque = toBullet(torque);
    patch.m_centroid = toBullet(Vector3(moment / sum));
    return true;
}

}  // namespace btPliantInternal
