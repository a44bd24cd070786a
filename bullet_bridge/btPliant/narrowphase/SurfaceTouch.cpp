// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/SurfaceTouch.h"

#include <algorithm>
#include <cmath>

#include "btPliant/data/SystemData.h"
#include "btPliant/narrowphase/FixedNeighbours.h"
#include "btPliant/narrowphase/PassedFaces.h"
#include "btPliant/narrowphase/SeamPassage.h"
#include "btPliant/narrowphase/ShapePoints.h"
#include "btPliant/narrowphase/SortContacts.h"
#include "btPliant/narrowphase/SurfaceSprings.h"
#include "btPliant/narrowphase/TrianglePatch.h"
#include "pliant/touch/SurfaceCap.h"

namespace btPliantInternal {

using pliant::SkeletonContact;
using pliant::Vector3;

namespace {

/// A point of the surface that looks the same way as what it meets, by more than this cosine, is on the far side of a
/// thin body: the near side touches.
constexpr double kSameSide = 0.2;

/// Sine of the angle between a normal and the plane across an edge: up to which a point of the edge touches what is
/// apart from it as yet, and what it has sunk into. Beyond, another point of the edge is nearer.
constexpr double kSlantApart = 0.05, kSlantSunk = 0.7;
/// Cosine between the way to an edge and the normals of the faces beside it, of right angles and wider ones.
constexpr double kFaceOfEdge = 0.5;
constexpr int kTouchIterations = 2;  ///< of the point of a sphere that is nearest to a field

/// A point of a shape that is nearest to the surface of a solid.
struct TouchingPoint {
    Vector3 onShape = Vector3::Zero();  ///< world
    pliant::FieldSample sample;         ///< there
};

/// A field is exact near its surface alone, so that the middle of a large sphere only says where to look.
TouchingPoint touchingPoint(const BodyData& ours, const ShapePoint& shapePoint) {
    TouchingPoint nearest{shapePoint.centre, ours.field->sample(*ours.deformed, shapePoint.centre)};
    for (int i = 0; i < kTouchIterations && shapePoint.radius > 0; ++i) {
        nearest.onShape = shapePoint.centre - shapePoint.radius * nearest.sample.normal;
        nearest.sample = ours.field->sample(*ours.deformed, nearest.onShape);
    }
    return nearest;
}

SkeletonContact contactWithPoint(const BodyData& ours, int number, const TouchingPoint& nearest) {
    SkeletonContact c;
    c.segmentA = ours.field->segmentBelow(*ours.deformed, nearest.sample, c.parameterA);
    c.normal = -nearest.sample.normal;
    c.distance = nearest.sample.distance;
    c.pointB = nearest.onShape;
    c.pointA = c.pointB + c.distance * c.normal;
    c.radiusA = ours.largestRadius;
    c.feature = pliant::contactFeature(c.segmentA, kShapePoint + number, 0);
    return c;
}

/// Of its point A, which an edge of the shape may be below: there the plane across the normal is none of its faces.
void measure(const ShapeField& shape, SkeletonContact& contact) {
    const pliant::FieldSample there = shape.sample(contact.pointA);
    contact.distance = there.distance;
    contact.normal = there.normal;
}

/// Whether the surface around a point of a mesh pushes the way out of the solid.
bool pushes(const ShapePoint& point, const pliant::FieldSample& sample) {
    if (!point.patch) return true;
    if (point.corner >= 0) return point.patch->cornerPushes(point.corner, -sample.normal);
    const double slant = std::abs(sample.normal.dot(point.patch->edgeDirection(point.edge)));
    return slant <= (sample.distance > 0 ? kSlantApart : kSlantSunk) &&
           point.patch->edgePushes(point.edge, -sample.normal);
}

/// Whether a point of a shape with edges may be pushed away from along a normal of the contact: beside the point the
/// shape is left by nearly the whole way along it. Of a plate that has sunk by more than half the nearest way out is on
/// its far side, into the shape.
bool isOutward(const ShapeField& shape, const Vector3& place, const Vector3& normal, double slop) {
    constexpr double nearly = 0.95;
    const double beside = clearOfRounding(place, slop);
    return shape.distance(place + beside * normal) >= nearly * beside;
}

/// Whether the solid goes past a point that is apart from it as yet. Where the point goes in through another face of
/// the solid than the nearest, the plane of that one becomes what it touches.
bool isPassed(const BodyData& ours, const RelativeWay& ways, FixedNeighbours& neighbours, double margins, bool isRound,
              TouchingPoint& nearest) {
    if (isRound) return false;  // as it moves on, another point of it is the nearest
    const Vector3 free = ways.at(nearest.onShape);
    const double distance = nearest.sample.distance - margins, slop = slidingSlop(ours);
    const bool isOnSurface = distance > -slop && distance <= 0.0;  // where an edge has any normal
    if (!isOnSurface && !comesNear(nearest.sample.normal, distance, -free)) return false;
    if (neighbours.cover(nearest.onShape, -nearest.sample.normal)) return true;
    if (isOnSurface) return false;
    const Vector3 way = -neighbours.wayLeft(nearest.onShape, free, 1.0).way;
    const auto fieldAt = [&](double t) {
        pliant::FieldSample there = ours.field->sample(*ours.deformed, nearest.onShape + t * way);
        there.distance -= margins;
        return there;
    };
    const Entry entry = entryOf(fieldAt, way.norm(), slop);
    if (!entry.isThere)
        return goesPast(nearest.sample.normal, distance + nearest.sample.normal.dot(way), fieldAt, slop);
    const double closes = entry.sample.normal.dot(way), ahead = entry.sample.distance - entry.time * closes;
    if (closes < 0.0 && ahead > 0.0 && entry.sample.normal.dot(nearest.sample.normal) > kFaceOfEdge) {
        if (neighbours.cover(nearest.onShape, -entry.sample.normal)) return true;
        nearest.sample = entry.sample;
        nearest.sample.distance = ahead + margins;
    }
    return false;
}

}  // namespace

bool touchesSurface(const ContactPair& pair) {
    return !pair.isSelf() && (dataOf(pair.a).field || (pair.b && dataOf(*pair.b).field));
}

bool mayTouchSurface(const ContactPair& pair) {
    // Which way a surface looks is asked of all points; limbs of ragdolls turn by any angle, and their field tells.
    const bool turns = dataOf(pair.a).ragdoll() != nullptr;
    if (!pair.b && !pair.collider.points && largestCapHeight(pair) == 0.0 && !turns) return false;
    return pair.required != Requirement::Few || !pair.planeCandidates.spheres().empty() ||
           !pair.surfaceCandidates.ofA.segments().empty() || !pair.surfaceCandidates.ofB.segments().empty();
}

double largestSpacing(const ContactPair& pair) {
    double spacing = 0.0;
    for (const btPliantBody* body : {&pair.a, pair.b})
        if (body && dataOf(*body).field) spacing = std::max(spacing, dataOf(*body).field->model().pointSpacing());
    return spacing;
}

double largestCapHeight(const ContactPair& pair) {
    return dataOf(pair.a).field ? dataOf(pair.a).field->model().largestCapHeight() : 0.0;
}

void touchShapePoints(const ContactPair& pair, const PlacedShape& placed, double step, double reach, double margins,
                      bool isFast, SkeletonContacts& out) {
    const BodyData& ours = dataOf(pair.a);
    if (pair.collider.points) {
        const RelativeWay ways(pair, step);
        FixedNeighbours neighbours(pair, slidingSlop(ours));
        ShapeField shape;
        if (pair.collider.hasEdges) pair.collider.field(placed, shape);
        const ShapePointRegion region{ours.deformed->worldBounds(), reach, ours.field->model().pointSpacing()};
        const auto touch = [&](const ShapePoint& point) {
            TouchingPoint nearest = touchingPoint(ours, point);
            if (nearest.sample.normal.isZero(0.0)) return;  // no way out of the solid's middle is the shortest
            if (nearest.sample.distance > reach || !pushes(point, nearest.sample) ||
                isPassed(ours, ways, neighbours, margins, point.radius > 0.0, nearest))
                return;
            if (pair.collider.hasEdges && !isOutward(shape, nearest.onShape, -nearest.sample.normal, slidingSlop(ours)))
                return;
            out.push_back(contactWithPoint(ours, point.number, nearest));
            if (isFast) out.back().closing = -out.back().normal.dot(ways.at(nearest.onShape));
        };
        ShapePointVisitor visitor(placed.transform, region, touch);
        pair.collider.points(placed.shape, visitor);
    }
    sortByFeature(out);
    out.erase(std::unique(out.begin(), out.end(),
                          [](const SkeletonContact& x, const SkeletonContact& y) { return x.feature == y.feature; }),
              out.end());
}

void roundSurface(const ContactPair& pair, const PlacedShape& placed, double reach, SkeletonContacts& found) {
    const BodyData& ours = dataOf(pair.a);
    ShapeField shape;
    if (pair.collider.hasEdges) pair.collider.field(placed, shape);
    const pliant::SurfaceModel& model = ours.field->model();
    const auto mayBeEdge = [&](const SkeletonContact& contact) {
        return pair.collider.hasEdges || isAtSeam(placed.shape, contact);
    };
    const bool areSprings = hasSurfaceSprings(pair);
    std::size_t write = 0;
    for (SkeletonContact contact : found) {
        Vector3 cap = Vector3::Zero();
        const int sphere = ours.deformed->model().skeleton().segments(0, contact.segmentA);
        if (model.isSurfacePoint(sphere)) {
            const Vector3 outward = ours.field->surfaceNormal(*ours.deformed, sphere);
            if (outward.dot(contact.normal) > kSameSide) continue;
            if (!pliant::capFaces(model.surface().shell, sphere, outward, contact.normal) && mayBeEdge(contact))
                continue;
            // A spring stands for the surface around its point, not for the deepest place of it.
            if (!areSprings) cap = pliant::capReach(model.surface().shell, sphere, outward, contact.normal);
            contact.pointA += cap;
            contact.distance += cap.dot(contact.normal);
            if (pair.collider.hasEdges && !cap.isZero(0.0)) measure(shape, contact);
            contact.pointB = contact.pointA - contact.distance * contact.normal;
            contact.radiusA = ours.largestRadius;
        }
        if (!(contact.distance <= reach)) continue;
        if (model.isSurfacePoint(sphere)) contact.parameterA = ours.field->placeBeside(*ours.deformed, sphere, cap);
        found[write++] = contact;
    }
    found.resize(write);
}

}  // namespace btPliantInternal
