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
#include <LinearMath/btAabbUtil2.h>

#include <algorithm>

#include "btPliant/body/Convert.h"
#include "btPliant/narrowphase/ContactPair.h"
#include "btPliant/narrowphase/SegmentBox.h"
#include "btPliant/narrowphase/SegmentTriangle.h"
#include "pliant/collision/pair/SegmentPath.h"
#include "pliant/collision/pair/SkeletonQueries.h"

namespace btPliantInternal {

using pliant::Aabb;
using pliant::CapsuleSegment;
using pliant::SkeletonContact;
using pliant::Vector3;

namespace {

constexpr double kAnywhere = 1e6;  ///< metres

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

double largestRadius(const CapsuleSegment& segment) {
    return std::max(segment.radius[0], segment.radius[1]);
}

Aabb boxOf(const btVector3& lower, const btVector3& upper) {
    Aabb box;
    box.lower = toEigen(lower);
    box.upper = toEigen(upper);
    return box;
}

/// Nearest points of segments and one convex shape.
class ConvexProbe {
public:
    ConvexProbe(const btCollisionShape& shape, const btTransform& transform)
        : m_shape(static_cast<const btConvexShape&>(shape)),
          m_transform(transform),
          m_isBox(shape.getShapeType() == BOX_SHAPE_PROXYTYPE),
          m_detector(&m_axis, &m_shape, m_axis.getShapeType(), m_shape.getShapeType(), 0, m_shape.getMargin(),
                     &m_simplex, &m_penetration) {}

    Aabb bounds() const {
        btVector3 lower, upper;
        m_shape.getAabb(m_transform, lower, upper);
        return boxOf(lower, upper);
    }

