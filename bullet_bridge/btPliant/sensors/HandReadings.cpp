// SPDX-License-Identifier: Zlib
// The tool of a hand beside the world is no object of it: no manifold knows what it does. Bodies get the mean of its
// forces over the step, point by point, and sensors read these points as they read those of distributed contact.
#include "btPliant/sensors/HandReadings.h"

#include "btPliant/sensors/SensorRegions.h"
#include "btPliant/sensors/SensorSums.h"

namespace btPliantInternal {

using pliant::Vector3;

namespace {

constexpr double kTimeRounding = 1e-6;  // of a step: times of substeps add up to that of the step

/// The reading of the body (side 0) or the tool (side 1).  @param step s
btPliantContactReading readPush(const HandPushes& hand, const HandPush& push, int side, double step) {
    const double sign = side == 0 ? 1.0 : -1.0;
    const Vector3 normal = push.pressure.normalized(), force = push.pressure + push.friction;
    const double pressed = normal.dot(force);
    btPliantContactReading reading;
    reading.m_body = side == 0 ? push.body : hand.tool;
    reading.m_other = side == 0 ? hand.tool : push.body;
    reading.m_position = toBullet(push.place);
    reading.m_normal = toBullet(Vector3(sign * normal));
    reading.m_distance = static_cast<btScalar>(-push.depth);
    reading.m_normalImpulse = static_cast<btScalar>(step * pressed);
    reading.m_frictionImpulse = toBullet(Vector3(sign * step * (force - pressed * normal)));
    return reading;
}

/// Whether a sensor takes the point as one of its watched body's.
bool isPushInside(const SensorSide& watched, const btPliantContactSensorInfo& info, const HandPush& push) {
    const btPliantBody* reduced = watched.region ? btPliantBody::upcast(push.body) : nullptr;
    return !reduced || isInRegion(*reduced, *watched.region, info, push.rest);
}

void addPush(const SystemData& system, const HandPushes& hand, const HandPush& push, double step) {
    const btCollisionObject* const objects[2] = {push.body, hand.tool};
    SensorHits of[2], with[2];
    for (int k = 0; k < 2; ++k) {
        of[k] = hitsOf(system.sensorIndex.of, objects[k]);
        with[k] = hitsOf(system.sensorIndex.with, objects[k]);
    }
    const auto reading = [&](int side) { return readPush(hand, push, side, step); };
    const auto angular = [&](int side, const btPliantContactReading&, const Vector3& impulse) {
        if (side == 0) return Vector3(step * push.torque);
        return Vector3((push.place - hand.toolPlace).cross(impulse));
    };
    for (int side = 0; side < 2; ++side)
        for (auto hit = of[side].first; hit != of[side].last; ++hit) {
            SensorData& sensor = dataOf(*system.sensors[static_cast<std::size_t>(hit->sensor)]);
            const bool all = sensor.info.m_with.empty();
            if (!all && !with[1 - side].of(hit->sensor)) continue;
            const SensorSide* other = all || with[side].of(hit->sensor) ? of[1 - side].of(hit->sensor) : nullptr;
            if (side == 1 && other) continue;  // those that watch both have come with the body
            bool watches[2];
            watches[side] = side == 1 || isPushInside(*hit, sensor.info, push);
            watches[1 - side] = other != nullptr;
            addToSensor(watches, reading, angular, sensor);
        }
}

}  // namespace

void addHandReadings(SystemData& system, double step) {
    for (const std::weak_ptr<HandPushes>& each : system.hands) {
        const std::shared_ptr<HandPushes> hand = each.lock();
        if (!hand || !(hand->left > kTimeRounding * step)) continue;
        hand->left -= step;
        for (const HandPush& push : hand->points) addPush(system, *hand, push, step);
    }
}

}  // namespace btPliantInternal
