// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/SkeletonQueries.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {

namespace {

/// Calls segment(index) for the segments of every leaf on whose way from the root near(box) was true, and of inner
/// nodes goesOn(box) too.
template <typename Near, typename GoesOn, typename Segment>
void descend(const DeformedBody& body, const Near& near, const GoesOn& goesOn, const Segment& segment) {
    const BDTree& tree = body.model().skeletonTree();
    if (tree.nodes.empty()) return;
    std::array<int, CollisionModel::maximumTreeDepth + 2> stack;
    std::size_t open = 0;
    stack[open++] = 0;
    while (open > 0) {
        const int i = stack[--open];
        const BoxF& box = body.rotatedBox(i);
        if (!near(box)) continue;
        const BDTreeNode& node = tree.nodes[static_cast<std::size_t>(i)];
        if (node.firstChild >= 0) {
            if (!goesOn(box)) continue;
            stack[open++] = node.firstChild + 1;
            stack[open++] = node.firstChild;
            continue;
        }
        for (int k = 0; k < node.itemCount; ++k) segment(tree.items[static_cast<std::size_t>(node.firstItem + k)]);
    }
}

template <typename Near, typename Segment>
void descend(const DeformedBody& body, const Near& near, const Segment& segment) {
    descend(
        body, near, [](const BoxF&) { return true; }, segment);
}

/// Squared, m^2; 0 inside.
double squaredDistance(const BoxF& box, const Vector3& point) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double outside =
            std::max(static_cast<double>(box.lower[k]) - point[k], point[k] + static_cast<double>(box.negUpper[k]));
        if (outside > 0.0) sum += outside * outside;
    }
    return sum;
}

/// Metres that the float corners of a body's boxes may be off, with room (1e-6 = 16 x 2^-24).
double rounding(const DeformedBody& body) {
    if (body.model().skeletonTree().nodes.empty()) return 0.0;
    const BoxF& root = body.outerBox();
    double most = 0.0;
    for (int k = 0; k < 3; ++k)
        most = std::max(most, static_cast<double>(std::max(std::fabs(root.lower[k]), std::fabs(root.negUpper[k]))));
    return 1e-6 * most;
}

/// Of the corners of a box, n . x of the lowest.
double lowestAlong(const BoxF& box, const Vector3& normal) {
    double lowest = 0.0;
    for (int k = 0; k < 3; ++k)
        lowest += normal[k] * static_cast<double>(normal[k] > 0.0 ? box.lower[k] : -box.negUpper[k]);
    return lowest;
}

/// Squared distance of x from the axis of a segment.
double squaredDistanceToAxis(const CapsuleSegment& s, const Vector3& x) {
    const Vector3 extent = s.end[1] - s.end[0];
    const double length2 = extent.squaredNorm();
    const double at = length2 > 0.0 ? std::min(1.0, std::max(0.0, extent.dot(x - s.end[0]) / length2)) : 0.0;
    return (s.end[0] + at * extent - x).squaredNorm();
}

Vector3 vectorOf(const float* x) {
    return {static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2])};
}

/// With a plane. @param centre of the sphere, world
SkeletonContact sphereContact(const DeformedBody& a, int sphere, const Vector3& centre, double radius,
                              const Vector3& normal, double distance) {
    SkeletonContact c;
    c.radiusA = radius;
    c.distance = distance;
    c.segmentA = a.model().ownerSegment(sphere);
    const int end = a.model().skeleton().segments(0, c.segmentA) == sphere ? 0 : 1;
    c.parameterA = static_cast<float>(end);
    c.normal = normal;
    c.pointA = centre - c.radiusA * normal;
    c.pointB = c.pointA - c.distance * normal;
    c.feature = contactFeature(c.segmentA, -1, end);
    return c;
}

void sortByFeature(std::vector<SkeletonContact>& contacts, std::size_t first) {
    std::sort(contacts.begin() + static_cast<std::ptrdiff_t>(first), contacts.end(),
              [](const SkeletonContact& x, const SkeletonContact& y) { return x.feature < y.feature; });
}

/// Calls visit(sphere) for all spheres that may come below `level` along the direction, origin at the body's, and
/// perhaps for a few that do not. All of them one after the other: that costs a tenth of bringing the boxes of the tree
/// up to date for it.
template <typename Visit>
void visitLowSpheres(const DeformedBody& a, const Vector3& normal, double level, const Visit& visit) {
    static thread_local std::vector<float> room;
    const float* s = a.rotatedSpheres(room);
    const Eigen::Vector3f direction = normal.cast<float>();
    const auto lowest = static_cast<float>(level + 2.0 * rounding(a));  // twice: for the float products below
    const int count = a.model().spheres().count();
    for (int sphere = 0; sphere < count; ++sphere, s += 4)
        if (direction[0] * s[0] + direction[1] * s[1] + direction[2] * s[2] - s[3] <= lowest) visit(sphere);
}

}  // namespace

bool isBeyond(const DeformedBody& a, const Vector3& normal, double offset, double margin) {
    if (a.model().spheres().count() == 0) return true;
    const double level = offset - normal.dot(a.worldFromBody().translation);
    return lowestAlong(a.outerBox(), normal) > level + margin + rounding(a);
}

