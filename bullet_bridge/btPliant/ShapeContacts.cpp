// SPDX-License-Identifier: Zlib
// Swept segments against Bullet's convex shapes (GJK and EPA on the segment's axis; what lies above a face of a box
// needs neither) and triangle shapes.
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletCollision/CollisionShapes/btConvexInternalShape.h>
#include <BulletCollision/CollisionShapes/btTriangleCallback.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <algorithm>

#include "btPliant/Convert.h"
#include "btPliant/PairState.h"
#include "btPliant/SegmentBox.h"
#include "btPliant/SegmentTriangle.h"
#include "pliant/collision/SkeletonQueries.h"

namespace btPliantInternal {

using pliant::Aabb;
using pliant::SkeletonContact;
using pliant::SweptSegment;
using pliant::Vector3;

namespace {

/// The axis of a swept segment as a convex shape without margin; its radius is subtracted afterwards.
class AxisShape : public btConvexInternalShape {
public:
    AxisShape() {
        m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
        m_collisionMargin = 0;
    }
    void set(const btVector3& half) { m_half = half; }
    btVector3 localGetSupportingVertexWithoutMargin(const btVector3& direction) const override {
        return direction.dot(m_half) >= 0 ? m_half : -m_half;
    }
    btVector3 localGetSupportingVertex(const btVector3& direction) const override {
        return localGetSupportingVertexWithoutMargin(direction);
    }
    void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* directions, btVector3* out,
                                                           int count) const override {
        for (int i = 0; i < count; ++i) out[i] = localGetSupportingVertexWithoutMargin(directions[i]);
    }
    void calculateLocalInertia(btScalar, btVector3& inertia) const override { inertia.setValue(0, 0, 0); }
    const char* getName() const override { return "Axis"; }

private:
    btVector3 m_half = btVector3(0, 0, 0);
};

struct NearestPoint : btDiscreteCollisionDetectorInterface::Result {
    void setShapeIdentifiersA(int, int) override {}
    void setShapeIdentifiersB(int, int) override {}
    void addContactPoint(const btVector3& normalOnB, const btVector3& pointOnB, btScalar depth) override {
        if (found && depth >= distance) return;
        normal = normalOnB;
        point = pointOnB;
        distance = depth;
        found = true;
    }
    btVector3 normal, point;
    btScalar distance = 0;
    bool found = false;
};

double largestRadius(const SweptSegment& segment) {
    return std::max(segment.radius[0], segment.radius[1]);
}

Aabb boxOf(const btVector3& lower, const btVector3& upper) {
    Aabb box;
    box.lower = toEigen(lower);
    box.upper = toEigen(upper);
    return box;
}

}  // namespace

void collideConvex(const pliant::DeformedBody& body, const btCollisionShape& shape, const btTransform& transform,
                   double margin, std::vector<SkeletonContact>& out) {
    const auto& convex = static_cast<const btConvexShape&>(shape);
    btVector3 lower, upper;
    convex.getAabb(transform, lower, upper);
    AxisShape axis;
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver penetration;
    btGjkPairDetector detector(&axis, &convex, axis.getShapeType(), convex.getShapeType(), 0, convex.getMargin(),
                               &simplex, &penetration);
    const bool isBox = shape.getShapeType() == BOX_SHAPE_PROXYTYPE;
    const auto add = [&](const SkeletonContact& contact) {
        if (contact.distance <= margin) out.push_back(contact);
    };
    pliant::visitSegmentsNear(body, boxOf(lower, upper), margin, [&](const SweptSegment& segment) {
        const btVector3 ends[2] = {toBullet(segment.end[0]), toBullet(segment.end[1])};
        SegmentBoxContact face;
        if (isBox && nearestAboveFace(static_cast<const btBoxShape&>(shape), transform, ends, segment.radius, face)) {
            add(pliant::makeShapeContact(segment, toEigen(face.onAxis), toEigen(face.onBox), toEigen(face.normal)));
            return;
        }
        axis.set((ends[1] - ends[0]) * btScalar(0.5));
        btDiscreteCollisionDetectorInterface::ClosestPointInput input;
        input.m_transformA.setIdentity();
        input.m_transformA.setOrigin((ends[0] + ends[1]) * btScalar(0.5));
        input.m_transformB = transform;
        // Bullet compares this with the distance of the shapes without their margins: a sphere is all margin.
        const double reach = largestRadius(segment) + margin + static_cast<double>(convex.getMargin());
        input.m_maximumDistanceSquared = static_cast<btScalar>(reach * reach);
        NearestPoint nearest;
        detector.getClosestPoints(input, nearest, nullptr);
        if (!nearest.found) return;
        const Vector3 normal = toEigen(nearest.normal).normalized();
        const Vector3 onOther = toEigen(nearest.point);
        const Vector3 onAxis = onOther + static_cast<double>(nearest.distance) * normal;
        add(pliant::makeShapeContact(segment, onAxis, onOther, normal));
    });
    std::sort(out.begin(), out.end(),
              [](const SkeletonContact& x, const SkeletonContact& y) { return x.feature < y.feature; });
}

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

