// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/ShapePoints.h"

#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btMultiSphereShape.h>
#include <BulletCollision/CollisionShapes/btPolyhedralConvexShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btTriangleCallback.h>
#include <LinearMath/btAabbUtil2.h>

#include <algorithm>
#include <cmath>

#include "btPliant/data/Convert.h"

namespace btPliantInternal {

namespace {

constexpr int kMostOfEdge = 32;  ///< points
constexpr int kPointsOfRim = 24;

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
    const ShapePoint point{toEigen(m_worldFromShape * local), static_cast<double>(radius), number};
    const double reach = m_region.margin + point.radius;
    if (((point.centre - m_region.box.upper).array() <= reach).all() &&
        ((m_region.box.lower - point.centre).array() <= reach).all())
        m_visit(point);
}

void ShapePointVisitor::addEdge(const btVector3& from, const btVector3& to, btScalar radius) {
    const auto length = static_cast<double>((to - from).length());
    const int parts = std::min(kMostOfEdge, std::max(1, static_cast<int>(std::ceil(length / m_region.spacing))));
    for (int i = 0; i <= parts; ++i)
        add(from + (to - from) * (static_cast<btScalar>(i) / static_cast<btScalar>(parts)), radius);
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

struct Corners : btTriangleCallback {
    Corners(ShapePointVisitor& to, btScalar margin) : visitor(to), radius(margin) {}
    void processTriangle(btVector3* triangle, int part, int index) override {
        const unsigned number = (static_cast<unsigned>(index) + 6017513u * static_cast<unsigned>(part)) * 3u;
        for (unsigned k = 0; k < 3; ++k) visitor.add(triangle[k], radius, static_cast<int>((number + k) & 0x00ffffffu));
    }
    ShapePointVisitor& visitor;
    btScalar radius;
};

}  // namespace

void boxPoints(const btCollisionShape& shape, ShapePointVisitor& visitor) {
    addPolyhedron(static_cast<const btPolyhedralConvexShape&>(shape), 0, visitor);
}

void polyhedronPoints(const btCollisionShape& shape, ShapePointVisitor& visitor) {
    addPolyhedron(static_cast<const btPolyhedralConvexShape&>(shape), shape.getMargin(), visitor);
}

void trianglePoints(const btCollisionShape& shape, ShapePointVisitor& visitor) {
    Corners corners(visitor, shape.getMargin());
    btVector3 lower, upper;
    visitor.localBounds(shape.getMargin(), lower, upper);
    static_cast<const btConcaveShape&>(shape).processAllTriangles(&corners, lower, upper);
}

}  // namespace btPliantInternal
