// SPDX-License-Identifier: Zlib
// Internal: an axis segment against a triangle, in double precision.
#pragma once

#include "pliant/math/Types.h"

namespace btPliantInternal {

struct SegmentTriangleContact {
    pliant::Vector3 axisPoint;   ///< Point on the segment.
    pliant::Vector3 onTriangle;  ///< Point in the triangle (in its plane when the segment has crossed it).
    pliant::Vector3 normal;      ///< Unit normal from the triangle to the side where the segment belongs.
};

/// Nearest points of segment and triangle. A triangle has two sides; while the segment does not cross it, its own side
/// counts. Once it crosses, `reference` (the normal that it had before, or null) or else `centre` (a point of the body)
/// says on which side it belongs, and the contact is at the end that is deepest.
/// @return false for triangles without area
bool nearestSegmentTriangle(const pliant::Vector3 segment[2], const pliant::Vector3 triangle[3],
                            const pliant::Vector3* reference, const pliant::Vector3& centre,
                            SegmentTriangleContact& out);

}  // namespace btPliantInternal
