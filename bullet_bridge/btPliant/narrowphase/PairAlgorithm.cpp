// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/PairAlgorithm.h"

#include <BulletCollision/BroadphaseCollision/btBroadphaseProxy.h>
#include <BulletCollision/CollisionDispatch/btCollisionCreateFunc.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>

#include <memory>
#include <new>

#include "btPliant/narrowphase/ContactPair.h"
#include "btPliant/step/SystemData.h"

namespace btPliantInternal {

namespace {

/// Bullet's view of a ContactPair.
class PairAlgorithm : public btCollisionAlgorithm {
public:
    PairAlgorithm(const btCollisionAlgorithmConstructionInfo& info, const btCollisionObjectWrapper& first,
                  const btCollisionObjectWrapper& second, bool swapped, bool query)
        : btCollisionAlgorithm(info) {
        const btCollisionObjectWrapper& ours = swapped ? second : first;
        const btCollisionObjectWrapper& other = swapped ? first : second;
        const btPliantShape* shape = btPliantShape::upcast(ours.getCollisionShape());
        if (shape)
            m_pair = std::make_unique<ContactPair>(const_cast<btPliantBody&>(shape->getBody()), other, swapped, query,
                                                   *info.m_dispatcher1);
    }

    void processCollision(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                          const btDispatcherInfo& dispatch, btManifoldResult* result) override {
        if (!m_pair) return;
        ContactPair& pair = *m_pair;
        if (pair.skipIfEmpty()) return;
        const btCollisionObjectWrapper& other = pair.swapped ? *first : *second;
        Stopwatch watch(pair.system.substepStats.m_collisionSeconds);
        if (pair.query) {
            pair.refit(*other.getCollisionShape(), other.getWorldTransform(), 0);
            pair.findContacts(*other.getCollisionShape(), other.getWorldTransform(), 0,
                              static_cast<double>(result->m_closestPointDistanceThreshold));
            pair.reportContacts(*result);
            return;
        }
        pair.system.stepLength = static_cast<double>(dispatch.m_timeStep);
        pair.system.findContacts();
        if (!pair.isComputed) {
            pair.refit(*other.getCollisionShape(), other.getWorldTransform(), pair.system.stepLength);
            pair.findContacts(*other.getCollisionShape(), other.getWorldTransform(), pair.system.stepLength, -1.0);
        }
        pair.isComputed = false;
        pair.writeManifolds(*first, *second, *result);
    }

    btScalar calculateTimeOfImpact(btCollisionObject*, btCollisionObject*, const btDispatcherInfo&,
                                   btManifoldResult*) override {
        return btScalar(1);
    }

    void getAllContactManifolds(btManifoldArray& manifolds) override {
        if (m_pair)
            for (btPersistentManifold* manifold : m_pair->manifolds) manifolds.push_back(manifold);
    }

private:
    std::unique_ptr<ContactPair> m_pair;
};
// Bullet's pool holds algorithms of this size; a larger one would overrun its slot without a word.
static_assert(sizeof(PairAlgorithm) <= 192, "a collision algorithm must fit Bullet's pool");

struct CreatePairAlgorithm : btCollisionAlgorithmCreateFunc {
    CreatePairAlgorithm(bool swapped, bool query) : m_query(query) { m_swapped = swapped; }
    btCollisionAlgorithm* CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo& info,
                                                   const btCollisionObjectWrapper* first,
                                                   const btCollisionObjectWrapper* second) override {
        void* memory = info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(PairAlgorithm));
        return new (memory) PairAlgorithm(info, *first, *second, m_swapped, m_query);
    }
    bool m_query;
};

bool collidesWithOurs(int type) {
    if (type == FAST_CONCAVE_MESH_PROXYTYPE) return true;
    if (btBroadphaseProxy::isConvex(type)) return true;
    return btBroadphaseProxy::isConcave(type);
}

}  // namespace

void registerAlgorithms(btCollisionDispatcher& dispatcher) {
    static CreatePairAlgorithm contact(false, false), contactSwapped(true, false);
    static CreatePairAlgorithm closest(false, true), closestSwapped(true, true);
    const int ours = FAST_CONCAVE_MESH_PROXYTYPE;
    for (int type = 0; type < MAX_BROADPHASE_COLLISION_TYPES; ++type) {
        if (!collidesWithOurs(type)) continue;
        dispatcher.registerCollisionCreateFunc(ours, type, &contact);
        dispatcher.registerClosestPointsCreateFunc(ours, type, &closest);
        if (type == ours) continue;
        dispatcher.registerCollisionCreateFunc(type, ours, &contactSwapped);
        dispatcher.registerClosestPointsCreateFunc(type, ours, &closestSwapped);
    }
}

}  // namespace btPliantInternal
