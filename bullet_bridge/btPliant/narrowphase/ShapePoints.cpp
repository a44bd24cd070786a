// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/ShapePoints.h"

#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btMultiSphereShape.h>
#include <BulletCollision/CollisionShapes/btPolyhedralConvexShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <LinearMath/btAabbUtil2.h>

#include <algorithm>
#include <cmath>

#include "btPliant/data/Convert.h"
#include "btPliant/narrowphase/NearbyTriangles.h"

namespace btPliantInternal {

using pliant::Vector3;

namespace {

constexpr double kMostOfEdge = 1 << 20;  ///< parts, so that their numbers are exact
constexpr int kPointsOfRim = 24;
constexpr int kLargestNumber = 0x00ffffff;  ///< of a point; larger ones begin again

/// The points that cut an edge into equal parts, which are counted from its start: those within a box.
struct EdgePoints {
    double first = 0, last = -1;  ///< of them, whole numbers; none where last < first
    double parts = 1;             ///< of the edge

    Vector3 at(const Vector3& from, const Vector3& to, double i) const { return from + (i / parts) * (to - from); }
};

/// Edges may be far longer than a body: their points are made where it is.
EdgePoints edgePointsIn(const Vector3& from, const Vector3& to, double spacing, const Vector3& lower,
                        const Vector3& upper) {
    const Vector3 way = to - from;
    EdgePoints points;
    points.parts = std::max(1.0, std::min(kMostOfEdge, std::ceil(way.norm() / spacing)));
    double enters = 0, leaves = 1;
    for (int axis = 0; axis < 3; ++axis) {
        if (way[axis] == 0 && (from[axis] < lower[axis] || from[axis] > upper[axis])) return points;
        if (way[axis] == 0) continue;
        const double first = (lower[axis] - from[axis]) / way[axis], last = (upper[axis] - from[axis]) / way[axis];
        enters = std::max(enters, std::min(first, last));
        leaves = std::min(leaves, std::max(first, last));
    }
    points.first = std::ceil(enters * points.parts);
    points.last = std::floor(leaves * points.parts);
    return points;
}

btVector3 alongAxis(int axis, btScalar length) {
    btVector3 result(0, 0, 0);
    result[axis] = length;
    return result;
}

}  // namespace

void ShapePointVisitor::localBounds(btScalar more, btVector3& lower, btVector3& upper) const {
    btTransformAabb(toBullet(m_region.box.lower), toBullet(m_region.box.upper),
                    static_cast<btScalar>(m_region.margin) + more, m_worldFromShape.inverse(), lower, upper);
}

void ShapePointVisitor::add(const btVector3& local, btScalar radius, int number) {
    ShapePoint point;
    point.centre = toEigen(m_worldFromShape * local);
    point.radius = static_cast<double>(radius);
    point.number = number;
    add(point);
}

void ShapePointVisitor::add(ShapePoint point) {
    point.number &= kLargestNumber;
    const double reach = m_region.margin + point.radius;
    if (((point.centre - m_region.box.upper).array() <= reach).all() &&
        ((m_region.box.lower - point.centre).array() <= reach).all())
        m_visit(point);
}

void ShapePointVisitor::addEdge(const btVector3& from, const btVector3& to, btScalar radius) {
    const Vector3 worldFrom = toEigen(m_worldFromShape * from), worldTo = toEigen(m_worldFromShape * to);
    ShapePoint point;
    point.radius = static_cast<double>(radius);
    const double reach = m_region.margin + point.radius;
    const EdgePoints points = edgePointsIn(worldFrom, worldTo, m_region.spacing, m_region.box.lower.array() - reach,
                                           m_region.box.upper.array() + reach);
    for (double i = points.first; i <= points.last; ++i) {
        point.centre = points.at(worldFrom, worldTo, i);
        point.number = m_number + static_cast<int>(i);
        add(point);
    }
    m_number += static_cast<int>(points.parts) + 1;
}

void ShapePointVisitor::addRim(const btVector3& centre, int axis, btScalar radius, btScalar rounding) {
    for (int i = 0; i < kPointsOfRim; ++i) {
        const btScalar angle = SIMD_2_PI * static_cast<btScalar>(i) / static_cast<btScalar>(kPointsOfRim);
        btVector3 at = centre;
        at[(axis + 1) % 3] += radius * btCos(angle);
        at[(axis + 2) % 3] += radius * btSin(angle);
        add(at, rounding);
    }
}

void spherePoints(const btCollisionShape& shape, ShapePointVisitor& visitor) {
    visitor.add(btVector3(0, 0, 0), static_cast<const btSphereShape&>(shape).getRadius());
}

void capsulePoints(const btCollisionShape& shape, ShapePointVisitor& visitor) {
    const auto& capsule = static_cast<const btCapsuleShape&>(shape);
    const btVector3 half = alongAxis(capsule.getUpAxis(), capsule.getHalfHeight());
    visitor.addEdge(-half, half, capsule.getRadius());
}

void cylinderPoints(const btCollisionShape& shape, ShapePointVisitor& visitor) {
    const auto& cylinder = static_cast<const btCylinderShape&>(shape);
    const int axis = cylinder.getUpAxis();
    const btVector3 half = cylinder.getHalfExtentsWithMargin();
    for (const btScalar side : {btScalar(-1), btScalar(1)})
        visitor.addRim(alongAxis(axis, side * half[axis]), axis, half[(axis + 1) % 3], 0);
}

void conePoints(const btCollisionShape& shape, ShapePointVisitor& visitor) {
    const auto& cone = static_cast<const btConeShape&>(shape);
    const int axis = cone.getConeUpIndex();
    const btVector3 half = alongAxis(axis, cone.getHeight() / 2);
    visitor.add(half, cone.getMargin());
    visitor.addRim(-half, axis, cone.getRadius(), cone.getMargin());
}

void multiSpherePoints(const btCollisionShape& shape, ShapePointVisitor& visitor) {
    const auto& spheres = static_cast<const btMultiSphereShape&>(shape);
    for (int i = 0; i < spheres.getSphereCount(); ++i)
        visitor.add(spheres.getSpherePosition(i), spheres.getSphereRadius(i));
}

namespace {

void addPolyhedron(const btPolyhedralConvexShape& shape, btScalar radius, ShapePointVisitor& visitor) {
    if (shape.getNumEdges() == 0) {
        btVector3 vertex;
        for (int i = 0; i < shape.getNumVertices(); ++i) {
            shape.getVertex(i, vertex);
            visitor.add(vertex, radius);
        }
    }
    btVector3 from, to;
    for (int i = 0; i < shape.getNumEdges(); ++i) {
        shape.getEdge(i, from, to);
        visitor.addEdge(from, to, radius);
    }
}

}  // namespace

void boxPoints(const btCollisionShape& shape, ShapePointVisitor& visitor) {
    addPolyhedron(static_cast<const btPolyhedralConvexShape&>(shape), 0, visitor);
}

void polyhedronPoints(const btCollisionShape& shape, ShapePointVisitor& visitor) {
    addPolyhedron(static_cast<const btPolyhedralConvexShape&>(shape), shape.getMargin(), visitor);
}

namespace {

void addCorners(const TrianglePatch& patch, double radius, ShapePointVisitor& visitor) {
    ShapePoint point;
    point.patch = &patch;
    point.radius = radius;
    for (point.corner = 0; point.corner < static_cast<int>(patch.corners().size()); ++point.corner) {
        const TrianglePatch::Corner& corner = patch.corners()[static_cast<std::size_t>(point.corner)];
        point.centre = corner.place;
        point.number = corner.feature;
        visitor.add(point);
    }
}

/// Points of edges between their corners.
void addEdges(const TrianglePatch& patch, double radius, ShapePointVisitor& visitor) {
    const ShapePointRegion& region = visitor.region();
    const Vector3 lower = region.box.lower.array() - region.margin - radius;
    const Vector3 upper = region.box.upper.array() + region.margin + radius;
    ShapePoint point;
    point.patch = &patch;
    point.radius = radius;
    for (point.edge = 0; point.edge < static_cast<int>(patch.edges().size()); ++point.edge) {
        const TrianglePatch::Edge& edge = patch.edges()[static_cast<std::size_t>(point.edge)];
        const Vector3& from = patch.corners()[static_cast<std::size_t>(edge.corner[0])].place;
        const Vector3& to = patch.corners()[static_cast<std::size_t>(edge.corner[1])].place;
        const EdgePoints points = edgePointsIn(from, to, region.spacing, lower, upper);
        for (double i = std::max(1.0, points.first); i <= std::min(points.last, points.parts - 1.0); ++i) {
            const unsigned own = static_cast<unsigned>(edge.feature) * 2654435761u + static_cast<unsigned>(i) * 40503u;
            point.centre = points.at(from, to, i);
            point.number = static_cast<int>(own >> 8);
            visitor.add(point);
        }
    }
}

}  // namespace

void trianglePoints(const btCollisionShape& shape, ShapePointVisitor& visitor) {
    NearbyTriangles& nearby = NearbyTriangles::ofThread();
    if (nearby.shape != &shape) {
        btVector3 lower, upper;
        visitor.localBounds(shape.getMargin(), lower, upper);
        nearby.patch.collect(static_cast<const btConcaveShape&>(shape), visitor.worldFromShape(), lower, upper);
    }
    addCorners(nearby.patch, static_cast<double>(shape.getMargin()), visitor);
    addEdges(nearby.patch, static_cast<double>(shape.getMargin()), visitor);
}

}  // namespace btPliantInternal
