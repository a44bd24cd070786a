// SPDX-License-Identifier: Zlib
// Pairs of which neither moves freely: no constraint could move either, and none is made.
#include <BulletCollision/BroadphaseCollision/btBroadphaseProxy.h>

#include "btPliant/btPliantCharacter.h"
#include "btPliant/btPliantSystem.h"

namespace {

struct DeepestOfPair : btCollisionWorld::ContactResultCallback {
    btScalar addSingleResult(btManifoldPoint& point, const btCollisionObjectWrapper*, int, int,
                             const btCollisionObjectWrapper*, int, int) override {
        depth = btMax(depth, -point.getDistance());
        return 0;
    }
    btScalar depth = 0;
};

/// The box about an object where it is now: that of the broadphase is of the last step, and larger.
struct BoxOfObject {
    btVector3 lower, upper;

    explicit BoxOfObject(const btCollisionObject& object) {
        object.getCollisionShape()->getAabb(object.getWorldTransform(), lower, upper);
    }
    btScalar size() const { return (upper - lower).length(); }
    btScalar overlap(const BoxOfObject& other) const {
        const btVector3 here = upper - other.lower, there = other.upper - lower;
        return btMin(here[here.minAxis()], there[there.minAxis()]);
    }
};

/// Whether an object would touch others if it moved: what waits is in no group.
bool isToTouch(const btCollisionObject& object) {
    const btBroadphaseProxy* proxy = object.getBroadphaseHandle();
    return proxy && proxy->m_collisionFilterGroup != 0 && object.hasContactResponse();
}

/// Characters, which bones lead, touch what does not move.
bool standsStill(const btCollisionObject& object) {
    if (!isToTouch(object) || btPliantCharacter::upcast(&object)) return false;
    const btPliantBody* body = btPliantBody::upcast(&object);
    return object.isStaticOrKinematicObject() || (body && body->isAnchored());
}

/// Whether filters let a pair touch. Those that Bullet gives to what does not move part such objects for speed, not
/// because somebody wants them to pass through each other.
bool filtersAllow(const btBroadphaseProxy& a, const btBroadphaseProxy& b) {
    const auto isOfBullet = [](const btBroadphaseProxy& proxy) {
        return proxy.m_collisionFilterGroup == btBroadphaseProxy::StaticFilter &&
               proxy.m_collisionFilterMask == (btBroadphaseProxy::AllFilter ^ btBroadphaseProxy::StaticFilter);
    };
    if (isOfBullet(a) && isOfBullet(b)) return true;
    return (a.m_collisionFilterGroup & b.m_collisionFilterMask) != 0 &&
           (b.m_collisionFilterGroup & a.m_collisionFilterMask) != 0;
}

}  // namespace

btScalar btPliantSystem::getIdleDepth(const btPliantBody& body, const btCollisionObject& other) const {
    if (&body == &other || !standsStill(body) || !standsStill(other)) return 0;
    if (!body.checkCollideWith(&other) || !other.checkCollideWith(&body)) return 0;
    const btScalar overlap = BoxOfObject(body).overlap(BoxOfObject(other));
    if (!(overlap > 0)) return 0;
    DeepestOfPair deepest;
    getWorld()->contactPairTest(const_cast<btPliantBody*>(&body), const_cast<btCollisionObject*>(&other), deepest);
    // Distances of single points to a surface may be larger than what parts the objects.
    return btMin(deepest.depth, overlap);
}

void btPliantSystem::getIdlePairs(std::vector<btPliantIdlePair>& pairs, btScalar least) const {
    pairs.clear();
    std::vector<const btPliantBody*> bodies;
    for (int i = 0; i < getNumBodies(); ++i)
        if (standsStill(*getBody(i))) bodies.push_back(getBody(i));
    std::vector<const btCollisionObject*> others(bodies.begin(), bodies.end());
    const btCollisionObjectArray& objects = getWorld()->getCollisionObjectArray();
    for (int i = 0; !bodies.empty() && i < objects.size(); ++i)
        if (!btPliantBody::upcast(objects[i]) && standsStill(*objects[i])) others.push_back(objects[i]);
    std::vector<BoxOfObject> boxes;
    boxes.reserve(others.size());
    for (const btCollisionObject* other : others) boxes.emplace_back(*other);
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t k = i + 1; k < others.size(); ++k) {
            if (!filtersAllow(*bodies[i]->getBroadphaseHandle(), *others[k]->getBroadphaseHandle())) continue;
            const BoxOfObject &a = boxes[i], &b = boxes[k];
            const btScalar told = least * btMin(a.size(), b.size());
            if (!(a.overlap(b) > told)) continue;
            const btScalar depth = getIdleDepth(*bodies[i], *others[k]);
            if (depth > told) pairs.push_back({bodies[i], others[k], depth});
        }
}
