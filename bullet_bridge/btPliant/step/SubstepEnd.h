// SPDX-License-Identifier: Zlib
// Internal: the parts of the end of a substep, around Bullet's integration of the frames.
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// Before Bullet moves the frames: settles the energy of hard contacts, and gives bodies the angular velocity that they
/// are to be turned by. Lists in `work` the bodies that have stepped.
void settleBodies(SystemData& system);
/// After it: lists in `work` the bodies that have stepped; fades coordinates beyond their level of detail, and gives
/// them the angular velocity of their momentum at the new frame.
void finishBodies(SystemData& system);
/// Moves the collision geometry of all bodies, whose bounds the next broadphase asks for, and records how far it came.
void updateBounds(SystemData& system);
/// Makes the statistics of this substep those that users see.
void publishStats(SystemData& system);

}  // namespace btPliantInternal
