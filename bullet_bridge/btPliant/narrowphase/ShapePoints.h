// SPDX-License-Identifier: Zlib
// Internal: the points by which a shape of Bullet's touches the field of a solid: corners and points of edges, or
// spheres.
#pragma once

#include <LinearMath/btTransform.h>

#include "pliant/collision/body/DeformedBody.h"
#include "pliant/collision/body/FunctionRef.h"
#include "pliant/collision/pair/SkeletonContact.h"

class btCollisionShape;

namespace btPliantInternal {

class TrianglePatch;

/// A sphere, or a point where its radius is 0.
struct ShapePoint {
    pliant::Vector3 centre = pliant::Vector3::Zero();  ///< Centre in the world, m.
    double radius = 0;                                 ///< Radius, m.
    const TrianglePatch* patch = nullptr;  ///< Patch that it is a corner of, or on an edge of; null: neither.
    int corner = -1, edge = -1;            ///< Numbers of the corner and the edge in the patch; -1: none.
    int number = 0;                        ///< Number of the point in its shape, always the same; below 2^24.
};

/// Beyond the numbers of triangles and parts of other shapes: in features of contacts with such points.
constexpr int kShapePoint = 0x3f000000;
/// Whether a contact of a solid is one with such a point.
inline bool isOfShapePoint(const pliant::SkeletonContact& contact) {
    return static_cast<int>((contact.feature >> 1) & 0xffffffffu) > kShapePoint;
}

/// Where solids look for points of a shape.
struct ShapePointRegion {
    pliant::Aabb box;  ///< Box in the world, m.
    double margin;     ///< Margin around the box, m.
    double spacing;    ///< Most between points of an edge or of a surface, m.
};

/// Hands on those points of a shape that may be within the region.
class ShapePointVisitor {
public:
    ShapePointVisitor(const btTransform& worldFromShape, const ShapePointRegion& region,
                      pliant::FunctionRef<void(const ShapePoint&)> visit)
        : m_worldFromShape(worldFromShape), m_region(region), m_visit(visit) {}

    const btTransform& worldFromShape() const { return m_worldFromShape; }
    const ShapePointRegion& region() const { return m_region; }
    /// The region in the frame of the shape, with that many metres more around it.
    void localBounds(btScalar more, btVector3& lower, btVector3& upper) const;

    // Points in the frame of the shape, m.
    /// Numbered in the order of the calls.
    void add(const btVector3& local, btScalar radius) { add(local, radius, m_number++); }
    void add(const btVector3& local, btScalar radius, int number);
    /// Hands on a point in the world.
    void add(ShapePoint point);
    /// Both ends and points between them, at the distance of the region or less.
    void addEdge(const btVector3& from, const btVector3& to, btScalar radius);
    /// A circle about an axis of the shape's frame. @param rounding radius of its points
    void addRim(const btVector3& centre, int axis, btScalar radius, btScalar rounding);

private:
    const btTransform& m_worldFromShape;
    const ShapePointRegion& m_region;
    pliant::FunctionRef<void(const ShapePoint&)> m_visit;
    int m_number = 0;
};

// Of the shapes of the table (shapes/ShapeColliders.cpp).
void spherePoints(const btCollisionShape& shape, ShapePointVisitor& visitor);
void capsulePoints(const btCollisionShape& shape, ShapePointVisitor& visitor);
void cylinderPoints(const btCollisionShape& shape, ShapePointVisitor& visitor);
void conePoints(const btCollisionShape& shape, ShapePointVisitor& visitor);
void multiSpherePoints(const btCollisionShape& shape, ShapePointVisitor& visitor);
void boxPoints(const btCollisionShape& shape, ShapePointVisitor& visitor);  ///< Points of a box; margins lie inside.
void polyhedronPoints(const btCollisionShape& shape, ShapePointVisitor& visitor);
void trianglePoints(const btCollisionShape& shape, ShapePointVisitor& visitor);

}  // namespace btPliantInternal
