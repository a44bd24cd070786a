// SPDX-License-Identifier: Zlib
// Segments of two bodies that are near enough to touch soon. Descending two trees costs far more than testing the few
// pairs of segments that come out of it, and in a pile the same ones come out step after step; so the list is made for
// a larger distance than asked for and serves until the bodies have moved by the difference (a neighbour list, as of
// Verlet). It never changes which contacts are found.
#pragma once

#include <utility>
#include <vector>

#include "pliant/collision/DeformedBody.h"

namespace pliant {

class PairCandidates {
public:
    /// Whether the list holds every pair of segments whose solids are within `margin` metres of each other now. Where
    /// it does not, collideBodies() needs the boxes of both bodies (DeformedBody::refit()).
    bool cover(const DeformedBody& a, const DeformedBody& b, double margin) const;
    /// Metres to add to the margin of a new list; 0 where the bodies move so fast that none would live.
    double skin(const DeformedBody& a, const DeformedBody& b) const;
    /// To be called once for every test of the pair.
    void noteMotion(const DeformedBody& a, const DeformedBody& b);
    /// Starts a new list of everything within `reach` metres; 0: there is none.
    void restart(const DeformedBody& a, const DeformedBody& b, double reach);
    void add(int segmentA, int segmentB) { m_pairs.emplace_back(segmentA, segmentB); }
    const std::vector<std::pair<int, int>>& pairs() const { return m_pairs; }

private:
    std::vector<std::pair<int, int>> m_pairs;
    double m_reach = 0.0;  ///< metres
    double m_start = 0.0;  ///< both bodies' travel when the list was made
    double m_last = 0.0;   ///< the same at the last test
    double m_step = -1.0;  ///< travel between the last two tests; negative: there were none
    bool m_tested = false;
};

}  // namespace pliant
