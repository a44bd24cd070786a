// SPDX-License-Identifier: Zlib
// Which strands have passed through each other. What contacts say cannot tell, since a strand that went through between
// two steps is apart again; so every step is looked at as a motion. Two axes pass where the volume that they span
// changes its sign while their nearest points lie within both segments, and the sign says which way. A strand, from one
// branching of its skeleton to the next, that has come through another one as often as it went is on the side where it
// began, along whichever segments that was; what has not, and is still beside it, is hooked there.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "btPliant/btPliantSystem.h"
#include "pliant/collision/body/DeformedBody.h"

namespace pliant::test {

/// The strands of a skeleton, and which way its segments go along them.
struct SkeletonStrands {
    explicit SkeletonStrands(const ContactSkeleton& skeleton);

    std::vector<int> ofSegment;  ///< Number of the strand.
    std::vector<int> direction;  ///< +1: from the segment's first sphere to its second, else -1.
    int count = 0;
};

/// Ends of a segment of one body, then of the other's.
using SegmentAxes = std::array<Vector3, 4>;

/// How often the axes pass through each other while their ends go straight, with the sign of the way.
struct AxesPasses {
    int count = 0, net = 0;
};
AxesPasses passesOf(const SegmentAxes& before, const SegmentAxes& after);

class StrandCrossings {
public:
    struct Strand {
        int body = 0, strand = 0;
        bool operator<(const Strand& o) const { return body != o.body ? body < o.body : strand < o.strand; }
    };
    struct Pass {
        int step = 0;                      ///< Number of the call of look() that saw it.
        int net = 0;                       ///< +1 or -1: which way.
        int segmentA = -1, segmentB = -1;  ///< Of both bodies.
    };
    using Passes = std::vector<Pass>;
    using Ledger = std::map<std::pair<Strand, Strand>, Passes>;

    /// @param system whose bodies are of one model and stay
    explicit StrandCrossings(const btPliantSystem& system);

    /// To be called after every step. @return passes of segments through each other since the last call
    int look();
    /// Pairs of strands that have ever passed, and what is left of it.
    const Ledger& ledger() const { return m_ledger; }
    /// Passes one way less those back.
    static int netPasses(const Passes& passes);
    /// Pairs of strands that have passed more often one way than back.
    int netPairs() const;
    /// Those of them that are still beside each other: what has passed and is apart has slid off an end, or round a
    /// branching.
    int hookedPairs() const;
    /// Least distance of the surfaces of two strands now, radii; no more than `anywhere`.
    double distance(const Strand& a, const Strand& b, double anywhere) const;

private:
    /// Where the spheres of a body are, and the boxes of its segments' ways since the last call.
    struct Body {
        std::vector<Vector3> before, after;
        Vector3 lower, upper, motion;  ///< Of the whole way; motion of the mean sphere.
    };

    void place(Body& body, DeformedBody& deformed, const btPliantBody& bullet) const;
    void listNear(const Body& body, const Body& other, std::vector<int>& found) const;
    int passesOfBodies(int a, int b);
    SegmentAxes axes(const Body& a, int segmentA, const Body& b, int segmentB, bool after) const;

    const btPliantSystem& m_system;
    const ContactSkeleton& m_skeleton;
    SkeletonStrands m_strands;
    std::vector<DeformedBody> m_deformed;
    std::vector<Body> m_bodies;
    std::vector<int> m_nearA, m_nearB;
    int m_step = 0;
    Ledger m_ledger;
};

}  // namespace pliant::test
