// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/ShapeAxis.h"

#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>

namespace btPliantInternal {

int axisOfRevolution(const btCollisionShape& shape) {
    switch (shape.getShapeType()) {
        case CYLINDER_SHAPE_PROXYTYPE:
            return static_cast<const btCylinderShape&>(shape).getUpAxis();
        case CAPSULE_SHAPE_PROXYTYPE:
            return static_cast<const btCapsuleShape&>(shape).getUpAxis();
        case CONE_SHAPE_PROXYTYPE:
            return static_cast<const btConeShape&>(shape).getConeUpIndex();
        default:
            return -1;
    }
}

}  // namespace btPliantInternal
