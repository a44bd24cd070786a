// SPDX-License-Identifier: Zlib
#include "btPliant/beside/ToolShape.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>

#include "btPliant/data/Convert.h"

namespace btPliantInternal {

bool fieldOf(const btCollisionShape& shape, const btTransform& transform, ShapeField& field) {
    btCollisionObject object;
    const btCollisionObjectWrapper wrap(nullptr, &shape, &object, transform, -1, -1);
    const ShapeCollider* collider = colliderOf(wrap);
    if (!collider || !collider->field) return false;
    collider->field({shape, transform}, field);
    return true;
}

ToolPoints toolPoints(const btCollisionShape& shape, int count) {
    switch (shape.getShapeType()) {
        case SPHERE_SHAPE_PROXYTYPE:
            return pointsOfSphere(static_cast<double>(static_cast<const btSphereShape&>(shape).getRadius()), count);
        case BOX_SHAPE_PROXYTYPE:
            return pointsOfBox(toEigen(static_cast<const btBoxShape&>(shape).getHalfExtentsWithMargin()), count);
        case CAPSULE_SHAPE_PROXYTYPE: {
            const auto& capsule = static_cast<const btCapsuleShape&>(shape);
            return pointsOfCapsule(static_cast<double>(capsule.getRadius()),
                                   static_cast<double>(capsule.getHalfHeight()), capsule.getUpAxis(), count);
        }
        case CYLINDER_SHAPE_PROXYTYPE: {
            const auto& cylinder = static_cast<const btCylinderShape&>(shape);
            const int axis = cylinder.getUpAxis();
            return pointsOfCylinder(static_cast<double>(cylinder.getRadius()),
                                    toEigen(cylinder.getHalfExtentsWithMargin())[axis], axis, count);
        }
        default:
            return {};
    }
}

}  // namespace btPliantInternal
