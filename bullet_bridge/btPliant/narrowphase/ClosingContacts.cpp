// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/ClosingContacts.h"

#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <LinearMath/btTransformUtil.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "btPliant/data/Convert.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/narrowphase/MotionPrediction.h"
#include "btPliant/narrowphase/ShapeAxis.h"
#include "btPliant/narrowphase/SurfaceTouch.h"

namespace btPliantInternal {

using pliant::SkeletonContact;
using pliant::Vector3;

namespace {

/// Whether a segment stands for a point of a surface that is flat there, or has a straight edge.
bool isOnFlat(const btPliantBody& body, int segment) {
    const BodyData& data = dataOf(body);
    if (!data.field || data.character || segment < 0) return false;  // frames do not tell where bones carry flesh
    const int sphere = data.deformed->model().skeleton().segments(0, segment);
    return data.field->model().isOnFlat(sphere);
}

/// Whether a shape is flat where it touches along a unit normal: planes and what is convex and has faces alone are, and
/// the ends of a cylinder. Triangles tell how points close by themselves (shapes/Triangles.cpp).
bool isFlatAt(const PlacedShape& placed, const Vector3& normal) {
    constexpr double along = 0.9999;
    const btCollisionShape& shape = placed.shape;
    if (shape.getShapeType() == CYLINDER_SHAPE_PROXYTYPE) {
        const btVector3 axis = placed.transform.getBasis().getColumn(axisOfRevolution(shape));
        return std::fabs(toEigen(axis).dot(normal)) > along;
    }
    return hasFlatSides(shape);
}

/// The way of what a body carries in a step as it moves now, turned about its frame's origin, not along the chord.
class CarriedWay {
public:
    CarriedWay(const btCollisionObject& object, double step) {
        const btRigidBody* body = btRigidBody::upcast(&object);
        if (!body || !movesInStep(*body)) return;
        btTransform ahead;
        btTransformUtil::integrateTransform(body->getWorldTransform(), body->getLinearVelocity(),
                                            body->getAngularVelocity(), static_cast<btScalar>(step), ahead);
        m_carried = toEigen(ahead * body->getWorldTransform().inverse());
    }
    Vector3 of(const Vector3& place) const { return m_carried.point(place) - place; }

private:
    pliant::RigidTransform m_carried;
};

/// The way of points of a solid in a step by its deformation, where that is far for them; zero where it is not, and of
/// other bodies. Keeps its memory from one use to the next.
class BendingWay {
public:
    void begin(const btPliantBody* body, double step) {
        m_body = nullptr;
        if (!body || !dataOf(*body).field || dataOf(*body).character) return;
        const BodyData& data = dataOf(*body);
        const double most = data.group->collision->largestGain() * data.batch().predictedChangeBound(data.slot, step);
        if (!(most > kFarOfSolids * data.field->model().pointSpacing()) || !std::isfinite(most)) return;
        m_body = body;
        m_size = data.batch().model().dimension();
        if (m_change.size() < m_size) m_change.resize(m_size);
        data.batch().predict(data.slot, step, m_change.data());
        m_change.head(m_size) -= data.batch().q(data.slot);
    }
    /// @param segment whose first sphere moves as the point does
    Vector3 of(int segment) const {
        if (!m_body || segment < 0) return Vector3::Zero();
        const pliant::DeformedBody& deformed = *dataOf(*m_body).deformed;
        const pliant::ContactSkeleton& skeleton = deformed.model().skeleton();
        const auto rows = skeleton.basis.middleRows<3>(3 * skeleton.segments(0, segment));
        return deformed.worldFromBody().rotation * (rows.leftCols(m_size).cast<double>() * m_change.head(m_size));
    }

private:
    const btPliantBody* m_body = nullptr;
    Eigen::Index m_size = 0;   ///< r
    pliant::VectorX m_change;  ///< Of q, r x 1; longer where a larger body was there before.
};

/// How deep contacts would end the step, by how near they are at its start, of each of the sides that they are on.
/// Keeps its memory from one use to the next.
class DepthsAhead {
public:
    void clear() { m_entries.clear(); }
    /// What is no number is left out.
    void add(const Vector3& normal, double distance, double depth) {
        if (std::isfinite(distance) && std::isfinite(depth)) m_entries.push_back({distance, depth, normal});
    }
    void sort() {
        std::sort(m_entries.begin(), m_entries.end(),
                  [](const Entry& x, const Entry& y) { return x.distance < y.distance; });
    }
    /// Of the deepest that is nearer than a distance and has a normal like this one; zero where none is inside.
    double ofNearer(const Vector3& normal, double distance) const {
        constexpr double alike = 0.8;  // as contacts of one patch (SelectOptions)
        double deepest = 0.0;
        for (const Entry& entry : m_entries) {
            if (!(entry.distance < distance)) break;
            if (entry.depth > deepest && entry.normal.dot(normal) >= alike) deepest = entry.depth;
        }
        return deepest;
    }

    /// Depths of the thread that asks.
    static DepthsAhead& ofThread() {
        static thread_local DepthsAhead depths;
        return depths;
    }

private:
    struct Entry {
        double distance, depth;
        Vector3 normal;
    };
    std::vector<Entry> m_entries;
};

}  // namespace

Closing noteClosing(const ContactPair& pair, const PlacedShape& placed, double step, SkeletonContacts& found) {
    constexpr double slop = 0.02;      // of the distance between surface points
    constexpr double roundSlop = 0.1;  // more of it, of what is round
    constexpr double share = 0.1;      // of the way
    const double spacing = largestSpacing(pair);
    if (!(approachOfShapes(pair, step) > kFarOfSolids * spacing)) return Closing::None;
    const CarriedWay ours(pair.a, step), theirs(*pair.other, step);
    const bool countsAll = mayStrikeAside(pair);
    static thread_local BendingWay bends;
    bends.begin(countsAll ? &pair.a : nullptr, step);
    const auto closingOf = [&](const SkeletonContact& contact) {
        const Vector3 way = theirs.of(contact.pointA) - ours.of(contact.pointA) - bends.of(contact.segmentA);
        return contact.normal.dot(way);
    };
    DepthsAhead& ahead = DepthsAhead::ofThread();
    ahead.clear();
    for (const SkeletonContact& contact : found)
        if (countsAll) ahead.add(contact.normal, contact.distance, closingOf(contact) - contact.distance);
    ahead.sort();
    Closing all = Closing::None;
    for (SkeletonContact& contact : found) {
        const bool areFlat = isOnFlat(pair.a, contact.segmentA) && (!pair.b || isOnFlat(*pair.b, contact.segmentB));
        if (contact.closing != 0.0 || !(areFlat || countsAll) || !(pair.b || isFlatAt(placed, contact.normal)))
            continue;
        const double closing = closingOf(contact), least = slop * spacing + share * closing;
        if (!(closing - contact.distance > least)) continue;
        const double held = areFlat ? 0.0 : ahead.ofNearer(contact.normal, contact.distance) + roundSlop * spacing;
        if (!(closing - contact.distance > held + least)) continue;
        contact.closing = closing;
        if (!pair.b && all != Closing::Flat) all = areFlat ? Closing::Flat : Closing::Round;
    }
    return all;
}

}  // namespace btPliantInternal
