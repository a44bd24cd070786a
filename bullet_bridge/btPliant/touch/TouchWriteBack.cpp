// SPDX-License-Identifier: Zlib
#include "btPliant/touch/TouchWriteBack.h"

#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <Eigen/Geometry>

#include "btPliant/data/Convert.h"

namespace btPliantInternal {

using pliant::Vector3;

namespace {

void addMomentum(const TouchSide& side) {
    if (!side.body || side.frame == 0) return;
    BodyData& data = dataOf(*side.body);
    data.angularMomentum += Vector3(side.applied.segment(3, 3));
    data.solvedAngularVelocity += side.turned;
    data.coupledAngularVelocity += side.turned;
}

/// N, of a point along its normal.
double normalForce(double h, const TouchConstraint& touch, int i) {
    return touch.points[static_cast<std::size_t>(i)].cosine * touch.element.normalImpulse(i) / h;
}

/// Forces of the points on the pair's `a`, and the torque on the other. The pair's patch is empty.
void writePatch(double h, const TouchConstraint& touch) {
    const std::vector<TouchRole>& roles = touch.pair->touch->roles;
    btPliantContactPatch& patch = touch.pair->touch->patch;
    const Vector3 centre = toEigen(touch.pair->a.getCenterOfMassPosition());
    const Vector3 otherCentre = toEigen(touch.pair->other->getWorldTransform().getOrigin());
    Vector3 force = Vector3::Zero(), torque = force, otherTorque = force, moment = force;
    double sum = 0.0;
    for (int i = 0; i < touch.element.pointCount(); ++i) {
        const TouchPoint& point = touch.points[static_cast<std::size_t>(i)];
        const double normal = normalForce(h, touch, i), area = point.cosine * touch.element.point(i).area;
        if (!(normal > 0.0)) continue;
        const double sign = roles[static_cast<std::size_t>(point.role)].shellIsA ? 1.0 : -1.0;
        Vector3 on = normal * point.normal;
        for (int k = 0; k < 2; ++k) on += touch.element.tangentImpulse(i, k) / h * point.tangent[k];
        force += sign * on;
        torque += sign * (point.lever - centre).cross(on);
        otherTorque -= sign * (point.lever - otherCentre).cross(on);
        moment += normal * point.place;
        sum += normal;
        patch.m_area += area;
        patch.m_depth = std::max(patch.m_depth, touch.element.depth(i));
        patch.m_points.push_back({toBullet(point.place), toBullet(Vector3(sign * point.normal)), touch.element.depth(i),
                                  area, normal / area});
    }
    patch.m_force = toBullet(force);
    patch.m_torque = toBullet(torque);
    touch.pair->touch->otherTorque = toBullet(otherTorque);
    if (sum > 0.0) patch.m_centroid = toBullet(Vector3(moment / sum));
}

/// Sums of four points of a manifold know no regions, so that sensors sum these.
void keepGiven(double h, const TouchConstraint& touch) {
    std::vector<TouchRole>& roles = touch.pair->touch->roles;
    for (int i = 0; i < touch.element.pointCount(); ++i) {
        if (!(normalForce(h, touch, i) > 0.0)) continue;
        const TouchPoint& point = touch.points[static_cast<std::size_t>(i)];
        TouchRole& role = roles[static_cast<std::size_t>(point.role)];
        const double sign = role.shellIsA ? 1.0 : -1.0;
        TouchRole::Given given;
        given.point = role.found[static_cast<std::size_t>(point.found)].point;
        given.place = point.lever;
        given.normal = sign * point.normal;
        for (int k = 0; k < 2; ++k) given.friction += sign * touch.element.tangentImpulse(i, k) * point.tangent[k];
        given.fieldRest = role.fieldRest[static_cast<std::size_t>(point.found)];
        given.normalImpulse = h * normalForce(h, touch, i);
        given.depth = touch.element.depth(i);
        role.given.push_back(given);
    }
}

void keepBristles(double h, const TouchConstraint& touch) {
    std::vector<TouchRole>& roles = touch.pair->touch->roles;
    for (TouchRole& role : roles) role.bristles.clear();
    for (int i = 0; i < touch.element.pointCount(); ++i) {
        if (!(touch.element.normalImpulse(i) > 0.0)) continue;
        const TouchPoint& point = touch.points[static_cast<std::size_t>(i)];
        TouchRole& role = roles[static_cast<std::size_t>(point.role)];
        TouchRole::Bristle bristle;
        bristle.point = role.found[static_cast<std::size_t>(point.found)].point;
        bristle.normalForce = normalForce(h, touch, i);
        const Vector3 bend = touch.element.bend(i, 0) * point.tangent[0] + touch.element.bend(i, 1) * point.tangent[1];
        bristle.bend = role.worldFromField.rotation.transpose() * bend;
        role.bristles.push_back(bristle);
    }
}

/// Each point of the manifold tells its share of the pair's impulse, for callbacks: of the normal one along its own
/// normal, and what is left of the whole beside it.
void tellManifold(double h, const TouchConstraint& touch, double normalImpulse) {
    if (touch.pair->manifolds.empty()) return;
    btPersistentManifold& manifold = *touch.pair->manifolds.front();
    const int count = manifold.getNumContacts();
    if (count == 0) return;
    const auto share = static_cast<btScalar>(normalImpulse / count);
    const bool isFirst = manifold.getBody0() == static_cast<const btCollisionObject*>(&touch.pair->a);
    btVector3 beside = touch.pair->touch->patch.m_force * static_cast<btScalar>(isFirst ? h : -h);
    for (int i = 0; i < count; ++i) beside -= manifold.getContactPoint(i).m_normalWorldOnB * share;
    const btScalar length = beside.length();
    for (int i = 0; i < count; ++i) {
        btManifoldPoint& point = manifold.getContactPoint(i);
        point.m_appliedImpulse = share;
        point.m_appliedImpulseLateral1 = length / static_cast<btScalar>(count);
        point.m_appliedImpulseLateral2 = 0;
        if (length > btScalar(0)) point.m_lateralFrictionDir1 = beside / length;
    }
}

}  // namespace

void writeBackTouches(double h, const ContactConstraints& contacts, TouchConstraints& all) {
    for (int t = 0; t < all.count; ++t) {
        TouchConstraint& touch = *all.elements[static_cast<std::size_t>(t)];
        for (const TouchSide& side : touch.side) addMomentum(side);
        bool diverged = false;
        for (const TouchSide& side : touch.side) {
            const ReducedBody* reduced = reducedBody(contacts.reducedBodies, side.reduced);
            diverged |= reduced && reduced->hasDiverged;
        }
        for (TouchRole& role : touch.pair->touch->roles) role.given.clear();
        touch.pair->touch->clearPatch();
        double sum = 0.0;
        if (diverged) {
            for (TouchRole& role : touch.pair->touch->roles) role.bristles.clear();
        } else {
            writePatch(h, touch);
            keepBristles(h, touch);
            keepGiven(h, touch);
            for (int i = 0; i < touch.element.pointCount(); ++i) sum += h * normalForce(h, touch, i);
        }
        tellManifold(h, touch, sum);
    }
}

}  // namespace btPliantInternal
