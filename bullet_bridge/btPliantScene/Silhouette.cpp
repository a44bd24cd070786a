// SPDX-License-Identifier: Zlib
#include "btPliantScene/Silhouette.h"

#include <btBulletCollisionCommon.h>

#include <Eigen/Geometry>
#include <cmath>

#include "btPliantScene/btPliantConversions.h"

namespace btPliantInternal {
namespace {

using pliant::fromBullet;
using pliant::toBullet;
using pliant::Vector3;

double number(btScalar x) {
    return static_cast<double>(x);
}

/// By the outermost points in directions around the silhouette, which are its corners, in their order.
double silhouetteOfConvex(const btConvexShape& shape, const Vector3& direction) {
    constexpr int directions = 64;
    const Vector3 s = direction.unitOrthogonal(), t = direction.cross(s);
    const auto corner = [&](int i) {
        const double angle = 2.0 * M_PI * i / directions;
        const Vector3 outwards = std::cos(angle) * s + std::sin(angle) * t;
        // Hulls are made smaller by the margin that is laid around them.
        return fromBullet(shape.isPolyhedral() ? shape.localGetSupportingVertex(toBullet(outwards))
                                               : shape.localGetSupportingVertexWithoutMargin(toBullet(outwards)));
    };
    const Vector3 first = corner(0);
    Vector3 last = first, doubled = Vector3::Zero();
    for (int i = 1; i < directions; ++i) {
        const Vector3 next = corner(i);
        doubled += (last - first).cross(next - first);
        last = next;
    }
    return 0.5 * doubled.dot(direction);
}

double silhouetteOfParts(const btCompoundShape& compound, const Vector3& direction) {
    double sum = 0.0;
    for (int i = 0; i < compound.getNumChildShapes(); ++i) {
        const Vector3 seen = fromBullet(toBullet(direction) * compound.getChildTransform(i).getBasis());
        sum += silhouetteOf(*compound.getChildShape(i), seen.normalized());
    }
    return sum;
}

}  // namespace

double silhouetteOf(const btCollisionShape& shape, const Vector3& direction) {
    const Vector3 side = direction.cwiseAbs();
    switch (shape.getShapeType()) {
        case BOX_SHAPE_PROXYTYPE: {
            const Vector3 half = fromBullet(static_cast<const btBoxShape&>(shape).getHalfExtentsWithMargin());
            return 4.0 * side.dot(Vector3(half.y() * half.z(), half.z() * half.x(), half.x() * half.y()));
        }
        case SPHERE_SHAPE_PROXYTYPE: {
            const double radius = number(static_cast<const btSphereShape&>(shape).getRadius());
            return M_PI * radius * radius;
        }
        case CAPSULE_SHAPE_PROXYTYPE: {
            const auto& capsule = static_cast<const btCapsuleShape&>(shape);
            const double radius = number(capsule.getRadius()), along = side[capsule.getUpAxis()];
            const double across = std::sqrt(std::max(0.0, 1.0 - along * along));
            return M_PI * radius * radius + 4.0 * radius * number(capsule.getHalfHeight()) * across;
        }
        case CYLINDER_SHAPE_PROXYTYPE: {
            const auto& cylinder = static_cast<const btCylinderShape&>(shape);
            const double radius = number(cylinder.getRadius()), along = side[cylinder.getUpAxis()];
            const double half = number(cylinder.getHalfExtentsWithMargin()[cylinder.getUpAxis()]);
            const double across = std::sqrt(std::max(0.0, 1.0 - along * along));
            return M_PI * radius * radius * along + 4.0 * radius * half * across;
        }
        default:
            if (shape.isCompound()) return silhouetteOfParts(static_cast<const btCompoundShape&>(shape), direction);
            if (shape.isConvex()) return silhouetteOfConvex(static_cast<const btConvexShape&>(shape), direction);
            return 0.0;
    }
}

}  // namespace btPliantInternal
