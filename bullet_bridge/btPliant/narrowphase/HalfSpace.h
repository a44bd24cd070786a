// SPDX-License-Identifier: Zlib
// Internal: Bullet's plane as a half-space.
#pragma once

#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>

#include "btPliant/body/Convert.h"

namespace btPliantInternal {

/// In the world: normal . x <= offset.
struct HalfSpace {
    /// @param shape a btStaticPlaneShape
    HalfSpace(const btCollisionShape& shape, const btTransform& transform) {
        const auto& plane = static_cast<const btStaticPlaneShape&>(shape);
        normal = toEigen(btVector3(transform.getBasis() * plane.getPlaneNormal())).normalized();
        offset = static_cast<double>(plane.getPlaneConstant()) + normal.dot(toEigen(transform.getOrigin()));
    }
    pliant::Vector3 normal;
    double offset;
};

}  // namespace btPliantInternal
