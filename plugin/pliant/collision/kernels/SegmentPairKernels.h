// SPDX-License-Identifier: Zlib
// Pairs of segments that a descent of two trees has met, several at once: most of them are apart, and to know that
// needs no exact distance. Internal to collision/. Products and sums are separate and in one order everywhere, so every
// instruction set gives the same bits.
#pragma once

#include <utility>

namespace pliant {

/// The segments of one body.
struct SegmentEnds {
    const int* ends = nullptr;       ///< Spheres at the ends of each segment, 2 x s.
    const float* spheres = nullptr;  ///< Centre and radius of each sphere about the body's origin.
    const float* moved = nullptr;    ///< The same at the end of the step; null where none of both bodies moves.
};

struct SegmentReach {
    float shift[3] = {};       ///< Way from A's origin to B's, m.
    float movedShift[3] = {};  ///< The same way at the end of the step, m.
    float reach = 0.0f;        ///< Margin and what roundings may add, m.
};

/// Leaves out pairs (segment of A, segment of B) that stay farther apart than the reach while their ends go straight
/// to where they are at the end of the step; the rest keeps its order. What is left out is proven to be apart, by a
/// plane between the two: across the line between the nearest points of their axes now, or at the end of the way, from
/// which every end of one has to stay as far off as its radius at both ends of the way.
/// @return how many are left
int keepMeeting(const SegmentEnds& a, const SegmentEnds& b, const SegmentReach& reach, std::pair<int, int>* pairs,
                int count);

/// The same in registers of 4, 8 or 16 floats. @return negative where the processor has none of that width
int keepMeetingBy(int laneCount, const SegmentEnds& a, const SegmentEnds& b, const SegmentReach& reach,
                  std::pair<int, int>* pairs, int count);

}  // namespace pliant
