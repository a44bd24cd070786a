// SPDX-License-Identifier: Zlib
// Internal: what surely does not touch a convex shape, told by a box around it in its own frame and, of a body of
// revolution, by its distance from the axis. A slanting plate and a roller fill these, and not the box that the world's
// axes make of them: a basket of 1,634 segments above a roller leaves few of them to be tested by iteration.
#pragma once

#include <LinearMath/btTransform.h>

#include "pliant/collision/body/DeformedBody.h"
#include "pliant/collision/pair/SegmentPath.h"

class btConvexShape;

namespace btPliantInternal {

class ConvexBounds {
public:
    /// @param transform of the shape in the world; both are looked at as long as this lives
    ConvexBounds(const btConvexShape& shape, const btTransform& transform);

    /// Whether a ball, m in the world, may come within `margin` of the shape.
    bool mayTouch(const pliant::Vector3& centre, double radius, double margin) const;
    /// The same of a swept segment.
    bool mayTouch(const pliant::CapsuleSegment& segment, double margin) const;
    /// The same of a segment somewhere on its way.
    bool mayTouch(const pliant::SegmentPath& path, double margin) const;

private:
    bool isBesideBox(const btVector3* points, int count, btScalar reach) const;
    bool mayTouch(const btVector3& a, const btVector3& b, btScalar reach) const;

    const btTransform& m_transform;
    btVector3 m_lower, m_upper;  ///< Box of the shape in its own frame, with its margin.
    int m_axis;                  ///< Axis of revolution; -1: none.
};

}  // namespace btPliantInternal
