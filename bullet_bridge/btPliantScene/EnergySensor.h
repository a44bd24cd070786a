// SPDX-License-Identifier: Zlib
// The energies that sensors of a scene show.
#pragma once

#include "btPliantScene/SceneClock.h"

namespace btPliantInternal {

/// Mass of a body, kg; zero where Bullet's own body does not move.
double massOf(const btRigidBody& body);
/// Mass times the place of the centre of mass, kg m; zero for what does not move.
pliant::Vector3 momentOf(const btRigidBody& body);
/// Kinetic energy of a body, J; zero for what has no mass.
double kineticEnergyOf(const btRigidBody& body);
/// Kinetic, elastic, potential (zero at the ground) and total energy, J, and the growth of the total as a share of what
/// it was when one of the bodies was there first: of the sensor's bodies, or of the world where it names none.
void measureEnergy(SceneData& data, const pliant::scene::Sensor& sensor, SensorBodies& bodies, double* numbers);

}  // namespace btPliantInternal
