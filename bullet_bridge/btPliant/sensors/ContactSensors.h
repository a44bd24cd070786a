// SPDX-License-Identifier: Zlib
// Internal: contact sensors read what the solver has left in Bullet's manifolds.
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// What a sensor keeps. @throws pliant::Error where it watches nothing, or a region that its bodies do not have
std::unique_ptr<SensorData> makeSensorData(const btPliantContactSensorInfo& info);
/// Whether a place at rest is in the box of a sensor, or it has none. @param rest mesh frame, m
bool isInBox(const btPliantContactSensorInfo& info, const pliant::Vector3& rest);
/// Whether a place at rest of a body of many points is in a region of a sensor.  @param rest mesh frame, m
bool isInRegion(const btPliantBody& body, const SensorRegion& region, const btPliantContactSensorInfo& info,
                const pliant::Vector3& rest);
/// Lists the objects of all sensors anew.
void indexSensors(SystemData& system);
/// Reads the manifolds of the world, and the points of distributed contact, after a substep was solved; writes
/// readings, sums and filters of all sensors.
/// @param step s
void measureContacts(SystemData& system, double step);

}  // namespace btPliantInternal
