// SPDX-License-Identifier: Zlib
// Swept segments against the distance that Bullet interpolates: on every axis the point that is nearest or deepest.
#include "btPliant/narrowphase/shapes/DistanceField.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionShapes/btSdfCollisionShape.h>
#include <LinearMath/btAabbUtil2.h>

#include <algorithm>
#include <cmath>

#include "btPliant/data/ContactPair.h"
#include "btPliant/data/Convert.h"
#include "btPliant/narrowphase/MotionPrediction.h"
#include "btPliant/narrowphase/ShapePoints.h"
#include "btPliant/narrowphase/SortContacts.h"
#include "pliant/collision/pair/SegmentPath.h"
#include "pliant/collision/pair/SkeletonQueries.h"

namespace btPliantInternal {

using pliant::CapsuleSegment;
using pliant::SkeletonContact;
using pliant::Vector3;

namespace {

constexpr int kAxisParts = 4;     ///< of an axis, between whose ends the least distance is looked for
constexpr int kRefinements = 12;  ///< halvings of the interval around the nearest of them
constexpr int kMostCells = 256;   ///< of the grid of surface points, along the longest side

struct Distance {
    double value = 0;                       ///< m, negative inside
    btVector3 normal = btVector3(0, 0, 0);  ///< unit, shape frame, out of the surface
};

/// Bullet's field, and a lower bound of the distance around it.
class Field {
public:
    explicit Field(const btCollisionShape& shape) : m_shape(static_cast<const btSdfCollisionShape&>(shape)) {
        m_shape.getAabb(btTransform::getIdentity(), m_lower, m_upper);
    }
    const btVector3& lower() const { return m_lower; }
    const btVector3& upper() const { return m_upper; }

    /// @param local in the frame of the shape @return false where the field has no value
    bool distance(const btVector3& local, Distance& found) const {
        btVector3 within = local;
        within.setMax(m_lower);
        within.setMin(m_upper);
        btScalar value = 0;
        btVector3 gradient(0, 0, 0);
        // The query changes nothing, though Bullet has not declared it so.
        if (!const_cast<btSdfCollisionShape&>(m_shape).queryPoint(within, value, gradient)) return false;
        if (gradient.fuzzyZero()) return false;
        found = {static_cast<double>(value - m_shape.getMargin()), gradient.normalized()};
        const btVector3 beyond = local - within;
        const auto outside = static_cast<double>(beyond.length());
        if (outside > 0) {
            found.value = std::max(found.value - outside, outside - static_cast<double>(m_shape.getMargin()));
            found.normal = (beyond + found.normal * btMax(value, btScalar(0))).normalized();
        }
        return true;
    }

private:
    const btSdfCollisionShape& m_shape;
    btVector3 m_lower, m_upper;
};

class FieldProbe {
public:
    explicit FieldProbe(const PlacedShape& placed) : m_field(placed.shape), m_transform(placed.transform) {}

    pliant::Aabb bounds() const {
        btVector3 lower, upper;
        btTransformAabb(m_field.lower(), m_field.upper(), 0, m_transform, lower, upper);
        return {toEigen(lower), toEigen(upper)};
    }

