// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/PassedFaces.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "btPliant/data/Convert.h"
#include "btPliant/narrowphase/FixedNeighbours.h"

namespace btPliantInternal {

using pliant::FieldSample;
using pliant::SkeletonContact;
using pliant::Vector3;

namespace {

/// Cosine between normals of faces below which they turn their backs on each other.
constexpr double kOppositeFace = -0.3;
/// Cosine from which on normals are one face's but for rounding.
constexpr double kOneFace = 0.9999;
/// Cosine between a way and the normal against which it goes, of what is ahead: the way to an edge from a point that
/// lies on it has any direction.
constexpr double kAhead = 0.05;
constexpr int kParts = 8;  ///< of a way, between which the field is asked
/// Of the distance between surface points, by which what slides on a face may have sunk into it.
constexpr double kSlop = 0.02;

/// Whether a solid is thicker than its points are apart. Frames tell where the points of firm ones go in a step; those
/// of sheets bend out of the way, and what is left out of a sheet is behind it in the next step.
bool isFirm(const BodyData& solid) {
    return solid.field->model().surface().thickness >= solid.field->model().pointSpacing();
}

}  // namespace

RelativeWay::RelativeWay(const ContactPair& pair, double step) {
    const auto h = static_cast<btScalar>(step);
    m_linear = toEigen(pair.a.getLinearVelocity() * h);
    m_angular = toEigen(pair.a.getAngularVelocity() * h);
    m_origin = toEigen(pair.a.getCenterOfMassPosition());
    const btRigidBody* other = btRigidBody::upcast(pair.other);
    m_otherLinear = other ? toEigen(other->getLinearVelocity() * h) : Vector3::Zero();
    m_otherAngular = other ? toEigen(other->getAngularVelocity() * h) : Vector3::Zero();
    m_otherOrigin = toEigen(pair.other->getWorldTransform().getOrigin());
}

Vector3 RelativeWay::at(const Vector3& place) const {
    return m_linear + m_angular.cross(place - m_origin) - m_otherLinear - m_otherAngular.cross(place - m_otherOrigin);
}

bool comesNear(const Vector3& normal, double distance, const Vector3& way) {
    return distance > 0.0 && distance + normal.dot(way) < 0.0;
}

bool goesPast(const Vector3& normal, double endBehindPlane, pliant::FunctionRef<FieldSample(double)> fieldAt,
              double slop) {
    const FieldSample end = fieldAt(1.0);
    const double alike = end.normal.dot(normal);
    const bool isSameFace = alike >= kSameFace && end.distance <= endBehindPlane + slop;
    if (alike < kOppositeFace || end.distance <= (isSameFace ? kOnFace * slop : -slop)) return false;
    for (int i = 1; i < kParts; ++i)
        if (fieldAt(static_cast<double>(i) / kParts).distance <= -slop) return false;
    return true;
}

double slidingSlop(const BodyData& ours) {
    return kSlop * ours.field->model().pointSpacing();
}

namespace {

void takePlane(const Vector3& normal, double distance, const Vector3& way, SkeletonContact& contact) {
    contact.normal = normal;
    contact.distance = distance;
    contact.pointB = contact.pointA - distance * normal;
    if (contact.closing != 0.0) contact.closing = -normal.dot(way);
}

/// What becomes of the contacts of a surface's points with one shape.
class PointsOnTheirWay {
public:
    PointsOnTheirWay(const ContactPair& pair, const PlacedShape& placed, double step, double margins)
        : m_ways(pair, step), m_slop(slidingSlop(dataOf(pair.a))), m_neighbours(pair, m_slop) {
        m_field.margins = margins;
        pair.collider.field(placed, m_field.shape);
    }

