// SPDX-License-Identifier: Zlib
// Internal: strands that have passed through each other in the substep that is over.
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// Pairs of strands of which one may have come past the other remember the sides that they came from
/// (pliant/collision/pair/PassedSegments.h). To be called when collision knows where the bodies are and how far they
/// came, before anybody may put them elsewhere.
void rememberPassedStrands(SystemData& system);

}  // namespace btPliantInternal
