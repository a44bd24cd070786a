// SPDX-License-Identifier: Zlib
// The leaf test of two bodies: one segment of each. Internal to collision/.
#pragma once

#include "pliant/collision/body/DeformedBody.h"
#include "pliant/collision/pair/ContactHistory.h"
#include "pliant/collision/pair/ContactNormalOrientation.h"
#include "pliant/collision/pair/SkeletonContact.h"
#include "pliant/math/SegmentDistance.h"

namespace pliant {

/// Along the world's axes, origin at the body's.
TaperedSegment taperedSegment(const DeformedBody& body, int segment);

/// Everything that the leaf tests of one pair of bodies share. World axes, origin at A's.
class SegmentPairTest {
public:
    /// @param margin metres, >= 0 @param history may be null
    SegmentPairTest(const DeformedBody& a, const DeformedBody& b, double margin, const ContactHistory* history);

    /// From A's origin to B's.
    const Vector3& shift() const { return m_shift; }
    double margin() const { return m_margin; }
    TaperedSegment ofA(int segment) const { return taperedSegment(m_a, segment); }
    TaperedSegment ofB(int segment) const;

    /// Whether the segments may be within the margin.
    bool mayTouch(int segmentA, int segmentB) const { return !areApart(ofA(segmentA), ofB(segmentB)); }
    /// Writes the 0, 1 or 2 contacts within the margin. @return their number
    int collide(int segmentA, int segmentB, SkeletonContact* out) const;
    int collide(int segmentA, const TaperedSegment& a, int segmentB, const TaperedSegment& b,
                SkeletonContact* out) const;

private:
    bool areApart(const TaperedSegment& a, const TaperedSegment& b) const;
    bool secondContact(const TaperedSegment& a, const TaperedSegment& b, const SegmentParameters& at,
                       SegmentParameters& other) const;
    SkeletonContact contact(int segmentA, int segmentB, const TaperedSegment& a, const TaperedSegment& b,
                            const SegmentParameters& at, int part) const;
    OrientedNormal orientedNormal(SkeletonContact& c, const TaperedSegment& a, const TaperedSegment& b,
                                  const SegmentParameters& at, const Vector3& pa, const Vector3& pb) const;

    const DeformedBody& m_a;
    const DeformedBody& m_b;
    double m_margin;
    const ContactHistory* m_history;
    Vector3 m_shift;    ///< from A's origin to B's
    Vector3 m_centres;  ///< from B's centre to A's
};

}  // namespace pliant
