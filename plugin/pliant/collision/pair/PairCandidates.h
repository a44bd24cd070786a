// SPDX-License-Identifier: Zlib
// Segments of two bodies that are near enough to touch soon. Descending two trees costs far more than testing the few
// pairs of segments that come out of it, and in a pile the same ones come out step after step; so a list is made for a
// larger distance than asked for and serves until the bodies have moved by the difference relative to each other (a
// neighbour list, as of Verlet). There are two: the far one comes from the trees, for which the boxes of both bodies
// are brought up to date; the near one, which is tested in every step, comes out of the far one. Neither changes which
// contacts are found.
#pragma once

#include <utility>
#include <vector>

#include "pliant/collision/body/RelativeMotion.h"
#include "pliant/math/Api.h"
#include "pliant/math/CacheAligned.h"

namespace pliant {

class PLIANT_INTERNAL_API PairCandidates {
public:
    using Pairs = CacheAlignedVector<std::pair<int, int>>;

    /// Whether the lists hold every pair of segments whose solids are within `margin` metres of each other now. Where
    /// they do not, collideBodies() needs the boxes of both bodies (DeformedBody::refit()).
    bool cover(const DeformedBody& a, const DeformedBody& b, double margin) const;
    /// The same of the near list alone.
    bool nearCovers(const DeformedBody& a, const DeformedBody& b, double margin) const;
    /// Metres to add to the margin of a new far list; 0 where the bodies move so fast that none would live.
    double skin(const DeformedBody& a, const DeformedBody& b) const;
    /// To be called once for every test of the pair.
    void noteMotion(const DeformedBody& a, const DeformedBody& b);
    /// Starts a new far list of everything within `reach` metres, and forgets the near one; 0: there is none.
    void restart(const DeformedBody& a, const DeformedBody& b, double reach);
    void storeFar(const std::vector<std::pair<int, int>>& found);
    /// Starts a new near list, to be filled out of the far one. @return its reach, >= margin where cover() says yes
    double restartNear(const DeformedBody& a, const DeformedBody& b, double margin);
    void storeNear(const std::vector<std::pair<int, int>>& found);
    const Pairs& far() const { return m_far.pairs; }
    const Pairs& near() const { return m_near.pairs; }

private:
    struct List {
        Pairs pairs;
        double reach = 0.0;       ///< metres; 0: not made
        RelativePlacement start;  ///< when it was made
        /// What is left of the reach.
        double left(const RelativePlacement& now) const { return reach - motionBetween(start, now); }
        bool covers(double margin, const RelativePlacement& now) const { return reach > 0.0 && margin <= left(now); }
    };
    List m_far, m_near;
    RelativePlacement m_last;  ///< Where the bodies were at the last test.
    double m_step = -1.0;      ///< Motion between the last two tests, m; negative: there were none.
    bool m_tested = false;
};

}  // namespace pliant
