// SPDX-License-Identifier: Zlib
// Internal: what a sensor watches, and whether a place of a body belongs to it.
#pragma once

#include <memory>

#include "btPliant/data/BodyData.h"
#include "btPliant/data/SensorData.h"

namespace btPliantInternal {

/// What a sensor keeps. @throws pliant::Error where it watches nothing, or a region that its bodies do not have
std::unique_ptr<SensorData> makeSensorData(const btPliantContactSensorInfo& info);
/// Whether a place at rest is in the box of a sensor, or it has none. @param rest mesh frame, m
bool isInBox(const btPliantContactSensorInfo& info, const pliant::Vector3& rest);
/// Whether a place at rest of a body of many points is in a region of a sensor.  @param rest mesh frame, m
bool isInRegion(const btPliantBody& body, const SensorRegion& region, const btPliantContactSensorInfo& info,
                const pliant::Vector3& rest);

}  // namespace btPliantInternal
