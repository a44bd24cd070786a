// SPDX-License-Identifier: Zlib
// What sensors of a scene tell of bodies: how many, where, how fast.
#pragma once

#include "btPliantScene/SceneClock.h"

namespace btPliantInternal {

/// How many are there; of these: how many are lost (the origin of the frame below the ground, or not a number), their
/// mass, kg, centre of mass, m, its velocity, m/s, and speed, m/s, kinetic and strain energy, J. Of what has no mass
/// the mean of the places and velocities; of nobody zeros. Energies that the scene does not read stay as they are:
/// those of 512 baskets cost as much as a step of theirs.
/// @param sensor index of the sensor, whose numbers these are
void measureBodies(const SceneData& data, int sensor, const SensorBodies& bodies, double* numbers);

/// Measures a number that measureBodies() has left out, since the scene does not read it, as the bodies are now.
/// @param number in the order of quantitiesOf(), a vector counting three times; whatever is no such number stays
void measureUnread(SceneClock& clock, int sensor, int number);

}  // namespace btPliantInternal