    bool meet(const CapsuleSegment& segment, SkeletonContact& contact) const {
        double best = 0, least = 0;
        bool found = false;
        const auto look = [&](double t) {
            Distance there;
            if (!sample(segment, t, there)) return;
            const double gap = there.value - radiusAt(segment, t);
            if (found && gap >= least) return;
            found = true;
            least = gap;
            best = t;
        };
        const int parts = segment.end[0] == segment.end[1] ? 0 : kAxisParts;
        for (int i = 0; i <= parts; ++i) look(parts > 0 ? static_cast<double>(i) / parts : 0.0);
        double width = parts > 0 ? 0.5 / parts : 0.0;
        for (int i = 0; i < kRefinements && parts > 0; ++i, width /= 2) {
            const double middle = best;
            if (middle - width >= 0) look(middle - width);
            if (middle + width <= 1) look(middle + width);
        }
        Distance nearest;
        if (!found || !sample(segment, best, nearest)) return false;
        const Vector3 normal = toEigen(btVector3(m_transform.getBasis() * nearest.normal)).normalized();
        const Vector3 onAxis = pointAt(segment, best);
        contact = pliant::makeShapeContact(segment, onAxis, onAxis - nearest.value * normal, normal);
        return true;
    }

private:
    static Vector3 pointAt(const CapsuleSegment& segment, double t) {
        return segment.end[0] + t * (segment.end[1] - segment.end[0]);
    }
    static double radiusAt(const CapsuleSegment& segment, double t) {
        return segment.radius[0] + t * (segment.radius[1] - segment.radius[0]);
    }
    bool sample(const CapsuleSegment& segment, double t, Distance& found) const {
        return m_field.distance(m_transform.invXform(toBullet(pointAt(segment, t))), found);
    }

    Field m_field;
    const btTransform& m_transform;
};

}  // namespace

bool isField(const btCollisionObjectWrapper& other) {
    // Users' own concave shapes have the same number.
    return dynamic_cast<const btSdfCollisionShape*>(other.getCollisionShape()) != nullptr;
}

void fieldDiscrete(ContactPair& pair, const PlacedShape& placed, double reach, SkeletonContacts& out) {
    const FieldProbe probe(placed);
    SkeletonContact contact;
    pliant::visitSegmentsNear(*dataOf(pair.a).deformed, probe.bounds(), reach, [&](const CapsuleSegment& segment) {
        if (probe.meet(segment, contact) && contact.distance <= reach) out.push_back(contact);
    });
    sortByFeature(out);
}

void fieldContinuous(ContactPair& pair, const PlacedShape& placed, double step, double reach, SkeletonContacts& out) {
    const FieldProbe probe(placed);
    const pliant::RigidTransform back = wayBack(*pair.other, step);
    SkeletonContact contact;
    for (const pliant::SegmentPath& path : pliant::pathsNear(*dataOf(pair.a).deformed, back, probe.bounds(), reach)) {
        const auto meet = [&probe](const CapsuleSegment& segment, SkeletonContact& nearest) {
            return probe.meet(segment, nearest);
        };
        if (path.firstContact(reach, meet, contact)) out.push_back(contact);
    }
    sortByFeature(out);
}

void fieldPoints(const btCollisionShape& shape, ShapePointVisitor& visitor) {
    const Field field(shape);
    const btVector3 size = field.upper() - field.lower();
    const btScalar longest = size[size.maxAxis()];
    const btScalar cell = btMax(static_cast<btScalar>(visitor.region().spacing), longest / btScalar(kMostCells));
    btVector3 lower, upper;
    visitor.localBounds(cell, lower, upper);
    int first[3], last[3];
    for (int k = 0; k < 3; ++k) {
        const auto cells = static_cast<int>(std::floor(size[k] / cell));
        const auto cellOf = [&](btScalar at) {  // a place far away, or none, has no number as an int
            const btScalar number = (at - field.lower()[k]) / cell;
            return number > 0 ? static_cast<int>(btMin(number, btScalar(cells))) : 0;
        };
        first[k] = cellOf(lower[k]);
        last[k] = cellOf(upper[k]);
    }
    Distance there;
    for (int i = first[0]; i <= last[0]; ++i)
        for (int j = first[1]; j <= last[1]; ++j)
            for (int k = first[2]; k <= last[2]; ++k) {
                const btVector3 at = field.lower() + cell * btVector3(btScalar(i), btScalar(j), btScalar(k));
                if (!field.distance(at, there) || std::fabs(there.value) > static_cast<double>(cell)) continue;
                const int number = (i * (kMostCells + 1) + j) * (kMostCells + 1) + k;
                visitor.add(at - there.normal * static_cast<btScalar>(there.value), 0, number & 0x00ffffff);
            }
}

}  // namespace btPliantInternal