    /// A point that is apart from an edge is held by the plane across the way to it; where it goes in through one of
    /// the faces beside the edge, the plane of that one is its contact.
    /// @return whether the point goes past
    bool leavesOut(SkeletonContact& contact) {
        const Vector3 free = m_ways.at(contact.pointA);
        const double distance = contact.distance - m_field.margins;
        if (!(distance > 0.0) && !isBehindByARounding(contact, distance, free)) return false;
        if (distance > 0.0 && !comesNear(contact.normal, distance, free)) return false;
        Vector3 way = free;
        Entry entry = m_field.entryOn(contact.pointA, way, m_slop);
        // Whoever ends inside at all asks the neighbours: what falls on beside an edge is hardly behind the side there.
        if (entry.isThere || m_field.distance(contact.pointA + way) < 0.0) {
            const WayLeft left = m_neighbours.wayLeft(contact.pointA, free, entry.isThere ? entry.time : 1.0);
            way = left.way;
            entry = m_field.entryOn(contact.pointA, way, m_slop);
            if (!entry.isThere && left.isStopped && !left.isHeld) {
                takePlane(left.normal, left.ahead + m_field.margins, free, contact);
                return false;
            }
        }
        if (entry.isThere) {
            takeFaceEntered(entry, way, contact);
            return false;
        }
        const auto fieldAt = [&](double t) { return m_field.at(contact.pointA + t * way); };
        return goesPast(contact.normal, distance + contact.normal.dot(way), fieldAt, m_slop);
    }

private:
    /// What slides over a seam may be behind the side of the next box by a rounding, and slides on below its upper
    /// face.
    bool isBehindByARounding(const SkeletonContact& contact, double distance, const Vector3& way) const {
        if (!(distance > -m_slop) || !(contact.normal.dot(way) < -kAhead * way.norm())) return false;
        const FieldSample end = m_field.at(contact.pointA + way);
        return end.distance <= m_slop && end.normal.dot(contact.normal) < kOneFace;
    }

    void takeFaceEntered(const Entry& entry, const Vector3& way, SkeletonContact& contact) const {
        const Vector3& normal = entry.sample.normal;
        const double ahead = entry.sample.distance - entry.time * normal.dot(way);
        if (normal.dot(contact.normal) >= kOneFace || !(normal.dot(way) < 0.0) || ahead < -m_slop) return;
        takePlane(normal, ahead + m_field.margins, way, contact);
    }

    RelativeWay m_ways;
    double m_slop;
    FixedNeighbours m_neighbours;
    MarginField m_field;
};

}  // namespace

void leaveOutPassedFaces(const ContactPair& pair, const PlacedShape& placed, double step, double margins,
                         SkeletonContacts& found) {
    PointsOnTheirWay points(pair, placed, step, margins);
    found.erase(std::remove_if(found.begin(), found.end(),
                               [&points](SkeletonContact& contact) { return points.leavesOut(contact); }),
                found.end());
}

void leaveOutPassedSurfaces(const ContactPair& pair, double step, double margins, SkeletonContacts& found) {
    const BodyData &a = dataOf(pair.a), &b = dataOf(*pair.b);
    if (!a.field || !b.field || !isFirm(a) || !isFirm(b)) return;
    const RelativeWay ways(pair, step);
    const double slop = std::max(slidingSlop(a), slidingSlop(b));
    const auto isPassed = [&](const SkeletonContact& contact) {
        const bool isPointOfA = contact.feature % 2 == 0;  // its part (touch/SurfaceContacts.cpp)
        const BodyData& solid = isPointOfA ? b : a;
        const Vector3 point = isPointOfA ? contact.pointA : contact.pointB;
        const Vector3 normal = isPointOfA ? contact.normal : Vector3(-contact.normal);
        const Vector3 way = isPointOfA ? ways.at(point) : Vector3(-ways.at(point));
        const double distance = contact.distance - margins;
        if (!comesNear(normal, distance, way)) return false;
        const auto fieldAt = [&](double t) {
            FieldSample there = solid.field->sample(*solid.deformed, point + t * way);
            there.distance -= margins;
            return there;
        };
        return goesPast(normal, distance + normal.dot(way), fieldAt, slop);
    };
    found.erase(std::remove_if(found.begin(), found.end(), isPassed), found.end());
}

}  // namespace btPliantInternal
