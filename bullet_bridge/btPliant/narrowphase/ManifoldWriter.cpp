// SPDX-License-Identifier: Zlib
// Contacts into Bullet's persistent manifolds, four points each. Deformation moves contact points along the body, so
// manifolds are written anew in every substep; what a point carried over (impulses, life time) is found by its feature.
#include "btPliant/narrowphase/ManifoldWriter.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <algorithm>

#include "btPliant/data/Convert.h"
#include "btPliant/data/ManifoldPoint.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/narrowphase/OldPoints.h"
#include "btPliant/narrowphase/SurfaceSprings.h"
#include "btPliant/narrowphase/SurfaceTouch.h"

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

/// What the contact has slipped (solver/FrictionAnchors.cpp), and the tangents along which it is given.
/// Springs by area have an account there (solver/SpringEnergy.h).
void carryAnchor(const btManifoldPoint& old, btManifoldPoint& point) {
    if (((old.m_contactPointFlags ^ point.m_contactPointFlags) & kSurfaceSpring) != 0) return;
    point.m_lateralFrictionDir1 = old.m_lateralFrictionDir1;
    point.m_lateralFrictionDir2 = old.m_lateralFrictionDir2;
    point.m_contactMotion2 = old.m_contactMotion2;
    point.m_frictionCFM = old.m_frictionCFM;
}

void carryOver(const btManifoldPoint& old, btManifoldPoint& point) {
    point.m_appliedImpulse = old.m_appliedImpulse;
    point.m_contactMotion1 = old.m_contactMotion1;
    carryAnchor(old, point);
    point.m_appliedImpulseLateral1 = old.m_appliedImpulseLateral1;
    point.m_appliedImpulseLateral2 = old.m_appliedImpulseLateral2;
    point.m_lifeTime = old.m_lifeTime + 1;
    point.m_userPersistentData = old.m_userPersistentData;
}

/// Bullet's callbacks of a point, which it calls for new and for old ones alike where it finds a contact again.
/// Callbacks set numbers of Bullet's moving surfaces and soft friction that are our own here.
class PointCallbacks {
public:
    PointCallbacks(const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second)
        : m_first(first),
          m_second(second),
          m_added(
              ((first.getCollisionObject()->getCollisionFlags() | second.getCollisionObject()->getCollisionFlags()) &
               btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK) != 0
                  ? gContactAddedCallback
                  : nullptr) {}
    /// @param isOld it was there in the last substep
    void tell(btManifoldPoint& point, bool isOld) const {
        const bool processed = isOld && gContactProcessedCallback;
        if (!m_added && !processed) return;
        const btManifoldPoint ours = point;
        if (m_added)
            m_added(point, &m_first, point.m_partId0, point.m_index0, &m_second, point.m_partId1, point.m_index1);
        if (processed)
            gContactProcessedCallback(point, const_cast<btCollisionObject*>(m_first.getCollisionObject()),
                                      const_cast<btCollisionObject*>(m_second.getCollisionObject()));
        point.m_contactMotion1 = ours.m_contactMotion1;
        point.m_contactMotion2 = ours.m_contactMotion2;
        point.m_frictionCFM = ours.m_frictionCFM;
    }

private:
    const btCollisionObjectWrapper &m_first, &m_second;
    ContactAddedCallback m_added;
};

/// What users keep with points: takes it from the points of the last substep, and hands what nobody has taken over to
/// Bullet's callback for it.
class UserData {
public:
    template <class Manifolds>
    explicit UserData(const Manifolds& manifolds) {
        if (!gContactDestroyedCallback) return;
        for (btPersistentManifold* manifold : manifolds)
            for (int i = 0; i < manifold->getNumContacts(); ++i) {
                void*& data = manifold->getContactPoint(i).m_userPersistentData;
                if (data) m_last.push_back(data);
                data = nullptr;  // or a manifold that goes would tell of it, although a point still has it
            }
    }
    void keep(const btManifoldPoint& point) {
        if (point.m_userPersistentData)
            m_last.erase(std::remove(m_last.begin(), m_last.end(), point.m_userPersistentData), m_last.end());
    }
    void tellLost() const {
        for (void* data : m_last) gContactDestroyedCallback(data);
    }

private:
    std::vector<void*> m_last;
};

