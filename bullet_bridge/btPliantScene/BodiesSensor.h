// SPDX-License-Identifier: Zlib
// What sensors of a scene tell of bodies: how many, where, how fast.
#pragma once

#include "btPliantScene/SceneClock.h"

namespace btPliantInternal {

/// How many are there; of these: how many are lost (the origin of the frame below the ground, or not a number), their
/// mass, kg, centre of mass, m, its velocity, m/s, and speed, m/s, kinetic and strain energy, J. Of what has no mass
/// the mean of the places and velocities; of nobody zeros. Energies are measured where somebody reads them: those of
/// 512 baskets cost as much as a step of theirs.
/// @param sensor index of the sensor, whose numbers these are
void measureBodies(const SceneData& data, int sensor, const SensorBodies& bodies, double* numbers);

}  // namespace btPliantInternal
