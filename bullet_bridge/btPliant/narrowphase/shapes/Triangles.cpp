// SPDX-License-Identifier: Zlib
// Swept segments against triangles, one by one.
#include "btPliant/narrowphase/shapes/Triangles.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <LinearMath/btAabbUtil2.h>

#include <algorithm>
#include <cmath>

#include "btPliant/data/ContactPair.h"
#include "btPliant/data/Convert.h"
#include "btPliant/narrowphase/MotionPrediction.h"
#include "btPliant/narrowphase/NearbyTriangles.h"
#include "btPliant/narrowphase/SeamPassage.h"
#include "btPliant/narrowphase/SegmentTriangle.h"
#include "btPliant/narrowphase/SortContacts.h"
#include "btPliant/narrowphase/TriangleReach.h"
#include "pliant/collision/pair/SegmentPath.h"
#include "pliant/collision/pair/SkeletonQueries.h"

namespace btPliantInternal {

using pliant::Aabb;
using pliant::CapsuleSegment;
using pliant::SkeletonContact;
using pliant::Vector3;

namespace {

/// Last substep's normal of any contact of the segment, in the world; null when it had none.
const Vector3* rememberedNormal(const pliant::ContactHistory& history, int segment, const pliant::Matrix3& rotation,
                                Vector3& storage) {
    const auto& entries = history.entries();
    const auto found = std::lower_bound(
        entries.begin(), entries.end(), pliant::contactFeature(segment, -1, 0),
        [](const pliant::ContactHistory::Entry& entry, std::uint64_t feature) { return entry.feature < feature; });
    if (found == entries.end() || found->segmentA != segment) return nullptr;
    storage = rotation * found->normal;
    return &storage;
}

/// Of the distance between surface points, by which a field may be off.
constexpr double kFieldError = 0.01;

/// The side of a triangle that a point of a solid has come from, where it lies behind: its surface looks away from
/// there, the middle of the body is there, and the triangle cuts the body beneath the point. A body that starts on a
/// mesh, or a hair below, has no history that could tell.
/// @return false where it does not lie behind
bool sideOfSunkPoint(const pliant::DeformedBody& body, const pliant::DeformedField& field,
                     const CapsuleSegment& segment, const Vector3 triangle[3], Vector3& side) {
    const int sphere = body.model().skeleton().segments(0, segment.index);
    if (!field.model().isSurfacePoint(sphere)) return false;
    const Vector3 N = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]).normalized();
    const double depth = N.dot(segment.end[0] - triangle[0]);
    side = N.dot(body.worldFromBody().translation - triangle[0]) >= 0.0 ? N : Vector3(-N);
    if (depth * side.dot(N) > 0.0 || std::abs(depth) > field.model().surface().thickness) return false;
    if (!(side.dot(field.surfaceNormal(body, sphere)) < 0.0)) return false;
    const double error = kFieldError * field.model().pointSpacing();
    return field.sample(body, segment.end[0] - depth * N).distance <= error;
}

/// Nearest points of segments and the triangles of one shape.
struct TriangleProbe {
    const pliant::DeformedBody& body;
    const pliant::ContactHistory& history;
    double triangleMargin;
    const TrianglePatch& patch;
    const pliant::DeformedField* field = nullptr;  ///< of a solid that is where it is now

    /// @param found what the contact is made of
    bool meet(const CapsuleSegment& segment, const TrianglePatch::Triangle& of, SegmentTriangleContact& found,
              SkeletonContact& contact) const {
        const Vector3* triangle = of.corners;
        Vector3 storage;
        const Vector3* reference = rememberedNormal(history, segment.index, body.worldFromBody().rotation, storage);
        if (!reference && field && sideOfSunkPoint(body, *field, segment, triangle, storage)) reference = &storage;
        if (!nearestSegmentTriangle(segment.end, triangle, reference, body.worldFromBody().translation, found))
            return false;
        const Vector3 onOther = found.onTriangle + triangleMargin * found.normal;
        contact = pliant::makeShapeContact(segment, found.axisPoint, onOther, found.normal);
        contact.feature = pliant::contactFeature(segment.index, of.feature, 0);
        return true;
    }

    /// Whether a contact is the triangle's, not that of a neighbour of it which is nearer.
    /// @param onSeam whether it is with an edge or a corner
    bool isOwn(const TrianglePatch::Triangle& of, const SegmentTriangleContact& found, bool& onSeam) const {
        return patch.trianglePushes(of, found.onTriangle, found.normal, onSeam);
    }
};

