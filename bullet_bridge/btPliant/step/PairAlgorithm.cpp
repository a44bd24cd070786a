// SPDX-License-Identifier: Zlib
#include "btPliant/step/PairAlgorithm.h"

#include <BulletCollision/BroadphaseCollision/btBroadphaseProxy.h>
#include <BulletCollision/CollisionDispatch/btCollisionCreateFunc.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>

#include <memory>
#include <new>

#include "btPliant/data/Stopwatch.h"
#include "btPliant/narrowphase/ManifoldWriter.h"
#include "btPliant/narrowphase/PairContacts.h"
#include "btPliant/narrowphase/ShapeCollider.h"
#include "btPliant/step/Substep.h"

namespace btPliantInternal {

namespace {

/// A contactTest() or contactPairTest(), outside of the substep.
void answer(ContactPair& pair, const btCollisionObjectWrapper& other, btManifoldResult& result) {
    const PlacedShape placed{*other.getCollisionShape(), other.getWorldTransform()};
    refit(pair, placed, 0);
    findContacts(pair, placed, 0, static_cast<double>(result.m_closestPointDistanceThreshold));
    reportContacts(pair, result);
}

/// What a pair knows the other object's shape by. A shape that is made where one has been deleted may have its address:
/// it is another one where it is of another kind.
struct KnownShape {
    explicit KnownShape(const btCollisionObjectWrapper& other)
        : shape(other.getCollisionShape()), type(shape->getShapeType()), collider(colliderOf(other)) {}
    bool operator==(const KnownShape& o) const { return shape == o.shape && type == o.type && collider == o.collider; }

    const btCollisionShape* shape;
    int type;
    const ShapeCollider* collider;
};

/// Bullet's view of a ContactPair.
class PairAlgorithm : public btCollisionAlgorithm {
public:
    PairAlgorithm(const btCollisionAlgorithmConstructionInfo& info, const btCollisionObjectWrapper& first,
                  const btCollisionObjectWrapper& second, bool swapped, bool query)
        : btCollisionAlgorithm(info),
          m_swapped(swapped),
          m_query(query),
          m_known(swapped ? first : second),
          m_pair(makePair(first, second, swapped, query, *info.m_dispatcher1)) {}

    void processCollision(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                          const btDispatcherInfo& dispatch, btManifoldResult* result) override {
        followShape(*first, *second);
        if (!m_pair) return;
        ContactPair& pair = *m_pair;
        if (hasNothingToKeep(pair)) return;
        Stopwatch watch(pair.system.substepStats.m_collisionSeconds);
        if (pair.query) {
            answer(pair, pair.swapped ? *first : *second, *result);
            return;
        }
        findContacts(pair.system, static_cast<double>(dispatch.m_timeStep));
        keepContacts(pair, *first, *second, *result);
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
    /// Bullet keeps its algorithms where the shape of an object in the world is exchanged; the pair is of one shape.
    void followShape(const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second) {
        const KnownShape present(m_swapped ? first : second);
        if (present == m_known) return;
        m_known = present;
        m_pair.reset();
        m_pair = makePair(first, second, m_swapped, m_query, *m_dispatcher);
    }

    bool m_swapped, m_query;
    KnownShape m_known;
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
