// SPDX-License-Identifier: Zlib
// Internal: what may come near a triangle, told by planes.
#pragma once

#include "pliant/collision/body/DeformedBody.h"
#include "pliant/math/Types.h"

namespace btPliantInternal {

/// The space around a triangle in which something may touch it: between two planes along the triangle and three
/// across it through its edges. The box around a long triangle that stands aslant is mostly empty: marbles in a
/// funnel lay in the boxes of a dozen of its triangles, and touched one.
class TriangleReach {
public:
    /// @param corners of the triangle, m; one without an area is near to everything
    /// @param reach how far from the triangle anything touches it, m
    /// @param sunk how far behind it something may lie that has come through, beyond that, m: on either side, since the
    /// side that it has come from is known of each contact, not of the body
    TriangleReach(const pliant::Vector3 corners[3], double reach, double sunk);

    /// Whether a ball may touch. @param radius m
    bool mayTouch(const pliant::Vector3& centre, double radius) const;
    /// Whether the capsule around a segment may touch.
    bool mayTouch(const pliant::CapsuleSegment& segment) const;

private:
    struct Plane {
        pliant::Vector3 outward = pliant::Vector3::Zero();  ///< Unit normal, or null: then nothing is far.
        double limit = 0.0;                                 ///< What lies farther along the normal touches nothing, m.
    };
    Plane m_planes[5];
};

}  // namespace btPliantInternal
