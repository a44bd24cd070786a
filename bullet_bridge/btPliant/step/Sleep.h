// SPDX-License-Identifier: Zlib
// Internal: deformation falls asleep with its frame, and keeps it awake.
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// Stops the deformation of bodies that Bullet has put to sleep after they had stepped.
void putSleepersToRest(SystemData& system);
/// Keeps those of the bodies in `work` awake whose deformation has energy.
void keepAwakeWhatDeforms(SystemData& system);

}  // namespace btPliantInternal