/// @param below m, that a body's points may have sunk into the triangle
Aabb boundsOf(const TrianglePatch::Triangle& triangle, const Vector3& centre, double below) {
    const Vector3* corners = triangle.corners;
    Aabb box{corners[0].cwiseMin(corners[1]).cwiseMin(corners[2]),
             corners[0].cwiseMax(corners[1]).cwiseMax(corners[2])};
    if (below == 0.0) return box;
    const Vector3 N = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
    const Vector3 way = (N.dot(centre - corners[0]) >= 0.0 ? -below : below) * N;
    box.lower += way.cwiseMin(0.0);
    box.upper += way.cwiseMax(0.0);
    return box;
}

/// Calls `touch` for the segments of a body that may touch a triangle.
/// @param box around it  @param behind how far behind it they may lie, m
void visitNear(const pliant::DeformedBody& body, const TrianglePatch::Triangle& triangle, const Aabb& box, double reach,
               double behind, pliant::FunctionRef<void(const CapsuleSegment&, const TrianglePatch::Triangle&)> touch) {
    const TriangleReach near(triangle.corners, reach, behind);
    pliant::visitSegmentsNear(
        body, box, reach, [&near](const Vector3& centre, double radius) { return near.mayTouch(centre, radius); },
        [&](const CapsuleSegment& segment) {
            if (near.mayTouch(segment)) touch(segment, triangle);
        });
}

/// Triangles that may lie in a box of the shape's own frame.
NearbyTriangles& trianglesIn(const btConcaveShape& shape, const btTransform& transform, Aabb box, double margin) {
    NearbyTriangles& nearby = NearbyTriangles::ofThread();
    box.lower.array() -= margin;
    box.upper.array() += margin;
    nearby.shape = &shape;
    nearby.atSeams.clear();
    nearby.patch.collect(shape, transform, toBullet(box.lower), toBullet(box.upper));
    return nearby;
}

/// Makes a contact with the nearest point of a triangle one with its plane.
void meetPlane(const PointWay& point, const TriangleSide& side, SkeletonContact& contact) {
    contact.normal = side.normal;
    contact.distance = side.start;
    contact.pointA = point.from;
    contact.pointB = point.from - side.start * side.normal;
}

/// The contacts of one point of a surface with triangles.
struct SurfacePointProbe {
    const TriangleProbe& triangles;
    const PassageRule& rule;

    /// A way from an open edge to a point that is as near as rounding and settling leave it has no direction: such a
    /// point is above the triangle.
    void settleOnOpenEdge(const PointWay& point, const TrianglePatch::Triangle& triangle, SegmentTriangleContact& found,
                          SkeletonContact& contact) const {
        const bool isOn = (point.from - found.onTriangle).squaredNorm() <= rule.slop * rule.slop;
        if (!isOn || !triangles.patch.isOnOpenEdge(triangle, found.onTriangle)) return;
        const TriangleSide side = sideOf(point, triangle, rule);
        found.normal = side.normal;
        meetPlane(point, side, contact);
    }

    /// @param contact of the nearest point of the triangle; becomes that with the plane which the point runs into where
    /// another triangle is nearer to it as yet, beyond a hollow edge
    /// @return whether it is one; @param onSeam whether with an edge or a corner
    bool touches(const PointWay& point, const TrianglePatch::Triangle& triangle, SegmentTriangleContact found,
                 SkeletonContact& contact, bool& onSeam) const {
        settleOnOpenEdge(point, triangle, found, contact);
        if (!triangles.isOwn(triangle, found, onSeam)) {
            TriangleSide side;
            if (!passesThrough(point, triangle, rule, rule.slop, side)) return false;
            meetPlane(point, side, contact);
            onSeam = false;
        }
        contact.closing = -contact.normal.dot(point.way);
        return true;
    }
};

}  // namespace

bool hasTriangles(const btCollisionObjectWrapper& other) {
    return other.getCollisionShape()->isConcave() && !btPliantShape::upcast(other.getCollisionShape());
}