/// Of a pair. Users may have their own rules for them, which are asked on Bullet's thread.
struct CombinedMaterials {
    CombinedMaterials(const ContactPair& pair, const btCollisionObject* object0, const btCollisionObject* object1)
        : friction(btManifoldResult::calculateCombinedFriction(object0, object1)),
          restitution(btManifoldResult::calculateCombinedRestitution(object0, object1)),
          rolling(btManifoldResult::calculateCombinedRollingFriction(object0, object1)),
          spinning(btManifoldResult::calculateCombinedSpinningFriction(object0, object1)),
          penalty(penaltyOf(pair)) {}
    void applyTo(btManifoldPoint& point) const {
        point.m_combinedFriction = friction;
        point.m_combinedRestitution = restitution;
        point.m_combinedRollingFriction = rolling;
        point.m_combinedSpinningFriction = spinning;
        if (!penalty.isOn) return;
        point.m_contactPointFlags |= BT_CONTACT_FLAG_CONTACT_STIFFNESS_DAMPING;
        const btScalar share =  // of the pair's, by preparePoints()
            isSurfaceSpring(point) ? point.m_combinedContactStiffness1 : btScalar(1);
        point.m_combinedContactStiffness1 = share * penalty.stiffness;
        point.m_combinedContactDamping1 = share * penalty.damping;
    }
    btScalar friction, restitution, rolling, spinning;
    Penalty penalty;
};

}  // namespace

void addManifold(ContactPair& pair, const btCollisionObject* object0, const btCollisionObject* object1) {
    btPersistentManifold* manifold = pair.dispatcher.getNewManifold(object0, object1);
    manifold->m_companionIdA = static_cast<int>(pair.manifolds.size());  // Bullet leaves both to the solver
    manifold->m_companionIdB = pair.order.child;
    // Before Bullet asks the parts of a compound again, it drops the points that have come apart by a fiftieth of the
    // shape's size: here a fiftieth of the thickness, so that what moves on a compound never had a memory.
    manifold->setContactBreakingThreshold(BT_LARGE_FLOAT);
    pair.manifolds.push_back(manifold);
}

void writeManifolds(ContactPair& pair, const btCollisionObjectWrapper& firstWrap,
                    const btCollisionObjectWrapper& secondWrap, btManifoldResult& result) {
    const btCollisionObject* object0 = firstWrap.getCollisionObject();
    const btCollisionObject* object1 = secondWrap.getCollisionObject();
    const std::size_t needed = (pair.contacts.size() + MANIFOLD_CACHE_SIZE - 1) / MANIFOLD_CACHE_SIZE;
    const int count = static_cast<int>(pair.contacts.size());
    const int first = pair.firstPoint >= 0 ? pair.firstPoint : pair.system.preparedPointCount;
    if (pair.firstPoint < 0) {
        reservePoints(pair.system, first + count);
        preparePoints(pair, first);
    }
    pair.firstPoint = -1;
    UserData userData(pair.manifolds);
    while (pair.manifolds.size() < needed) addManifold(pair, object0, object1);
    while (pair.manifolds.size() > needed) {  // an impact leaves many that would be looked at in every step
        pair.dispatcher.releaseManifold(pair.manifolds.back());
        pair.manifolds.pop_back();
    }
    if (!pair.manifolds.empty()) pair.manifolds.front()->m_companionIdA = pair.touch ? kTouchManifold : 0;
    const CombinedMaterials materials(pair, object0, object1);
    const PointCallbacks callbacks(firstWrap, secondWrap);
    int next = 0;
    for (btPersistentManifold* manifold : pair.manifolds) {
        const int size = std::min(MANIFOLD_CACHE_SIZE, count - next);
        result.setPersistentManifold(manifold);
        const bool starts = manifold->getNumContacts() == 0;
        manifold->setNumContacts(size);
        for (int i = 0; i < size; ++i) {
            const auto at = static_cast<std::size_t>(first + next + i);
            btManifoldPoint& point = pair.system.points[at];
            materials.applyTo(point);
            callbacks.tell(point, pair.system.pointIsMatched[at] != 0);
            userData.keep(point);
            pair.system.hasSprings |= isSurfaceSpring(point);
            manifold->getContactPoint(i) = point;
        }
        next += size;
        if (starts && gContactStartedCallback) gContactStartedCallback(manifold);
    }
    userData.tellLost();
}