    /// @return whether there is a contact within `margin` (or, of some shapes, a little farther off)
    bool meet(const CapsuleSegment& segment, double margin, SkeletonContact& contact) {
        const btVector3 ends[2] = {toBullet(segment.end[0]), toBullet(segment.end[1])};
        SegmentBoxContact face;
        if (m_isBox &&
            nearestAboveFace(static_cast<const btBoxShape&>(m_shape), m_transform, ends, segment.radius, face)) {
            contact =
                pliant::makeShapeContact(segment, toEigen(face.onAxis), toEigen(face.onBox), toEigen(face.normal));
            return true;
        }
        m_axis.set((ends[1] - ends[0]) * btScalar(0.5));
        btDiscreteCollisionDetectorInterface::ClosestPointInput input;
        input.m_transformA.setIdentity();
        input.m_transformA.setOrigin((ends[0] + ends[1]) * btScalar(0.5));
        input.m_transformB = m_transform;
        // Bullet compares this with the distance of the shapes without their margins: a sphere is all margin.
        const double reach = largestRadius(segment) + margin + static_cast<double>(m_shape.getMargin());
        input.m_maximumDistanceSquared = static_cast<btScalar>(reach * reach);
        NearestPoint nearest;
        m_detector.getClosestPoints(input, nearest, nullptr);
        if (!nearest.found) return false;
        const Vector3 normal = toEigen(nearest.normal).normalized();
        const Vector3 onOther = toEigen(nearest.point);
        const Vector3 onAxis = onOther + static_cast<double>(nearest.distance) * normal;
        contact = pliant::makeShapeContact(segment, onAxis, onOther, normal);
        return true;
    }

private:
    const btConvexShape& m_shape;
    const btTransform& m_transform;
    bool m_isBox;
    AxisShape m_axis;
    btVoronoiSimplexSolver m_simplex;
    btGjkEpaPenetrationDepthSolver m_penetration;
    btGjkPairDetector m_detector;
};

void sortByFeature(std::vector<SkeletonContact>& contacts) {
    std::sort(contacts.begin(), contacts.end(),
              [](const SkeletonContact& x, const SkeletonContact& y) { return x.feature < y.feature; });
}

}  // namespace

void collideConvex(const pliant::DeformedBody& body, const btCollisionShape& shape, const btTransform& transform,
                   double margin, std::vector<SkeletonContact>& out) {
    ConvexProbe probe(shape, transform);
    SkeletonContact contact;
    pliant::visitSegmentsNear(body, probe.bounds(), margin, [&](const CapsuleSegment& segment) {
        if (probe.meet(segment, margin, contact) && contact.distance <= margin) out.push_back(contact);
    });
    sortByFeature(out);
}

void collideConvexContinuous(const pliant::DeformedBody& body, const btCollisionShape& shape,
                             const btTransform& transform, const pliant::RigidTransform& back, double margin,
                             std::vector<SkeletonContact>& out) {
    ConvexProbe probe(shape, transform);
    SkeletonContact contact;
    for (const pliant::SegmentPath& path : pliant::pathsNear(body, back, probe.bounds(), margin)) {
        const auto meet = [&probe](const CapsuleSegment& segment, SkeletonContact& nearest) {
            return probe.meet(segment, kAnywhere, nearest);
        };
        if (path.firstContact(margin, meet, contact)) out.push_back(contact);
    }
    sortByFeature(out);
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

/// Nearest points of segments and the triangles of one shape.
struct TriangleProbe {
    const pliant::DeformedBody& body;
    const pliant::ContactHistory& history;
    double triangleMargin;

    bool meet(const CapsuleSegment& segment, const Vector3 triangle[3], int index, SkeletonContact& contact) const {
        Vector3 storage;
        const Vector3* reference = rememberedNormal(history, segment.index, body.worldFromBody().rotation, storage);
        SegmentTriangleContact found;
        if (!nearestSegmentTriangle(segment.end, triangle, reference, body.worldFromBody().translation, found))
            return false;
        const Vector3 onOther = found.onTriangle + triangleMargin * found.normal;
        contact = pliant::makeShapeContact(segment, found.axisPoint, onOther, found.normal);
        contact.feature = pliant::contactFeature(segment.index, index, 0);
        return true;
    }
};

/// Calls visit(corners, bounds, index) for triangles of a shape, in the world.
template <typename Visit>
class TriangleVisitor : public btTriangleCallback {
public:
    TriangleVisitor(const btTransform& transform, const Visit& visit) : m_transform(transform), m_visit(visit) {}
    void processTriangle(btVector3* local, int part, int index) override {
        const Vector3 triangle[3] = {toEigen(m_transform * local[0]), toEigen(m_transform * local[1]),
                                     toEigen(m_transform * local[2])};
        Aabb box;
        box.lower = triangle[0].cwiseMin(triangle[1]).cwiseMin(triangle[2]);
        box.upper = triangle[0].cwiseMax(triangle[1]).cwiseMax(triangle[2]);
        // Triangles of several parts share index numbers: keep them apart.
        const int feature =
            static_cast<int>((static_cast<unsigned>(index) + 16777259u * static_cast<unsigned>(part)) & 0x7ffffffeu);
        m_visit(triangle, box, feature);
    }

private:
    const btTransform& m_transform;
    const Visit& m_visit;
};

/// Triangles that may lie in a box of the shape's own frame.
template <typename Visit>
void visitTriangles(const btConcaveShape& shape, const btTransform& transform, Aabb box, double margin,
                    const Visit& visit) {
    box.lower.array() -= margin;
    box.upper.array() += margin;
    TriangleVisitor<Visit> visitor(transform, visit);
    shape.processAllTriangles(&visitor, toBullet(box.lower), toBullet(box.upper));
}

}  // namespace

void collideConcave(const pliant::DeformedBody& body, const pliant::ContactHistory& history,
                    const btCollisionShape& shape, const btTransform& transform, double margin,
                    std::vector<SkeletonContact>& out) {
    const auto& concave = static_cast<const btConcaveShape&>(shape);
    const TriangleProbe probe{body, history, static_cast<double>(concave.getMargin())};
    // Ours in the frame of the triangles.
    pliant::RigidTransform oursInTheirs = toEigen(transform.inverse());
    const pliant::RigidTransform& world = body.worldFromBody();
    oursInTheirs.translation += oursInTheirs.rotation * world.translation;
    oursInTheirs.rotation = oursInTheirs.rotation * world.rotation;
    const double reach = margin + probe.triangleMargin;
    SkeletonContact contact;
    visitTriangles(concave, transform, body.bounds(oursInTheirs), reach,
                   [&](const Vector3 triangle[3], const Aabb& box, int index) {
                       pliant::visitSegmentsNear(body, box, reach, [&](const CapsuleSegment& segment) {
                           if (probe.meet(segment, triangle, index, contact) && contact.distance <= margin)
                               out.push_back(contact);
                       });
                   });
    sortByFeature(out);
}

void collideConcaveContinuous(const pliant::DeformedBody& body, const pliant::ContactHistory& history,
                              const btCollisionShape& shape, const btTransform& transform,
                              const pliant::RigidTransform& back, double margin, std::vector<SkeletonContact>& out) {
    const auto& concave = static_cast<const btConcaveShape&>(shape);
    const TriangleProbe probe{body, history, static_cast<double>(concave.getMargin())};
    const double reach = margin + probe.triangleMargin;
    const std::vector<pliant::SegmentPath> paths = pliant::allPaths(body, back);
    std::vector<Aabb> bounds;
    Aabb whole, local;
    for (const pliant::SegmentPath& path : paths) {
        bounds.push_back(path.bounds());
        whole.lower = bounds.size() == 1 ? bounds[0].lower : whole.lower.cwiseMin(bounds.back().lower).eval();
        whole.upper = bounds.size() == 1 ? bounds[0].upper : whole.upper.cwiseMax(bounds.back().upper).eval();
    }
    btVector3 lower, upper;
    btTransformAabb(toBullet(whole.lower), toBullet(whole.upper), 0, transform.inverse(), lower, upper);
    local = boxOf(lower, upper);
    SkeletonContact contact;
    visitTriangles(concave, transform, local, reach, [&](const Vector3 triangle[3], const Aabb& box, int index) {
        for (std::size_t i = 0; i < paths.size(); ++i) {
            if (!pliant::nearBoxes(bounds[i], box, reach)) continue;
            const auto meet = [&](const CapsuleSegment& segment, SkeletonContact& nearest) {
                return probe.meet(segment, triangle, index, nearest);
            };
            if (paths[i].firstContact(margin, meet, contact)) out.push_back(contact);
        }
    });
    sortByFeature(out);
}

}  // namespace btPliantInternal
