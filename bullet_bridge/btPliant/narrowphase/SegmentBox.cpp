// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/SegmentBox.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>

namespace btPliantInternal {

bool nearestAboveFace(const btBoxShape& box, const btTransform& transform, const btVector3 ends[2],
                      const double radii[2], SegmentBoxContact& found) {
    const btVector3 half = box.getHalfExtentsWithoutMargin();
    const btVector3 local[2] = {transform.invXform(ends[0]), transform.invXform(ends[1])};
    for (int k = 0; k < 3; ++k) {
        const btScalar side = local[0][k] > 0 ? btScalar(1) : btScalar(-1);
        const btScalar height[2] = {side * local[0][k] - half[k], side * local[1][k] - half[k]};
        if (height[0] < 0 || height[1] < 0) continue;
        const auto taper = static_cast<btScalar>(radii[1] - radii[0]);
        const int nearer = height[1] - taper < height[0] ? 1 : 0;
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        if (btFabs(local[nearer][u]) > half[u] || btFabs(local[nearer][v]) > half[v]) continue;
        found.normal = side * transform.getBasis().getColumn(k);
        found.onAxis = ends[nearer];
        found.onBox = ends[nearer] - found.normal * (height[nearer] - box.getMargin());
        return true;
    }
    return false;
}

}  // namespace btPliantInternal
