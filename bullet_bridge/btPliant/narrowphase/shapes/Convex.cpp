// SPDX-License-Identifier: Zlib
// Swept segments against Bullet's convex shapes: GJK and EPA on the segment's axis; what lies above a face of a box
// needs neither.
#include "btPliant/narrowphase/shapes/Convex.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btConvexInternalShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <algorithm>

#include "btPliant/data/ContactPair.h"
#include "btPliant/data/Convert.h"
#include "btPliant/narrowphase/ConvexBounds.h"
#include "btPliant/narrowphase/MotionPrediction.h"
#include "btPliant/narrowphase/SegmentBox.h"
#include "btPliant/narrowphase/SortContacts.h"
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

/// Nearest points of segments and one convex shape.
class ConvexProbe {
public:
    ConvexProbe(const ContactPair& pair, const PlacedShape& placed, bool isBox)
        : m_shape(static_cast<const btConvexShape&>(placed.shape)),
          m_transform(placed.transform),
          m_isBox(isBox),
          m_detector(&m_axis, &m_shape, m_axis.getShapeType(), m_shape.getShapeType(), 0, m_shape.getMargin(),
                     &m_simplex, &m_penetration),
          m_hasField(dataOf(pair.a).field && pair.collider.hasEdges) {
        if (m_hasField) pair.collider.field(placed, m_field);
    }

    Aabb bounds() const {
        btVector3 lower, upper;
        m_shape.getAabb(m_transform, lower, upper);
        return {toEigen(lower), toEigen(upper)};
    }

    /// @return whether there is a contact within `margin` (or, of some shapes, a little farther off)
    bool meet(const CapsuleSegment& segment, double margin, SkeletonContact& contact) {
        if (m_hasField && segment.end[0] == segment.end[1]) return meetPoint(segment, contact);
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
    /// Points of a solid's surface meet the shape as it is seen, with sharp edges: Bullet rounds them by its margin, so
    /// that the seam between two boxes would be a groove.
    bool meetPoint(const CapsuleSegment& segment, SkeletonContact& contact) const {
        const Vector3& point = segment.end[0];
        const pliant::FieldSample there = m_field.sample(point);
        if (there.normal.isZero(0.0)) return false;
        contact = pliant::makeShapeContact(segment, point, point - there.distance * there.normal, there.normal);
        return true;
    }

    const btConvexShape& m_shape;
    const btTransform& m_transform;
    bool m_isBox;
    AxisShape m_axis;
    btVoronoiSimplexSolver m_simplex;
    btGjkEpaPenetrationDepthSolver m_penetration;
    btGjkPairDetector m_detector;
    bool m_hasField;
    ShapeField m_field;
};

void collide(ContactPair& pair, const PlacedShape& placed, bool isBox, double reach, SkeletonContacts& out) {
    ConvexProbe probe(pair, placed, isBox);
    const ConvexBounds bounds(static_cast<const btConvexShape&>(placed.shape), placed.transform);
    SkeletonContact contact;
    const auto mayTouch = [&](const Vector3& centre, double radius) { return bounds.mayTouch(centre, radius, reach); };
    pliant::visitSegmentsNear(
        *dataOf(pair.a).deformed, probe.bounds(), reach, mayTouch, [&](const CapsuleSegment& segment) {
            if (bounds.mayTouch(segment, reach) && probe.meet(segment, reach, contact) && contact.distance <= reach)
                out.push_back(contact);
        });
    sortByFeature(out);
}

void collideContinuous(ContactPair& pair, const PlacedShape& placed, bool isBox, double step, double reach,
                       SkeletonContacts& out) {
    ConvexProbe probe(pair, placed, isBox);
    const ConvexBounds bounds(static_cast<const btConvexShape&>(placed.shape), placed.transform);
    SkeletonContact contact;
    const pliant::RigidTransform back = wayBack(*pair.other, step);
    for (const pliant::SegmentPath& path : pliant::pathsNear(*dataOf(pair.a).deformed, back, probe.bounds(), reach)) {
        const auto meet = [&probe](const CapsuleSegment& segment, SkeletonContact& nearest) {
            return probe.meet(segment, kAnywhere, nearest);
        };
        if (bounds.mayTouch(path, reach) && path.firstContact(reach, meet, contact)) out.push_back(contact);
    }
    sortByFeature(out);
}

}  // namespace

void convexDiscrete(ContactPair& pair, const PlacedShape& placed, double reach, SkeletonContacts& out) {
    collide(pair, placed, false, reach, out);
}

void convexContinuous(ContactPair& pair, const PlacedShape& placed, double step, double reach, SkeletonContacts& out) {
    collideContinuous(pair, placed, false, step, reach, out);
}

void boxDiscrete(ContactPair& pair, const PlacedShape& placed, double reach, SkeletonContacts& out) {
    collide(pair, placed, true, reach, out);
}

void boxContinuous(ContactPair& pair, const PlacedShape& placed, double step, double reach, SkeletonContacts& out) {
    collideContinuous(pair, placed, true, step, reach, out);
}

}  // namespace btPliantInternal
