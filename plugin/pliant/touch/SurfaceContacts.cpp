// SPDX-License-Identifier: Zlib
#include "pliant/touch/SurfaceContacts.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "pliant/touch/EdgeContacts.h"
#include "pliant/touch/PointsInField.h"

namespace pliant {

namespace {

constexpr double kDepthRounding = 1e-6;  ///< of lengths in single precision

/// The sphere that lies farthest along a direction, and how far from the body's origin, m.
double farthestAlong(const DeformedBody& body, const Vector3& direction, int& sphere) {
    double most = -std::numeric_limits<double>::max();
    for (int i = 0; i < body.model().spheres().count(); ++i) {
        const double at = direction.dot(centreOf(body.rotatedSphere(i)));
        if (at <= most) continue;
        most = at;
        sphere = i;
    }
    return most;
}

bool isInside(const TouchingBody& solid, const Vector3& place) {
    const Aabb bounds = solid.body->worldBounds();
    const Vector3 reach = Vector3::Constant(solid.field->model().largestCapHeight());
    if ((place.array() > (bounds.upper + reach).array()).any() ||
        (place.array() < (bounds.lower - reach).array()).any())
        return false;
    return solid.field->sample(*solid.body, place).distance < 0.0;
}

/// Whether a solid holds the origin of another body, which lies in that one's flesh: of a ring or a cup it does not,
/// and what hangs freely in the hole holds it as well.
bool holdsOrigin(const TouchingBody& solid, const TouchingBody& other) {
    if (!solid.field || !other.field) return false;
    const Vector3& origin = other.body->worldFromBody().translation;
    return isInside(solid, origin) && isInside(other, origin);
}

/// Whether bodies overlap by so much that the nearest way out of a point says nothing of the way out of the body: faces
/// that look the same way meet all over, and edges alone may hold the bodies where they are.
bool isSwallowed(const TouchingBody& a, const TouchingBody& b) {
    const double apart = (a.body->worldFromBody().translation - b.body->worldFromBody().translation).norm();
    return apart < std::max(thicknessOf(a), thicknessOf(b)) && holdsOrigin(a, b) && holdsOrigin(b, a);
}

/// Bodies that all but coincide look the same way wherever they meet. One contact parts them along the line between
/// their origins, through both, so that it does not turn them.
void partCoinciding(const TouchingBody& a, const TouchingBody& b, std::vector<SkeletonContact>& out) {
    const Vector3 &originA = a.body->worldFromBody().translation, &originB = b.body->worldFromBody().translation;
    SkeletonContact c;
    c.normal = originA - originB;
    const double length = c.normal.norm();
    c.normal = length > 0.0 ? Vector3(c.normal / length) : Vector3(Vector3::UnitX());
    int lowest = 0, highest = 0;
    c.pointA = originA - farthestAlong(*a.body, -c.normal, lowest) * c.normal;
    c.pointB = originB + farthestAlong(*b.body, c.normal, highest) * c.normal;
    c.distance = (c.pointA - c.pointB).dot(c.normal);
    c.segmentA = a.body->model().ownerSegment(lowest);
    c.segmentB = b.body->model().ownerSegment(highest);
    c.radiusA = thicknessOf(a);
    c.radiusB = thicknessOf(b);
    c.feature = contactFeature(c.segmentA, c.segmentB, 0);
    if (c.distance < 0.0) out.push_back(c);
}

/// Metres that two bodies are from each other at least, as a plane across the line between their origins tells; not
/// above zero: nothing is known. As the boxes of bodies, it takes the surface between their points to stand out by no
/// more than the caps do.
double gapBetween(const TouchingBody& a, const TouchingBody& b) {
    if (!isAllSurface(a) || !isAllSurface(b)) return 0.0;
    const Vector3 between = b.body->worldFromBody().translation - a.body->worldFromBody().translation;
    const double length = between.norm();
    if (!(length > 0.0)) return 0.0;
    const Vector3 n = between / length;
    const double caps = a.field->model().largestCapHeight() + b.field->model().largestCapHeight();
    const double gap = length * (1.0 - kDepthRounding) - a.field->reachAlong(n) - b.field->reachAlong(-n) - caps;
    return gap < kLargestMotion ? gap : 0.0;  // else there are no points, or no numbers
}

/// Whether the lists of a pair say that nothing is near, so that nobody has brought its fields up to date.
bool nothingIsNear(const TouchingBody& a, const TouchingBody& b, double margin, const SurfacePairSides& sides,
                   const SurfacePairCandidates& candidates) {
    return candidates.ofA.segments().empty() && candidates.ofB.segments().empty() &&
           !surfacesNeedBoxes(a, b, margin, sides, candidates);
}

}  // namespace

bool surfacesNeedBoxes(const TouchingBody& a, const TouchingBody& b, double margin, const SurfacePairSides& sides,
                       const SurfacePairCandidates& candidates) {
    const auto lacks = [margin](const TouchingBody& points, const TouchingBody& solid, const SurfaceSides& remembered,
                                const SurfaceCandidates& list) {
        return solid.field && !list.cover(*points.body, *solid.body, lookedWithin(margin, solid, remembered),
                                          thinnerOf(points, solid));
    };
    return lacks(a, b, sides.ofA, candidates.ofA) || lacks(b, a, sides.ofB, candidates.ofB);
}

void collideSurfaces(const TouchingBody& a, const TouchingBody& b, const SurfaceReach& reach, double way,
                     SurfacePairSides& sides, SurfacePairCandidates& candidates, std::vector<SkeletonContact>& out) {
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    const double apart = nothingIsNear(a, b, reach.margin, sides, candidates) ? 0.0 : gapBetween(a, b);
    if (b.field) PointsInField(a, b, true).find(reach, way, apart, sides.ofA, candidates.ofA, out);
    if (a.field) PointsInField(b, a, false).find(reach, way, apart, sides.ofB, candidates.ofB, out);
    const bool isUntouched = out.begin() + first == out.end();
    const bool coincide = isUntouched ? holdsOrigin(a, b) || holdsOrigin(b, a) : isSwallowed(a, b);
    if (coincide) partCoinciding(a, b, out);
    if (reach.edges && !coincide) collideEdges(a, b, reach.margin, static_cast<std::size_t>(first), out);
    std::sort(out.begin() + first, out.end(),
              [](const SkeletonContact& x, const SkeletonContact& y) { return x.feature < y.feature; });
}

}  // namespace pliant
