// SPDX-License-Identifier: Zlib
// Contacts into Bullet's persistent manifolds, four points each. Deformation moves contact points along the body, so
// manifolds are written anew in every substep; what a point carried over (impulses, life time) is found by its feature.
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <cstdlib>

#include "btPliant/Convert.h"
#include "btPliant/PairState.h"
#include "btPliant/SystemData.h"

namespace btPliantInternal {

using pliant::SkeletonContact;

namespace {

/// What identifies "other" in a point: the segment of a body, else the triangle or part that the feature holds.
int otherIndex(const SkeletonContact& contact) {
    if (contact.segmentB >= 0) return contact.segmentB;
    return static_cast<int>((contact.feature >> 1) & 0xffffffffu) - 1;
}

int otherPart(const SkeletonContact& contact) {
    return contact.segmentB >= 0 ? encodeParameter(static_cast<double>(contact.parameterB))
                                 : static_cast<int>(contact.feature & 1u);
}

btManifoldPoint makePoint(const SkeletonContact& contact, bool swapped, const btTransform& transform0,
                          const btTransform& transform1) {
    const btVector3 pointA = toBullet(contact.pointA), pointB = toBullet(contact.pointB);
    const btVector3 normal = toBullet(contact.normal);
    const btVector3& on0 = swapped ? pointB : pointA;
    const btVector3& on1 = swapped ? pointA : pointB;
    btManifoldPoint point(transform0.invXform(on0), transform1.invXform(on1), swapped ? -normal : normal,
                          static_cast<btScalar>(contact.distance));
    point.m_positionWorldOnA = on0;
    point.m_positionWorldOnB = on1;
    const int ourPart = encodeParameter(static_cast<double>(contact.parameterA));
    point.m_index0 = swapped ? otherIndex(contact) : contact.segmentA;
    point.m_index1 = swapped ? contact.segmentA : otherIndex(contact);
    point.m_partId0 = swapped ? otherPart(contact) : ourPart;
    point.m_partId1 = swapped ? ourPart : otherPart(contact);
    return point;
}

/// The last substep's point of the same feature, or null: same indices, nearest along the segments.
const btManifoldPoint* findOld(const btManifoldPoint& point, const std::vector<btManifoldPoint>& old) {
    const btManifoldPoint* best = nullptr;
    int bestDistance = 0;
    for (const btManifoldPoint& candidate : old) {
        if (candidate.m_index0 != point.m_index0 || candidate.m_index1 != point.m_index1) continue;
        const int distance =
            std::abs(candidate.m_partId0 - point.m_partId0) + std::abs(candidate.m_partId1 - point.m_partId1);
        if (!best || distance < bestDistance) {
            best = &candidate;
            bestDistance = distance;
        }
    }
    return best;
}

void carryOver(const btManifoldPoint& old, btManifoldPoint& point) {
    point.m_appliedImpulse = old.m_appliedImpulse;
    point.m_contactMotion1 = old.m_contactMotion1;
    point.m_appliedImpulseLateral1 = old.m_appliedImpulseLateral1;
    point.m_appliedImpulseLateral2 = old.m_appliedImpulseLateral2;
    point.m_lateralFrictionDir1 = old.m_lateralFrictionDir1;
    point.m_lateralFrictionDir2 = old.m_lateralFrictionDir2;
    point.m_lifeTime = old.m_lifeTime + 1;
}

void combineMaterials(const btCollisionObject* object0, const btCollisionObject* object1, btManifoldPoint& point) {
    point.m_combinedFriction = btManifoldResult::calculateCombinedFriction(object0, object1);
    point.m_combinedRestitution = btManifoldResult::calculateCombinedRestitution(object0, object1);
    point.m_combinedRollingFriction = btManifoldResult::calculateCombinedRollingFriction(object0, object1);
    point.m_combinedSpinningFriction = btManifoldResult::calculateCombinedSpinningFriction(object0, object1);
}

}  // namespace

void PairState::fillManifolds(const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second,
                              btManifoldResult& result) {
    const btCollisionObject* object0 = first.getCollisionObject();
    const btCollisionObject* object1 = second.getCollisionObject();
    std::vector<btManifoldPoint>& old = system.oldPoints;
    old.clear();
    for (const btPersistentManifold* manifold : manifolds)
        for (int i = 0; i < manifold->getNumContacts(); ++i) old.push_back(manifold->getContactPoint(i));

    const std::size_t needed = (contacts.size() + MANIFOLD_CACHE_SIZE - 1) / MANIFOLD_CACHE_SIZE;
    while (manifolds.size() < needed) manifolds.push_back(dispatcher.getNewManifold(object0, object1));
    const bool tellUser = gContactAddedCallback && ((object0->getCollisionFlags() | object1->getCollisionFlags()) &
                                                    btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
    std::size_t next = 0;
    for (btPersistentManifold* manifold : manifolds) {
        const std::size_t count = std::min<std::size_t>(MANIFOLD_CACHE_SIZE, contacts.size() - next);
        if (count == 0) {
            manifold->clearManifold();
            continue;
        }
        result.setPersistentManifold(manifold);
        const bool starts = manifold->getNumContacts() == 0;
        manifold->setNumContacts(static_cast<int>(count));
        for (std::size_t i = 0; i < count; ++i) {
            btManifoldPoint point =
                makePoint(contacts[next + i], swapped, object0->getWorldTransform(), object1->getWorldTransform());
            combineMaterials(object0, object1, point);
            const btManifoldPoint* before = findOld(point, old);
            if (before) carryOver(*before, point);
            if (!before && tellUser)
                gContactAddedCallback(point, &first, point.m_partId0, point.m_index0, &second, point.m_partId1,
                                      point.m_index1);
            manifold->getContactPoint(static_cast<int>(i)) = point;
        }
        next += count;
        if (starts && gContactStartedCallback) gContactStartedCallback(manifold);
    }
}

void PairState::report(btManifoldResult& result) {
    if (manifolds.empty()) {
        const btCollisionObject* object0 = swapped ? other : &a;
        const btCollisionObject* object1 = swapped ? &a : other;
        manifolds.push_back(dispatcher.getNewManifold(object0, object1));
    }
    result.setPersistentManifold(manifolds.front());
    const btTransform identity = btTransform::getIdentity();
    for (const SkeletonContact& contact : contacts) {
        const btManifoldPoint point = makePoint(contact, swapped, identity, identity);
        result.setShapeIdentifiersA(point.m_partId0, point.m_index0);
        result.setShapeIdentifiersB(point.m_partId1, point.m_index1);
        result.addContactPoint(point.m_normalWorldOnB, point.m_positionWorldOnB, point.m_distance1);
    }
}

}  // namespace btPliantInternal
