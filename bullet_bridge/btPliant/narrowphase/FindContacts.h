// SPDX-License-Identifier: Zlib
// Internal: passes over all bodies and pairs of a system that find contacts.
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// Finds, on all workers, the contacts of the pairs whose collider may run in parallel, and prepares their points;
/// once in a substep, before Bullet asks for the first pair. Reads the bodies; writes ContactPair::contacts and
/// `parallelPairs`, `points`.
void findAllContacts(SystemData& system);
/// Lists in `work` the bodies that are in the world.
void listBodiesInWorld(SystemData& system);
/// Moves the collision geometry of the bodies in `work` to their present state, inner bounding volumes left out.
void updateCollisionBodies(SystemData& system, bool substepEnds);

}  // namespace btPliantInternal
