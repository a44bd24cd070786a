// SPDX-License-Identifier: Zlib
#include "pliant/collision/body/TriangleQueries.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {

namespace {

struct DeformedTriangle {
    int index;
    Vector3 v0, v1, v2;
};

/// Calls triangle(DeformedTriangle) for those of every leaf on whose way from the root near(sphere) was true.
template <typename Near, typename Triangle>
void descendTriangles(const DeformedBody& body, const Near& near, const Triangle& triangle) {
    const BDTree& tree = body.model().triangleTree();
    if (tree.nodes.empty()) return;
    const Triangles& corners = body.model().reduced().surface.triangles;
    std::array<int, CollisionModel::maximumTreeDepth + 2> stack;
    std::size_t open = 0;
    stack[open++] = 0;
    while (open > 0) {
        const int i = stack[--open];
        if (!near(body.triangleNode(i))) continue;
        const BDTreeNode& node = tree.nodes[static_cast<std::size_t>(i)];
        if (node.firstChild >= 0) {
            stack[open++] = node.firstChild + 1;
            stack[open++] = node.firstChild;
            continue;
        }
        for (int k = 0; k < node.itemCount; ++k) {
            const int index = tree.items[static_cast<std::size_t>(node.firstItem + k)];
            triangle(DeformedTriangle{index, centreOf(body.vertex(corners(0, index))),
                                      centreOf(body.vertex(corners(1, index))),
                                      centreOf(body.vertex(corners(2, index)))});
        }
    }
}

/// A ray in the body frame and its crossing of a triangle, seen from either side (Cramer's rule).
struct LocalRay {
    Vector3 from, extent;

    bool hit(const DeformedTriangle& t, TriangleHit& result) const {
        const Vector3 e1 = t.v1 - t.v0, e2 = t.v2 - t.v0, p = extent.cross(e2);
        const double determinant = e1.dot(p);
        if (std::abs(determinant) < 1e-300) return false;
        const Vector3 w = from - t.v0;
        const double u = w.dot(p) / determinant;
        const Vector3 c = w.cross(e1);
        const double v = extent.dot(c) / determinant;
        const double fraction = e2.dot(c) / determinant;
        constexpr double edge = -1e-12;  // a ray through a shared edge hits one of its triangles at least
        if (u < edge || v < edge || 1.0 - u - v < edge || fraction < 0.0 || fraction > 1.0) return false;
        result.triangle = t.index;
        result.fraction = fraction;
        result.weights = Vector3(1.0 - u - v, u, v);
        result.point = from + fraction * extent;
        result.normal = e1.cross(e2).normalized();
        if (result.normal.dot(extent) > 0.0) result.normal = -result.normal;
        return true;
    }

    /// Whether the part [0, limit] of the ray meets the sphere.
    bool near(const SphereF& s, double limit) const {
        const Vector3 w = centreOf(s) - from;
        const double length2 = extent.squaredNorm();
        const double at = length2 > 0.0 ? std::min(limit, std::max(0.0, w.dot(extent) / length2)) : 0.0;
        const double radius = static_cast<double>(s.radius) * (1.0 + 1e-12) + 1e-12 * w.norm();
        return (w - at * extent).squaredNorm() <= radius * radius;
    }
};

LocalRay localRay(const DeformedBody& body, const Vector3& from, const Vector3& to) {
    const RigidTransform& world = body.worldFromBody();
    return {world.inversePoint(from), world.rotation.transpose() * (to - from)};
}

void toWorld(const DeformedBody& body, TriangleHit& hit) {
    hit.point = body.worldFromBody().point(hit.point);
    hit.normal = body.worldFromBody().direction(hit.normal);
}

}  // namespace

void visitTriangles(const DeformedBody& body, const Aabb& box,
                    FunctionRef<void(const Vector3&, const Vector3&, const Vector3&, int)> visit) {
    const auto near = [&](const SphereF& s) {
        const Vector3 c = centreOf(s);
        const double reach = static_cast<double>(s.radius) * (1.0 + 1e-12);
        return (c - c.cwiseMax(box.lower).cwiseMin(box.upper)).squaredNorm() <= reach * reach;
    };
    descendTriangles(body, near, [&](const DeformedTriangle& t) {
        const Vector3 lower = t.v0.cwiseMin(t.v1).cwiseMin(t.v2), upper = t.v0.cwiseMax(t.v1).cwiseMax(t.v2);
        if ((lower.array() <= box.upper.array()).all() && (upper.array() >= box.lower.array()).all())
            visit(t.v0, t.v1, t.v2, t.index);
    });
}

bool rayTriangles(const DeformedBody& body, const Vector3& from, const Vector3& to, TriangleHit& hit) {
    const LocalRay ray = localRay(body, from, to);
    TriangleHit nearest, found;
    descendTriangles(
        body, [&](const SphereF& s) { return ray.near(s, nearest.fraction); },
        [&](const DeformedTriangle& t) {
            if (!ray.hit(t, found)) return;
            const bool first = nearest.triangle < 0 || found.fraction < nearest.fraction ||
                               (found.fraction == nearest.fraction && found.triangle < nearest.triangle);
            if (first) nearest = found;
        });
    if (nearest.triangle < 0) return false;
    toWorld(body, nearest);
    hit = nearest;
    return true;
}

void rayTriangles(const DeformedBody& body, const Vector3& from, const Vector3& to,
                  FunctionRef<void(const TriangleHit&)> visit) {
    const LocalRay ray = localRay(body, from, to);
    TriangleHit found;
    descendTriangles(
        body, [&](const SphereF& s) { return ray.near(s, 1.0); },
        [&](const DeformedTriangle& t) {
            if (!ray.hit(t, found)) return;
            toWorld(body, found);
            visit(found);
        });
}

}  // namespace pliant
