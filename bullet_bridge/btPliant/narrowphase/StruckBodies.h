// SPDX-License-Identifier: Zlib
// Internal: impacts that go on from body to body within a substep. Two thin plates that fall side by side do not come
// towards each other, until the lower one is stopped by the ground: then the upper one goes on by its whole way of the
// step, which may be more than both are thick.
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// Tells pairs of solids of which one is about to be struck (ContactPair::struckSpeed), and makes those of them that
/// are fast by it ask for continuous collision. After every pair of `parallelPairs` has said what it requires.
void findStruckPairs(SystemData& system);

}  // namespace btPliantInternal
