// SPDX-License-Identifier: Zlib
#include "btPliant/TriangleBounds.h"

#include <algorithm>
#include <array>

namespace btPliantInternal {

namespace {

using pliant::BDTreeNode;
using pliant::SphereF;
using pliant::Vector3;

double support(const SphereF& sphere, const Vector3& direction) {
    return direction.x() * static_cast<double>(sphere.x) + direction.y() * static_cast<double>(sphere.y) +
           direction.z() * static_cast<double>(sphere.z) + static_cast<double>(sphere.radius);
}

/// Farthest reach of the leaves along a unit direction (body frame): depth first, farther child first.
double reach(const pliant::DeformedBody& body, const Vector3& direction, double looseness) {
    const auto& nodes = body.model().triangleTree().nodes;
    std::array<int, 128> stack;
    std::size_t depth = 0;
    double best = -1e300;
    stack[depth++] = 0;
    while (depth > 0) {
        const int node = stack[--depth];
        const double bound = support(body.triangleNode(node), direction);
        if (bound <= best + looseness) {
            best = std::max(best, bound);
            continue;
        }
        const BDTreeNode& entry = nodes[static_cast<std::size_t>(node)];
        if (entry.firstChild < 0 || depth + 2 > stack.size()) {
            best = bound;
            continue;
        }
        const int near = entry.firstChild, far = entry.firstChild + 1;
        const bool swap = support(body.triangleNode(near), direction) > support(body.triangleNode(far), direction);
        stack[depth++] = swap ? far : near;
        stack[depth++] = swap ? near : far;
    }
    return best;
}

}  // namespace

pliant::Aabb triangleBounds(const pliant::DeformedBody& body, const pliant::RigidTransform& worldFromBody) {
    pliant::Aabb box;
    box.lower = box.upper = worldFromBody.translation;
    if (body.model().triangleTree().nodeCount() == 0) return box;
    const double looseness = 0.02 * static_cast<double>(body.triangleNode(0).radius);
    for (int axis = 0; axis < 3; ++axis) {
        const Vector3 direction = worldFromBody.rotation.row(axis).transpose();
        box.upper[axis] += reach(body, direction, looseness);
        box.lower[axis] -= reach(body, -direction, looseness);
    }
    return box;
}

}  // namespace btPliantInternal
