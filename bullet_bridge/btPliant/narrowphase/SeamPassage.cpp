// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/SeamPassage.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "btPliant/narrowphase/NearbyTriangles.h"

namespace btPliantInternal {

using pliant::SkeletonContact;
using pliant::Vector3;

namespace {

/// Of the square of an edge, by which a way through the edge may miss a triangle: two share it.
constexpr double kBesideEdge = 1e-9;

/// @param normal of the triangle's plane, of either side  @param place of any height above it
bool isAbove(const Vector3 triangle[3], const Vector3& normal, const Vector3& place) {
    const double turns = normal.dot((triangle[1] - triangle[0]).cross(triangle[2] - triangle[0])) < 0.0 ? -1.0 : 1.0;
    const Vector3 N = turns * normal;
    for (int i = 0; i < 3; ++i) {
        const Vector3 edge = triangle[(i + 1) % 3] - triangle[i];
        if (N.dot(edge.cross(place - triangle[i])) < -kBesideEdge * edge.squaredNorm()) return false;
    }
    return true;
}

}  // namespace

TriangleSide sideOf(const PointWay& point, const TrianglePatch::Triangle& triangle, const PassageRule& rule) {
    const Vector3* corners = triangle.corners;
    const Vector3 N = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
    const double height = N.dot(point.from - corners[0]);
    const bool isBeside = std::abs(height) <= rule.slop + rule.margins;
    const double sign = (isBeside ? N.dot(rule.centre - corners[0]) : height) >= 0.0 ? 1.0 : -1.0;
    TriangleSide side;
    side.normal = sign * N;
    side.start = sign * height - rule.margins;
    side.end = side.start + side.normal.dot(point.way);
    return side;
}

bool passesThrough(const PointWay& point, const TrianglePatch::Triangle& triangle, const PassageRule& rule,
                   double depth, TriangleSide& side) {
    side = sideOf(point, triangle, rule);
    if (!(side.end < -depth && side.end < side.start)) return false;
    // What slides in a hollow meets the edge itself, a rounding below or above: a slop behind the plane there is no
    // doubt.
    const double share = std::max(0.0, side.start + depth) / (side.start - side.end);
    return isAbove(triangle.corners, side.normal, point.from + share * point.way);
}

namespace {

/// Whether the way may come within a distance of the triangle: most are elsewhere.
bool mayMeet(const PointWay& point, const TrianglePatch::Triangle& triangle, double reach) {
    const Vector3* c = triangle.corners;
    const Vector3 to = point.from + point.way;
    for (int k = 0; k < 3; ++k)
        if (std::min(point.from[k], to[k]) > std::max({c[0][k], c[1][k], c[2][k]}) + reach ||
            std::max(point.from[k], to[k]) < std::min({c[0][k], c[1][k], c[2][k]}) - reach)
            return false;
    return true;
}

}  // namespace

bool isAtSeam(const btCollisionShape& shape, const SkeletonContact& contact) {
    const NearbyTriangles& nearby = NearbyTriangles::ofThread();
    return nearby.shape == &shape && std::binary_search(nearby.atSeams.begin(), nearby.atSeams.end(), contact.feature);
}

void leaveOutPassedSeams(const ContactPair& pair, const PlacedShape& placed, double step, double margins,
                         SkeletonContacts& found) {
    const NearbyTriangles& nearby = NearbyTriangles::ofThread();
    if (nearby.shape != &placed.shape || nearby.atSeams.empty()) return;
    const RelativeWay ways(pair, step);
    const BodyData& ours = dataOf(pair.a);
    const PassageRule rule{ours.deformed->worldFromBody().translation,
                           margins + static_cast<double>(placed.shape.getMargin()), slidingSlop(ours)};
    const auto isPassed = [&](const SkeletonContact& contact) {
        if (!isAtSeam(placed.shape, contact)) return false;
        const PointWay point{contact.pointA, ways.at(contact.pointA)};
        if (!comesNear(contact.normal, contact.distance - margins, point.way)) return false;
        const double behindPlane = contact.distance - margins + contact.normal.dot(point.way);
        TriangleSide side;
        for (const TrianglePatch::Triangle& triangle : nearby.patch.triangles()) {
            if (!mayMeet(point, triangle, rule.margins + rule.slop)) continue;
            if (!passesThrough(point, triangle, rule, -kOnFace * rule.slop, side)) continue;
            const bool isSameFace = side.normal.dot(contact.normal) >= kSameFace && side.end <= behindPlane + rule.slop;
            if (isSameFace || passesThrough(point, triangle, rule, rule.slop, side)) return false;
        }
        return true;
    };
    found.erase(std::remove_if(found.begin(), found.end(), isPassed), found.end());
}

}  // namespace btPliantInternal
