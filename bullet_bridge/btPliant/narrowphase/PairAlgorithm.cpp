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

/// Bullet's view of a PairState.
class PairAlgorithm : public btCollisionAlgorithm {
public:
    PairAlgorithm(const btCollisionAlgorithmConstructionInfo& info, const btCollisionObjectWrapper& first,
                  const btCollisionObjectWrapper& second, bool swapped, bool query)
        : btCollisionAlgorithm(info) {
        const btCollisionObjectWrapper& ours = swapped ? second : first;
        const btCollisionObjectWrapper& other = swapped ? first : second;
        const btPliantShape* shape = btPliantShape::upcast(ours.getCollisionShape());
        if (shape)
            m_state = std::make_unique<PairState>(const_cast<btPliantBody&>(shape->getBody()), other, swapped, query,
                                                  *info.m_dispatcher1);
    }

    void processCollision(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                          const btDispatcherInfo& dispatch, btManifoldResult* result) override {
        if (!m_state) return;
        PairState& state = *m_state;
        if (state.passesOver()) return;
        const btCollisionObjectWrapper& other = state.swapped ? *first : *second;
        Stopwatch watch(state.system.running.m_collisionSeconds);
        if (state.query) {
            state.refit(*other.getCollisionShape(), other.getWorldTransform(), 0);
            state.compute(*other.getCollisionShape(), other.getWorldTransform(), 0,
                          static_cast<double>(result->m_closestPointDistanceThreshold));
            state.report(*result);
            return;
        }
        state.system.stepLength = static_cast<double>(dispatch.m_timeStep);
        state.system.prepareContacts();
        if (!state.computed) {
            state.refit(*other.getCollisionShape(), other.getWorldTransform(), state.system.stepLength);
            state.compute(*other.getCollisionShape(), other.getWorldTransform(), state.system.stepLength, -1.0);
        }
        state.computed = false;
        state.fillManifolds(*first, *second, *result);
    }

    btScalar calculateTimeOfImpact(btCollisionObject*, btCollisionObject*, const btDispatcherInfo&,
                                   btManifoldResult*) override {
        return btScalar(1);
    }

    void getAllContactManifolds(btManifoldArray& manifolds) override {
        if (m_state)
            for (btPersistentManifold* manifold : m_state->manifolds) manifolds.push_back(manifold);
    }

private:
    std::unique_ptr<PairState> m_state;
};
// Bullet's pool holds algorithms of this size; a larger one would overrun its slot without a word.
static_assert(sizeof(PairAlgorithm) <= 192, "a collision algorithm must fit Bullet's pool");

struct CreatePair : btCollisionAlgorithmCreateFunc {
    CreatePair(bool swapped, bool query) : m_query(query) { m_swapped = swapped; }
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
    static CreatePair contact(false, false), contactSwapped(true, false);
    static CreatePair closest(false, true), closestSwapped(true, true);
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
