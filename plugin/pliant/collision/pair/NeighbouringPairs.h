// SPDX-License-Identifier: Zlib
// Pairs of segments beside others: internal to collision/.
#pragma once

#include "pliant/collision/pair/MeetingPairs.h"

namespace pliant {

/// The pairs whose segments are both the same as, or share a sphere with, those of one of `pairs` (ascending by their
/// first segment); ascending, each once. In memory of the thread, until the next call.
const SegmentPairs& neighbouringPairs(const CollisionModel& a, const CollisionModel& b, const SegmentPairs& pairs);

}  // namespace pliant
