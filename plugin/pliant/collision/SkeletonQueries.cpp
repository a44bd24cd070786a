// SPDX-License-Identifier: Zlib
#include "pliant/collision/SkeletonQueries.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {

namespace {

Vector3 centreOf(const SphereF& s) {
    return {static_cast<double>(s.x), static_cast<double>(s.y), static_cast<double>(s.z)};
}

/// Calls segment(index) for the segments of every leaf on whose way from the root near(sphere) was true (body frame).
template <typename Near, typename Segment>
void descend(const DeformedBody& body, const Near& near, const Segment& segment) {
    const BDTree& tree = body.model().skeletonTree();
    if (tree.nodes.empty()) return;
    std::array<int, CollisionModel::maximumTreeDepth + 2> stack;
    std::size_t open = 0;
    stack[open++] = 0;
    while (open > 0) {
        const int i = stack[--open];
        if (!near(body.skeletonNode(i))) continue;
        const BDTreeNode& node = tree.nodes[static_cast<std::size_t>(i)];
        if (node.firstChild >= 0) {
            stack[open++] = node.firstChild + 1;
            stack[open++] = node.firstChild;
            continue;
        }
        for (int k = 0; k < node.itemCount; ++k) segment(tree.items[static_cast<std::size_t>(node.firstItem + k)]);
    }
}

double distanceToBox(const Vector3& x, const Aabb& box) {
    return (x - x.cwiseMax(box.lower).cwiseMin(box.upper)).norm();
}

/// Squared distance of x from the axis of a segment.
double squaredDistanceToAxis(const SweptSegment& s, const Vector3& x) {
    const Vector3 extent = s.end[1] - s.end[0];
    const double length2 = extent.squaredNorm();
    const double at = length2 > 0.0 ? std::min(1.0, std::max(0.0, extent.dot(x - s.end[0]) / length2)) : 0.0;
    return (s.end[0] + at * extent - x).squaredNorm();
}

}  // namespace

void collideHalfSpace(const DeformedBody& a, const Vector3& normal, double offset, double margin,
                      std::vector<SkeletonContact>& out) {
    const RigidTransform& world = a.worldFromBody();
    const Vector3 n = world.rotation.transpose() * normal;
    const double level = offset - normal.dot(world.translation);
    const auto height = [&](const SphereF& s) { return n.dot(centreOf(s)) - level - static_cast<double>(s.radius); };
    const auto& segments = a.model().skeleton().segments;
    const std::size_t first = out.size();
    const auto test = [&](int segment) {
        for (int end = 0; end < 2; ++end) {
            const int ball = segments(end, segment);
            if (a.model().ownerSegment(ball) != segment || (end == 1 && ball == segments(0, segment))) continue;
            const SphereF s = a.ball(ball);
            const double distance = height(s);
            if (distance > margin) continue;
            SkeletonContact c;
            c.segmentA = segment;
            c.parameterA = static_cast<float>(end);
            c.normal = normal;
            c.distance = distance;
            c.radiusA = static_cast<double>(s.radius);
            c.pointA = world.point(centreOf(s) - c.radiusA * n);
            c.pointB = c.pointA - distance * normal;
            c.feature = contactFeature(segment, -1, end);
            out.push_back(c);
        }
    };
    // 1e-12: the same sphere is rounded differently as a node's and as a ball's.
    const double slack = 1e-12 * (std::abs(level) + margin + 1.0);
    descend(
        a, [&](const SphereF& s) { return height(s) <= margin + slack; }, test);
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
              [](const SkeletonContact& x, const SkeletonContact& y) { return x.feature < y.feature; });
}

void visitSegmentsNear(const DeformedBody& a, const Aabb& box, double margin,
                       FunctionRef<void(const SweptSegment&)> visit) {
    const RigidTransform& world = a.worldFromBody();
    const double slack = 1e-12 * (box.lower.cwiseAbs().maxCoeff() + box.upper.cwiseAbs().maxCoeff() + 1.0);
    const auto near = [&](const SphereF& s) {
        return distanceToBox(world.point(centreOf(s)), box) <= static_cast<double>(s.radius) + margin + slack;
    };
    descend(a, near, [&](int index) {
        const SweptSegment s = a.segment(index);
        const Vector3 r0 = Vector3::Constant(s.radius[0] + margin), r1 = Vector3::Constant(s.radius[1] + margin);
        const Vector3 lower = (s.end[0] - r0).cwiseMin(s.end[1] - r1);
        const Vector3 upper = (s.end[0] + r0).cwiseMax(s.end[1] + r1);
        if ((lower.array() <= box.upper.array()).all() && (upper.array() >= box.lower.array()).all()) visit(s);
    });
}

void visitSegmentsNear(const DeformedBody& a, const Vector3& centre, double radius, double margin,
                       FunctionRef<void(const SweptSegment&)> visit) {
    const Vector3 local = a.worldFromBody().inversePoint(centre);
    const double reach = radius + margin, slack = 1e-12 * (centre.norm() + reach + 1.0);
    const auto near = [&](const SphereF& s) {
        return (centreOf(s) - local).norm() <= static_cast<double>(s.radius) + reach + slack;
    };
    descend(a, near, [&](int index) {
        const SweptSegment s = a.segment(index);
        const double most = std::max(s.radius[0], s.radius[1]) + reach;
        if (squaredDistanceToAxis(s, centre) <= most * most) visit(s);
    });
}

SkeletonContact makeShapeContact(const SweptSegment& segment, const Vector3& axisPoint, const Vector3& pointOnOther,
                                 const Vector3& normal, int part) {
    SkeletonContact c;
    const Vector3 extent = segment.end[1] - segment.end[0];
    const double length2 = extent.squaredNorm();
    const double at =
        length2 > 0.0 ? std::min(1.0, std::max(0.0, extent.dot(axisPoint - segment.end[0]) / length2)) : 0.0;
    c.segmentA = segment.index;
    c.parameterA = static_cast<float>(at);
    c.radiusA = segment.radius[0] + at * (segment.radius[1] - segment.radius[0]);
    c.normal = normal;
    c.pointA = segment.end[0] + at * extent - c.radiusA * normal;
    c.pointB = pointOnOther;
    c.distance = (c.pointA - c.pointB).dot(normal);
    c.feature = contactFeature(segment.index, -1, part);
    return c;
}

}  // namespace pliant
