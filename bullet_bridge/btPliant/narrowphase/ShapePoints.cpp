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

#include "btPliant/body/Convert.h"

namespace btPliantInternal {

namespace {

constexpr int kMostOfEdge = 32;  ///< points
constexpr int kPointsOfRim = 24;

/// Hands on what is near the box.
class NearPoints {
public:
    NearPoints(const btTransform& worldFromShape, const pliant::Aabb& box, double margin, double spacing,
               pliant::FunctionRef<void(const ShapePoint&)> visit)
        : m_worldFromShape(worldFromShape), m_box(box), m_margin(margin), m_spacing(spacing), m_visit(visit) {}

    void add(const btVector3& local, btScalar radius) { addWorld(m_worldFromShape * local, radius, m_number++); }
    void addWorld(const btVector3& world, btScalar radius, int number) {
        const ShapePoint point{toEigen(world), static_cast<double>(radius), number};
        const double reach = m_margin + point.radius;
        if (((point.centre - m_box.upper).array() <= reach).all() &&
            ((m_box.lower - point.centre).array() <= reach).all())
            m_visit(point);
    }
    /// Both ends and points between them.
    void addEdge(const btVector3& from, const btVector3& to, btScalar radius) {
        const auto length = static_cast<double>((to - from).length());
        const int parts = std::min(kMostOfEdge, std::max(1, static_cast<int>(std::ceil(length / m_spacing))));
        for (int i = 0; i <= parts; ++i)
            add(from + (to - from) * (static_cast<btScalar>(i) / static_cast<btScalar>(parts)), radius);
    }
    /// A circle about an axis of the shape's frame.
    void addRim(const btVector3& centre, int axis, btScalar radius) {
        for (int i = 0; i < kPointsOfRim; ++i) {
            const btScalar angle = SIMD_2_PI * static_cast<btScalar>(i) / static_cast<btScalar>(kPointsOfRim);
            btVector3 at = centre;
            at[(axis + 1) % 3] += radius * btCos(angle);
            at[(axis + 2) % 3] += radius * btSin(angle);
            add(at, 0);
        }
    }
    const pliant::Aabb& box() const { return m_box; }
    double margin() const { return m_margin; }
    const btTransform& worldFromShape() const { return m_worldFromShape; }

private:
    const btTransform& m_worldFromShape;
    const pliant::Aabb& m_box;
    double m_margin, m_spacing;
    pliant::FunctionRef<void(const ShapePoint&)> m_visit;
    int m_number = 0;
};

btVector3 alongAxis(int axis, btScalar length) {
    btVector3 result(0, 0, 0);
    result[axis] = length;
    return result;
}

void addCapsule(const btCapsuleShape& capsule, NearPoints& points) {
    const btVector3 half = alongAxis(capsule.getUpAxis(), capsule.getHalfHeight());
    points.addEdge(-half, half, capsule.getRadius());
}

void addCylinder(const btCylinderShape& cylinder, NearPoints& points) {
    const int axis = cylinder.getUpAxis();
    const btVector3 half = cylinder.getHalfExtentsWithMargin();
    for (const btScalar side : {btScalar(-1), btScalar(1)})
        points.addRim(alongAxis(axis, side * half[axis]), axis, half[(axis + 1) % 3]);
}

void addCone(const btConeShape& cone, NearPoints& points) {
    const int axis = cone.getConeUpIndex();
    const btVector3 half = alongAxis(axis, cone.getHeight() / 2);
    points.add(half, 0);
    points.addRim(-half, axis, cone.getRadius());
}

void addMultiSphere(const btMultiSphereShape& spheres, NearPoints& points) {
    for (int i = 0; i < spheres.getSphereCount(); ++i)
        points.add(spheres.getSpherePosition(i), spheres.getSphereRadius(i));
}

/// Boxes have their margin inside of their corners, hulls outside.
void addPolyhedron(const btPolyhedralConvexShape& shape, NearPoints& points) {
    const btScalar radius = shape.getShapeType() == BOX_SHAPE_PROXYTYPE ? btScalar(0) : shape.getMargin();
    if (shape.getNumEdges() == 0) {
        btVector3 vertex;
        for (int i = 0; i < shape.getNumVertices(); ++i) {
            shape.getVertex(i, vertex);
            points.add(vertex, radius);
        }
    }
    btVector3 from, to;
    for (int i = 0; i < shape.getNumEdges(); ++i) {
        shape.getEdge(i, from, to);
        points.addEdge(from, to, radius);
    }
}

void addTriangles(const btConcaveShape& shape, NearPoints& points) {
    struct Corners : btTriangleCallback {
        Corners(NearPoints& to, btScalar margin) : points(to), radius(margin) {}
        void processTriangle(btVector3* triangle, int part, int index) override {
            const unsigned number = (static_cast<unsigned>(index) + 16777259u * static_cast<unsigned>(part)) * 3u;
            for (unsigned k = 0; k < 3; ++k)
                points.addWorld(points.worldFromShape() * triangle[k], radius,
                                static_cast<int>((number + k) & 0x00ffffffu));
        }
        NearPoints& points;
        btScalar radius;
    } corners(points, shape.getMargin());
    const btVector3 reach(1, 1, 1);
    btVector3 lower, upper;
    btTransformAabb(toBullet(points.box().lower), toBullet(points.box().upper),
                    static_cast<btScalar>(points.margin()) + shape.getMargin(), points.worldFromShape().inverse(),
                    lower, upper);
    shape.processAllTriangles(&corners, lower, upper);
}

}  // namespace

void visitShapePoints(const btCollisionShape& shape, const btTransform& worldFromShape, const pliant::Aabb& box,
                      double margin, double spacing, pliant::FunctionRef<void(const ShapePoint&)> visit) {
    NearPoints points(worldFromShape, box, margin, spacing, visit);
    switch (shape.getShapeType()) {
        case SPHERE_SHAPE_PROXYTYPE:
            return points.add(btVector3(0, 0, 0), static_cast<const btSphereShape&>(shape).getRadius());
        case CAPSULE_SHAPE_PROXYTYPE:
            return addCapsule(static_cast<const btCapsuleShape&>(shape), points);
        case CYLINDER_SHAPE_PROXYTYPE:
            return addCylinder(static_cast<const btCylinderShape&>(shape), points);
        case CONE_SHAPE_PROXYTYPE:
            return addCone(static_cast<const btConeShape&>(shape), points);
        case MULTI_SPHERE_SHAPE_PROXYTYPE:
            return addMultiSphere(static_cast<const btMultiSphereShape&>(shape), points);
        case STATIC_PLANE_PROXYTYPE:
            return;
        default:
            break;
    }
    if (shape.isPolyhedral())
        addPolyhedron(static_cast<const btPolyhedralConvexShape&>(shape), points);
    else if (shape.isConcave())
        addTriangles(static_cast<const btConcaveShape&>(shape), points);
}

}  // namespace btPliantInternal
