// SPDX-License-Identifier: Zlib
// Internal: the motion guard, which puts back bodies whose place or velocity cannot be.
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// A step that bodies can make, s: 0 where it is none, which the system's status tells.
double usableStep(SystemData& system, double step);

/// Before a substep: bodies whose place or velocities cannot be (NaN, faster than light), because a user has set them
/// so through Bullet, are put back to where the last substep left them, at rest.
void putBackBeforeStep(SystemData& system);

/// After a substep: the same for what has come of it. Of those that either has put back, and those put back before, the
/// status says BodyStatus::RestoredLastState.
void putBackAfterStep(SystemData& system);

}  // namespace btPliantInternal
