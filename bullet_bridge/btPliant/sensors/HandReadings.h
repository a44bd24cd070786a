// SPDX-License-Identifier: Zlib
// Internal: contact sensors read what the tools of hands beside the world do to bodies.
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// Adds what hands push bodies by in a substep to the readings and sums of all sensors.  @param step s
void addHandReadings(SystemData& system, double step);

}  // namespace btPliantInternal
