// SPDX-License-Identifier: Zlib
// Pairs of segments of two bodies out of a descent of their trees, thinned several at once before each is looked at.
// Internal to collision/.
#pragma once

#include <utility>
#include <vector>

#include "pliant/collision/body/DeformedBody.h"

namespace pliant {

using SegmentPairs = std::vector<std::pair<int, int>>;

/// The list of the thread that one query gathers its pairs in: all queries have one, which has grown by the time that
/// the rarer ones are made.
SegmentPairs& pairsOfThread();

/// Leaves out pairs that are proven to be more than `margin` metres apart as the bodies are. The spheres of both must
/// be current.
void keepNear(const DeformedBody& a, const DeformedBody& b, double margin, SegmentPairs& pairs);
/// The same of pairs that stay apart on their whole way to where the bodies are predicted to be. That includes what
/// only grazes the margin from outside, which SegmentPairPath takes to touch where it is asked.
void keepMeetingOnTheWay(const DeformedBody& a, const DeformedBody& b, double margin, SegmentPairs& pairs);

}  // namespace pliant
