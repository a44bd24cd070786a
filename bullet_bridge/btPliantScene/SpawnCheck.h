// SPDX-License-Identifier: Zlib
// Whether what events bring in has room where it arrives.
#pragma once

#include "btPliantScene/SceneClock.h"

namespace btPliantInternal {

/// Warns of what arrived after the step before the last and stood inside something else in the last one, once for each
/// action that brings bodies in: strands that stand inside each other stay entangled, which costs as much as it looks
/// wrong. Reads the contacts that the step has found, and changes no bit of the world.
void checkArrivals(SceneData& data);

}  // namespace btPliantInternal