struct TriangleCollector : btTriangleCallback {
    TriangleCollector(const pliant::DeformedBody& ours, const pliant::ContactHistory& sides, const btTransform& frame,
                      double reach, double otherMargin, std::vector<SkeletonContact>& contacts)
        : body(ours), history(sides), transform(frame), margin(reach), triangleMargin(otherMargin), out(contacts) {}

    void processTriangle(btVector3* local, int part, int index) override {
        const Vector3 triangle[3] = {toEigen(transform * local[0]), toEigen(transform * local[1]),
                                     toEigen(transform * local[2])};
        Aabb box;
        box.lower = triangle[0].cwiseMin(triangle[1]).cwiseMin(triangle[2]);
        box.upper = triangle[0].cwiseMax(triangle[1]).cwiseMax(triangle[2]);
        // Triangles of several parts share index numbers: keep them apart.
        const int feature =
            static_cast<int>((static_cast<unsigned>(index) + 16777259u * static_cast<unsigned>(part)) & 0x7ffffffeu);
        pliant::visitSegmentsNear(body, box, margin + triangleMargin,
                                  [&](const SweptSegment& segment) { meet(segment, triangle, feature); });
    }

    void meet(const SweptSegment& segment, const Vector3 triangle[3], int index) {
        Vector3 storage;
        const Vector3* reference = rememberedNormal(history, segment.index, body.worldFromBody().rotation, storage);
        SegmentTriangleContact nearest;
        if (!nearestSegmentTriangle(segment.end, triangle, reference, body.worldFromBody().translation, nearest))
            return;
        const Vector3 onOther = nearest.onTriangle + triangleMargin * nearest.normal;
        SkeletonContact contact = pliant::makeShapeContact(segment, nearest.axisPoint, onOther, nearest.normal);
        contact.feature = pliant::contactFeature(segment.index, index, 0);
        if (contact.distance <= margin) out.push_back(contact);
    }

    const pliant::DeformedBody& body;
    const pliant::ContactHistory& history;
    const btTransform& transform;
    double margin, triangleMargin;
    std::vector<SkeletonContact>& out;
};

}  // namespace

void collideConcave(const pliant::DeformedBody& body, const pliant::ContactHistory& history,
                    const btCollisionShape& shape, const btTransform& transform, double margin,
                    std::vector<SkeletonContact>& out) {
    const auto& concave = static_cast<const btConcaveShape&>(shape);
    const auto triangleMargin = static_cast<double>(concave.getMargin());
    // Ours in the frame of the triangles.
    pliant::RigidTransform oursInTheirs = toEigen(transform.inverse());
    const pliant::RigidTransform& world = body.worldFromBody();
    oursInTheirs.translation += oursInTheirs.rotation * world.translation;
    oursInTheirs.rotation = oursInTheirs.rotation * world.rotation;
    Aabb box = body.bounds(oursInTheirs);
    box.lower.array() -= margin + triangleMargin;
    box.upper.array() += margin + triangleMargin;
    TriangleCollector collector(body, history, transform, margin, triangleMargin, out);
    concave.processAllTriangles(&collector, toBullet(box.lower), toBullet(box.upper));
    std::sort(out.begin(), out.end(),
              [](const SkeletonContact& x, const SkeletonContact& y) { return x.feature < y.feature; });
}

}  // namespace btPliantInternal