// Contacts of the same feature first: what has slid on may have only what is left.
void reservePoints(SystemData& system, int count) {
    if (static_cast<std::size_t>(count) <= system.points.size()) return;
    system.points.resize(static_cast<std::size_t>(count));
    system.pointIsMatched.resize(system.points.size());
}

void preparePoints(const ContactPair& pair, int first) {
    static thread_local OldPoints old;
    old.clear();
    for (const btPersistentManifold* manifold : pair.manifolds)
        for (int i = 0; i < manifold->getNumContacts(); ++i) old.add(manifold->getContactPoint(i));
    old.beginFeatures();
    const btTransform &ours = pair.a.getWorldTransform(), &others = pair.other->getWorldTransform();
    btManifoldPoint* points = pair.system.points.data() + first;
    char* known = pair.system.pointIsMatched.data() + first;
    const bool areSprings = hasSurfaceSprings(pair);
    for (std::size_t i = 0; i < pair.contacts.size(); ++i) {
        points[i] =
            makePoint(pair.contacts[i], pair.swapped, pair.swapped ? others : ours, pair.swapped ? ours : others);
        if (areSprings) {
            points[i].m_contactPointFlags |= kSurfaceSpring;
            points[i].m_combinedContactStiffness1 = static_cast<btScalar>(springShare(pair, pair.contacts[i]));
        }
        const btManifoldPoint* before = old.matchFeature(points[i]);
        known[i] = before ? 1 : 0;
        if (before) carryOver(*before, points[i]);
    }
    old.endFeatures();
    for (std::size_t i = 0; i < pair.contacts.size(); ++i) {
        if (known[i]) continue;
        const btManifoldPoint* before = old.matchNearest(points[i], static_cast<double>(pair.contacts[i].radiusA));
        if (!before) continue;
        carryOver(*before, points[i]);
        known[i] = 1;
    }
    if (!pair.system.solver) old.handOn(points, pair.contacts.size());
    if (!touchesSurface(pair) || areSprings) return;
    // The points of a patch are a choice of many, which slip as one: new ones have slipped as those beside them.
    for (std::size_t i = 0; i < pair.contacts.size(); ++i)
        if (!known[i])
            if (const btManifoldPoint* beside = old.nearest(points[i])) carryAnchor(*beside, points[i]);
}

void reportContacts(ContactPair& pair, btManifoldResult& result) {
    if (pair.manifolds.empty()) {
        const btCollisionObject* object0 = pair.swapped ? pair.other : &pair.a;
        const btCollisionObject* object1 = pair.swapped ? &pair.a : pair.other;
        pair.manifolds.push_back(pair.dispatcher.getNewManifold(object0, object1));
    }
    result.setPersistentManifold(pair.manifolds.front());
    const btTransform identity = btTransform::getIdentity();
    for (const SkeletonContact& contact : pair.contacts) {
        const btManifoldPoint point = makePoint(contact, pair.swapped, identity, identity);
        result.setShapeIdentifiersA(point.m_partId0, point.m_index0);
        result.setShapeIdentifiersB(point.m_partId1, point.m_index1);
        result.addContactPoint(point.m_normalWorldOnB, point.m_positionWorldOnB, point.m_distance1);
    }
}

}  // namespace btPliantInternal
