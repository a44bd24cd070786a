// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/ConvexBounds.h"

#include <BulletCollision/CollisionShapes/btConvexShape.h>

#include <algorithm>

#include "btPliant/data/Convert.h"
#include "btPliant/narrowphase/ShapeAxis.h"

namespace btPliantInternal {

namespace {

/// Share of a distance by which it is taken to be off: Bullet's numbers may be floats, and what is left out here must
/// not be what the iteration would have found.
constexpr double kRounding = 1e-4;

btScalar reachOf(double distance) {
    return static_cast<btScalar>(distance * (1.0 + kRounding));
}

/// Squared distance of a segment from an axis of the frame that it is given in.
btScalar squaredDistanceFromAxis(const btVector3& a, const btVector3& b, int axis) {
    btVector3 from = a, way = b - a;
    from[axis] = way[axis] = 0;
    const btScalar length2 = way.length2();
    const btScalar at = length2 > 0 ? std::min(btScalar(1), std::max(btScalar(0), -from.dot(way) / length2)) : 0;
    return (from + at * way).length2();
}

}  // namespace

ConvexBounds::ConvexBounds(const btConvexShape& shape, const btTransform& transform)
    : m_transform(transform), m_axis(axisOfRevolution(shape)) {
    btTransform own;
    own.setIdentity();
    shape.getAabb(own, m_lower, m_upper);
}

/// Whether all of the points, and with them all between them, lie beyond one side of the box by more than that.
bool ConvexBounds::isBesideBox(const btVector3* points, int count, btScalar reach) const {
    for (int k = 0; k < 3; ++k) {
        btScalar least = points[0][k], most = points[0][k];
        for (int i = 1; i < count; ++i) {
            least = std::min(least, points[i][k]);
            most = std::max(most, points[i][k]);
        }
        if (least > m_upper[k] + reach || most < m_lower[k] - reach) return true;
    }
    return false;
}

bool ConvexBounds::mayTouch(const btVector3& a, const btVector3& b, btScalar reach) const {
    const btVector3 ends[2] = {a, b};
    if (isBesideBox(ends, 2, reach)) return false;
    if (m_axis < 0) return true;
    const btScalar most = m_upper[(m_axis + 1) % 3] + reach;
    return squaredDistanceFromAxis(a, b, m_axis) <= most * most;
}

bool ConvexBounds::mayTouch(const pliant::Vector3& centre, double radius, double margin) const {
    const btVector3 local = m_transform.invXform(toBullet(centre));
    return mayTouch(local, local, reachOf(radius + margin));
}

bool ConvexBounds::mayTouch(const pliant::CapsuleSegment& segment, double margin) const {
    return mayTouch(m_transform.invXform(toBullet(segment.end[0])), m_transform.invXform(toBullet(segment.end[1])),
                    reachOf(std::max(segment.radius[0], segment.radius[1]) + margin));
}

bool ConvexBounds::mayTouch(const pliant::SegmentPath& path, double margin) const {
    const pliant::CapsuleSegment then = path.at(1.0);
    const btVector3 ends[4] = {
        m_transform.invXform(toBullet(path.now.end[0])), m_transform.invXform(toBullet(path.now.end[1])),
        m_transform.invXform(toBullet(then.end[0])), m_transform.invXform(toBullet(then.end[1]))};
    return !isBesideBox(ends, 4, reachOf(std::max(path.now.radius[0], path.now.radius[1]) + margin));
}

}  // namespace btPliantInternal
