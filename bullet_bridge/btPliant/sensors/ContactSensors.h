// SPDX-License-Identifier: Zlib
// Internal: contact sensors read what the solver has left in Bullet's manifolds.
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// Lists the objects of all sensors anew.
void indexSensors(SystemData& system);
/// Reads the manifolds of the world, and the points of distributed contact, after a substep was solved; writes
/// readings, sums and filters of all sensors.
/// @param step s
void measureContacts(SystemData& system, double step);

}  // namespace btPliantInternal
