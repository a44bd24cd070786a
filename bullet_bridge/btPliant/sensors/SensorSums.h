// SPDX-License-Identifier: Zlib
// Internal: which sensors an object belongs to, and how readings become their sums.
#pragma once

#include <algorithm>

#include "btPliant/data/Convert.h"
#include "btPliant/data/SensorData.h"

namespace btPliantInternal {

/// The entries of an object in one list of a SensorIndex.
struct SensorHits {
    std::vector<SensorSide>::const_iterator first, last;
    /// The one of a sensor; null: it does not name the object.
    const SensorSide* of(int sensor) const {
        for (auto hit = first; hit != last; ++hit)
            if (hit->sensor == sensor) return &*hit;
        return nullptr;
    }
};

/// @param sides SensorIndex::of or SensorIndex::with
SensorHits hitsOf(const std::vector<SensorSide>& sides, const btCollisionObject* object);

/// Adds one point to a sensor, once though it watches both sides, and its forces cancel there.
/// @param watches whether it watches either side  @param of the reading of a side
/// @param angular impulse of the reading about the centre of mass of a side, N m s
template <class Reading, class Angular>
void addToSensor(const bool (&watches)[2], const Reading& of, const Angular& angular, SensorData& sensor) {
    ContactSums& sums = sensor.numbers.sums;
    const bool isInternal = watches[0] && watches[1];
    for (int side = 0; side < 2; ++side) {
        if (!watches[side]) continue;
        btPliantContactReading reading = of(side);
        reading.m_isInternal = isInternal;
        const pliant::Vector3 friction = toEigen(reading.m_frictionImpulse);
        const pliant::Vector3 impulse =
            static_cast<double>(reading.m_normalImpulse) * toEigen(reading.m_normal) + friction;
        sums.angularImpulse += angular(side, reading, impulse);
        if (!isInternal) {
            sums.impulse += impulse;
            sums.friction += friction;
        } else if (side == 1) {
            continue;
        }
        sums.count += reading.m_normalImpulse > btScalar(0);
        if (reading.m_normalImpulse > btScalar(0))
            sums.depth = std::max(sums.depth, -static_cast<double>(reading.m_distance));
        sums.normal += static_cast<double>(reading.m_normalImpulse);
        sums.split += static_cast<double>(reading.m_splitImpulse);
        sensor.readings.push_back(reading);
    }
}

}  // namespace btPliantInternal
