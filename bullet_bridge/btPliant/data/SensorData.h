// SPDX-License-Identifier: Zlib
// Internal: what a btPliantContactSensor keeps.
#pragma once

#include <memory>
#include <vector>

#include "btPliant/data/Access.h"
#include "pliant/math/Types.h"

namespace btPliantInternal {

/// Sums over the contacts of a sensor in one substep, in the order of Bullet's manifolds.
struct ContactSums {
    int count = 0;                                      ///< How many points have an impulse.
    double normal = 0, split = 0;                       ///< Sums along the normals, N s, and of split impulses, kg m/s.
    double depth = 0;                                   ///< Of the deepest point with an impulse, m; 0: none is inside.
    pliant::Vector3 impulse = pliant::Vector3::Zero();  ///< Impulse on the watched side, N s.
    pliant::Vector3 friction = pliant::Vector3::Zero();
    pliant::Vector3 angularImpulse = pliant::Vector3::Zero();  ///< Angular impulse on the watched side, N m s.
};

/// What a sensor shows beside its points: sums of the last substep, filters, sums since the user's reset.
struct SensorNumbers {
    ContactSums sums;
    double step = 0;  ///< Length of the last substep, s.
    /// Impulse over the length of the substep, through the filter, N.
    pliant::Vector3 filteredForce = pliant::Vector3::Zero();
    pliant::Vector3 filteredTorque = pliant::Vector3::Zero();
    double filteredNormalForce = 0;
    pliant::Vector3 accumulatedImpulse = pliant::Vector3::Zero();  ///< Since the reset, N s.
    double accumulatedSeconds = 0;
};

/// Which spheres of a body's skeleton are in the region that a sensor looks at. Points of distributed contact are
/// told to be in its box by their own place at rest, and of its material by the nearest sphere.
struct SensorRegion {
    const btCollisionObject* body = nullptr;
    std::shared_ptr<const std::vector<char>> spheres;
    std::shared_ptr<const std::vector<char>> ofMaterial;  ///< Spheres of the material wherever they are; null: any.
};

/// One object and one sensor that watches it, or watches what touches it.
struct SensorSide {
    const btCollisionObject* object = nullptr;
    int sensor = 0;
    const SensorRegion* region = nullptr;  ///< Null: the whole body.
};

/// Every object that a sensor names, sorted by address, so that a pass over all contacts looks each up once.
struct SensorIndex {
    std::vector<SensorSide> of, with;
};

}  // namespace btPliantInternal

struct btPliantContactSensor::Data {
    btPliantContactSensorInfo info;
    /// One for each of m_of, in its order; none: whole bodies.
    std::vector<btPliantInternal::SensorRegion> regions;
    std::vector<btPliantContactReading> readings;
    btPliantInternal::SensorNumbers numbers;
};