void triangleDiscrete(ContactPair& pair, const PlacedShape& placed, double margin, SkeletonContacts& out) {
    const auto& concave = static_cast<const btConcaveShape&>(placed.shape);
    const btTransform& transform = placed.transform;
    const BodyData& ours = dataOf(pair.a);
    const pliant::DeformedBody& body = *ours.deformed;
    const pliant::DeformedField* field = ours.field ? &*ours.field : nullptr;
    // Ours in the frame of the triangles.
    pliant::RigidTransform oursInTheirs = toEigen(transform.inverse());
    const pliant::RigidTransform& world = body.worldFromBody();
    oursInTheirs.translation += oursInTheirs.rotation * world.translation;
    oursInTheirs.rotation = oursInTheirs.rotation * world.rotation;
    const auto triangleMargin = static_cast<double>(concave.getMargin());
    const double reach = margin + triangleMargin;
    // Points that have sunk by no more than this are still found: from there on the next ones hold the body.
    const double sunk = field ? field->model().pointSpacing() : 0.0;
    NearbyTriangles& nearby = trianglesIn(concave, transform, body.bounds(oursInTheirs), reach);
    const TriangleProbe probe{body, pair.history, triangleMargin, nearby.patch, field};
    const RelativeWay ways(pair, pair.query ? 0.0 : pair.system.stepLength);  // a question is about now
    const PassageRule rule{world.translation, triangleMargin, field ? slidingSlop(ours) : 0.0};
    const SurfacePointProbe surface{probe, rule};
    SkeletonContact contact;
    SegmentTriangleContact found;
    const auto isSurfacePoint = [&](const CapsuleSegment& segment) {
        return field && field->model().isSurfacePoint(body.model().skeleton().segments(0, segment.index));
    };
    const auto touch = [&](const CapsuleSegment& segment, const TrianglePatch::Triangle& triangle) {
        if (!probe.meet(segment, triangle, found, contact) || contact.distance > margin) return;
        bool onSeam = false;
        if (isSurfacePoint(segment)) {
            if (!surface.touches({segment.end[0], ways.at(segment.end[0])}, triangle, found, contact, onSeam)) return;
            if (onSeam) nearby.atSeams.push_back(contact.feature);
        } else if (!probe.isOwn(triangle, found, onSeam)) {
            return;
        }
        out.push_back(contact);
    };
    const double behind = field ? std::max(sunk, field->model().surface().thickness) : ours.largestRadius;
    for (const TrianglePatch::Triangle& triangle : nearby.patch.triangles())
        visitNear(body, triangle, boundsOf(triangle, world.translation, sunk), reach, behind, touch);
    sortByFeature(out);
    std::sort(nearby.atSeams.begin(), nearby.atSeams.end());
}

void triangleContinuous(ContactPair& pair, const PlacedShape& placed, double step, double margin,
                        SkeletonContacts& out) {
    const auto& concave = static_cast<const btConcaveShape&>(placed.shape);
    const btTransform& transform = placed.transform;
    const pliant::DeformedBody& body = *dataOf(pair.a).deformed;
    const auto triangleMargin = static_cast<double>(concave.getMargin());
    const double reach = margin + triangleMargin;
    const std::vector<pliant::SegmentPath> paths = pliant::allPaths(body, wayBack(*pair.other, step));
    std::vector<Aabb> bounds;
    Aabb whole, local;
    for (const pliant::SegmentPath& path : paths) {
        bounds.push_back(path.bounds());
        whole.lower = bounds.size() == 1 ? bounds[0].lower : whole.lower.cwiseMin(bounds.back().lower).eval();
        whole.upper = bounds.size() == 1 ? bounds[0].upper : whole.upper.cwiseMax(bounds.back().upper).eval();
    }
    btVector3 lower, upper;
    btTransformAabb(toBullet(whole.lower), toBullet(whole.upper), 0, transform.inverse(), lower, upper);
    local = {toEigen(lower), toEigen(upper)};
    const TrianglePatch& patch = trianglesIn(concave, transform, local, reach).patch;
    const TriangleProbe probe{body, pair.history, triangleMargin, patch};
    SkeletonContact contact;
    SegmentTriangleContact found;
    bool onSeam = false;
    for (const TrianglePatch::Triangle& triangle : patch.triangles()) {
        const Aabb box = boundsOf(triangle, body.worldFromBody().translation, 0.0);
        for (std::size_t i = 0; i < paths.size(); ++i) {
            if (!pliant::nearBoxes(bounds[i], box, reach)) continue;
            const auto meet = [&](const CapsuleSegment& segment, SkeletonContact& nearest) {
                return probe.meet(segment, triangle, found, nearest);
            };
            if (paths[i].firstContact(margin, meet, contact) && probe.isOwn(triangle, found, onSeam))
                out.push_back(contact);
        }
    }
    sortByFeature(out);
}

}  // namespace btPliantInternal
