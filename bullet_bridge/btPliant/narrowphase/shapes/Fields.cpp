// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/shapes/Fields.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>

#include "btPliant/data/Convert.h"

namespace btPliantInternal {

using pliant::AnalyticField;
using pliant::Vector3;

namespace {

/// Where a field along y stands, of a shape along another axis.
pliant::RigidTransform alongAxis(const PlacedShape& placed, int axis) {
    pliant::RigidTransform frame = toEigen(placed.transform);
    const pliant::Matrix3 shape = frame.rotation;
    for (int k = 0; k < 3; ++k) frame.rotation.col((k + 1) % 3) = shape.col((axis + k) % 3);
    return frame;
}

}  // namespace

void planeField(const PlacedShape& placed, ShapeField& out) {
    const auto& plane = static_cast<const btStaticPlaneShape&>(placed.shape);
    out.field = AnalyticField::plane(toEigen(plane.getPlaneNormal()).normalized(),
                                     static_cast<double>(plane.getPlaneConstant() + plane.getMargin()));
    out.worldFromField = toEigen(placed.transform);
}

void boxField(const PlacedShape& placed, ShapeField& out) {
    const auto& box = static_cast<const btBoxShape&>(placed.shape);
    out.field = AnalyticField::box(toEigen(box.getHalfExtentsWithMargin()));
    out.worldFromField = toEigen(placed.transform);
}

void sphereField(const PlacedShape& placed, ShapeField& out) {
    const auto& sphere = static_cast<const btSphereShape&>(placed.shape);
    out.field = AnalyticField::sphere(static_cast<double>(sphere.getRadius()));
    out.worldFromField = toEigen(placed.transform);
}

void capsuleField(const PlacedShape& placed, ShapeField& out) {
    const auto& capsule = static_cast<const btCapsuleShape&>(placed.shape);
    out.field =
        AnalyticField::capsule(static_cast<double>(capsule.getRadius()), static_cast<double>(capsule.getHalfHeight()));
    out.worldFromField = alongAxis(placed, capsule.getUpAxis());
}

void cylinderField(const PlacedShape& placed, ShapeField& out) {
    const auto& cylinder = static_cast<const btCylinderShape&>(placed.shape);
    const Vector3 extents = toEigen(cylinder.getHalfExtentsWithMargin());
    out.field = AnalyticField::cylinder(static_cast<double>(cylinder.getRadius()), extents[cylinder.getUpAxis()]);
    out.worldFromField = alongAxis(placed, cylinder.getUpAxis());
}

}  // namespace btPliantInternal
