// SPDX-License-Identifier: Zlib
// Internal: the motion of bodies that the impulses of the last substep act on, and nothing else.
#pragma once

#include <vector>

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// Steps the bodies that are awake. Impulses to start from become those of the same forces in a step of this length.
/// @param h s
void stepActiveBodies(SystemData& system, double h);
/// Steps these bodies, as far as they have not stepped yet.
void freeStep(SystemData& system, const std::vector<btPliantBody*>& list);

/// Sums the contact impulses of the last substep that repeat themselves (warmStartShare), divided by the length of
/// this one, into BodyData::modalContactForce.
void sumLastContactForces(SystemData& system, const std::vector<btPliantBody*>& list);

}  // namespace btPliantInternal