bool halfSpaceNeedsAllSpheres(const DeformedBody& a, const Vector3& normal, double offset, double margin,
                              const PlaneCandidates& candidates) {
    return !isBeyond(a, normal, offset, margin) && !candidates.cover(a, normal, offset, margin);
}

void collideHalfSpace(const DeformedBody& a, const Vector3& normal, double offset, double margin,
                      std::vector<SkeletonContact>& out, PlaneCandidates* candidates) {
    const Vector3& origin = a.worldFromBody().translation;
    const double level = offset - normal.dot(origin);
    const std::size_t first = out.size();
    if (isBeyond(a, normal, offset, margin)) return;
    const auto touch = [&](int sphere) {
        const SphereF s = a.rotatedSphere(sphere);
        const Vector3 centre = centreOf(s);
        const double radius = static_cast<double>(s.radius), distance = normal.dot(centre) - level - radius;
        if (distance <= margin) out.push_back(sphereContact(a, sphere, origin + centre, radius, normal, distance));
    };
    if (!candidates) {
        visitLowSpheres(a, normal, level + margin, touch);
    } else {
        if (!candidates->cover(a, normal, offset, margin)) {
            static thread_local std::vector<int> low;
            low.clear();
            const double reach = margin + PlaneCandidates::skin(a);
            visitLowSpheres(a, normal, level + reach, [](int sphere) { low.push_back(sphere); });
            candidates->keep(a, normal, offset, reach, low);
        }
        for (const int sphere : candidates->spheres()) touch(sphere);
    }
    sortByFeature(out, first);
}

void collideHalfSpaceContinuous(const DeformedBody& a, const Vector3& normal, double offset, const RigidTransform& back,
                                double margin, std::vector<SkeletonContact>& out) {
    const Vector3 &origin = a.worldFromBody().translation, &predictedOrigin = a.predictedOrigin();
    const std::size_t first = out.size();
    for (int sphere = 0; sphere < a.model().spheres().count(); ++sphere) {
        const float *now = a.rotatedSpheres() + 4 * sphere, *predicted = a.predictedSpheres() + 4 * sphere;
        const Vector3 centre = origin + vectorOf(now);
        const Vector3 then = back.rotation * (predictedOrigin + vectorOf(predicted)) + back.translation;
        const double radius = static_cast<double>(now[3]), distance = normal.dot(centre) - offset - radius;
        const double closing = normal.dot(centre - then);
        if (!(std::min(distance, distance - closing) <= margin)) continue;
        out.push_back(sphereContact(a, sphere, centre, radius, normal, distance));
        out.back().closing = closing;
    }
    sortByFeature(out, first);
}

void visitSegmentsNear(const DeformedBody& a, const Aabb& box, double margin,
                       FunctionRef<bool(const Vector3&, double)> mayTouch,
                       FunctionRef<void(const CapsuleSegment&)> visit) {
    const Vector3 reach = Vector3::Constant(margin + rounding(a));
    const Vector3 lower = box.lower - a.worldFromBody().translation - reach;
    const Vector3 upper = box.upper - a.worldFromBody().translation + reach;
    const auto near = [&](const BoxF& node) {
        for (int k = 0; k < 3; ++k)
            if (static_cast<double>(node.lower[k]) > upper[k] || -static_cast<double>(node.negUpper[k]) < lower[k])
                return false;
        return true;
    };
    const auto goesOn = [&](const BoxF& node) {
        Vector3 centre, half;
        for (int k = 0; k < 3; ++k) {
            const double low = static_cast<double>(node.lower[k]), high = -static_cast<double>(node.negUpper[k]);
            centre[k] = 0.5 * (low + high);
            half[k] = 0.5 * (high - low);
        }
        return mayTouch(a.worldFromBody().translation + centre, half.norm() + rounding(a));
    };
    descend(a, near, goesOn, [&](int index) {
        const CapsuleSegment s = a.segment(index);
        const Vector3 r0 = Vector3::Constant(s.radius[0] + margin), r1 = Vector3::Constant(s.radius[1] + margin);
        const Vector3 low = (s.end[0] - r0).cwiseMin(s.end[1] - r1);
        const Vector3 high = (s.end[0] + r0).cwiseMax(s.end[1] + r1);
        if ((low.array() <= box.upper.array()).all() && (high.array() >= box.lower.array()).all()) visit(s);
    });
}

void visitSegmentsNear(const DeformedBody& a, const Aabb& box, double margin,
                       FunctionRef<void(const CapsuleSegment&)> visit) {
    visitSegmentsNear(
        a, box, margin, [](const Vector3&, double) { return true; }, visit);
}

void visitSegmentsNear(const DeformedBody& a, const Vector3& centre, double radius, double margin,
                       FunctionRef<void(const CapsuleSegment&)> visit) {
    const Vector3 local = centre - a.worldFromBody().translation;
    const double reach = radius + margin, limit = reach + 2.0 * rounding(a);
    const auto near = [&](const BoxF& node) { return squaredDistance(node, local) <= limit * limit; };
    descend(a, near, [&](int index) {
        const CapsuleSegment s = a.segment(index);
        const double most = std::max(s.radius[0], s.radius[1]) + reach;
        if (squaredDistanceToAxis(s, centre) <= most * most) visit(s);
    });
}

SkeletonContact makeShapeContact(const CapsuleSegment& segment, const Vector3& axisPoint, const Vector3& pointOnOther,
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
