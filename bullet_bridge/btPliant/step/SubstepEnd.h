// SPDX-License-Identifier: Zlib
// Internal: the parts of the end of a substep.
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// Lists in `work` the bodies that have stepped; fades coordinates beyond their level of detail, and gives them the
/// angular velocity of their momentum at the new frame.
void finishBodies(SystemData& system);
/// Moves the collision geometry of all bodies, whose bounds the next broadphase asks for, and records how far it came.
void updateBounds(SystemData& system);
/// Makes the statistics of this substep those that users see.
void publishStats(SystemData& system);

}  // namespace btPliantInternal
