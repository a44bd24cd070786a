// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/NeighbouringPairs.h"

#include <algorithm>

namespace pliant {

namespace {

/// Calls for every segment that is the given one or shares a sphere with it, for some of them twice.
template <typename Function>
void forEachBeside(const CollisionModel& model, int segment, const Function& function) {
    for (int i = 0; i < 2; ++i) {
        const int sphere = model.skeleton().segments(i, segment);
        for (int k = 0; k < model.segmentCountAt(sphere); ++k) function(model.segmentsAt(sphere)[k]);
    }
}

/// The segments beside the first ones of the pairs; ascending, each once. In memory of the thread.
const std::vector<int>& firstSegments(const CollisionModel& a, const SegmentPairs& pairs) {
    static thread_local std::vector<int> segments;
    segments.clear();
    for (std::size_t i = 0; i < pairs.size(); ++i)
        if (i == 0 || pairs[i].first != pairs[i - 1].first)
            forEachBeside(a, pairs[i].first, [](int beside) { segments.push_back(beside); });
    std::sort(segments.begin(), segments.end());
    segments.erase(std::unique(segments.begin(), segments.end()), segments.end());
    return segments;
}

}  // namespace

// Segment by segment of A: neighbours of a crowd of pairs are dozens of times as many with what comes again as without,
// and to sort them all took longer than to look at each.
const SegmentPairs& neighbouringPairs(const CollisionModel& a, const CollisionModel& b, const SegmentPairs& pairs) {
    static thread_local SegmentPairs found;
    static thread_local std::vector<int> listedWith;  // of each segment of B the last one of A
    found.clear();
    listedWith.assign(static_cast<std::size_t>(b.skeleton().segments.cols()), -1);
    for (const int first : firstSegments(a, pairs)) {
        const auto begin = static_cast<std::ptrdiff_t>(found.size());
        forEachBeside(a, first, [&](int segmentA) {
            auto at = std::lower_bound(pairs.begin(), pairs.end(), segmentA,
                                       [](const auto& pair, int segment) { return pair.first < segment; });
            for (; at != pairs.end() && at->first == segmentA; ++at)
                forEachBeside(b, at->second, [&](int segmentB) {
                    int& last = listedWith[static_cast<std::size_t>(segmentB)];
                    if (last != first) found.emplace_back(first, segmentB);
                    last = first;
                });
        });
        std::sort(found.begin() + begin, found.end());
    }
    return found;
}

}  // namespace pliant
