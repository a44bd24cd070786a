// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/PairAlgorithm.h"

#include <BulletCollision/BroadphaseCollision/btBroadphaseProxy.h>
#include <BulletCollision/CollisionDispatch/btCollisionCreateFunc.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>

#include <memory>
#include <new>
#include <string>

#include "btPliant/narrowphase/ManifoldWriter.h"
#include "btPliant/narrowphase/PairContacts.h"
#include "btPliant/narrowphase/shapes/Body.h"
#include "btPliant/step/SystemData.h"

namespace btPliantInternal {

namespace {

/// Says once for each kind of shape that bodies do not touch it.
void refuse(const btCollisionShape& shape, btPliantSystem::Data& system) {
    const std::string sentence = std::string("Reduced bodies do not touch a ") + shape.getName() + " (shape type " +
                                 std::to_string(shape.getShapeType()) +
                                 ") and pass through it; use another shape of Bullet's in its place. ";
    if (system.status.find(sentence) == std::string::npos) system.status += sentence;
}

/// True where the parallel pass has found no contact and there is no manifold to empty, as of most pairs whose bounds
/// overlap.
bool skipIfEmpty(ContactPair& pair) {
    if (!pair.isComputed || !pair.system.contactsAreFound || !pair.contacts.empty() || !pair.manifolds.empty())
        return false;
    pair.isComputed = false;
    pair.firstPoint = -1;
    return true;
}

/// Bullet's view of a ContactPair.
class PairAlgorithm : public btCollisionAlgorithm {
public:
    PairAlgorithm(const btCollisionAlgorithmConstructionInfo& info, const btCollisionObjectWrapper& first,
                  const btCollisionObjectWrapper& second, bool swapped, bool query)
        : btCollisionAlgorithm(info) {
        const btCollisionObjectWrapper& ours = swapped ? second : first;
        const btCollisionObjectWrapper& other = swapped ? first : second;
        const btPliantShape* shape = btPliantShape::upcast(ours.getCollisionShape());
        if (!shape) return;
        auto& body = const_cast<btPliantBody&>(shape->getBody());
        // The shape of a body may also be a part of somebody's compound, where it does not move with its body.
        const bool isPart = !isReducedBody(ours);
        const ShapeCollider* collider = isPart ? nullptr : colliderOf(other);
        if (collider)
            m_pair = std::make_unique<ContactPair>(body, other, *collider, swapped, query, *info.m_dispatcher1);
        else
            refuse(*(isPart ? ours : other).getCollisionShape(), body.getSystem().data());
    }

    void processCollision(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                          const btDispatcherInfo& dispatch, btManifoldResult* result) override {
        if (!m_pair) return;
        ContactPair& pair = *m_pair;
        if (skipIfEmpty(pair)) return;
        const btCollisionObjectWrapper& other = pair.swapped ? *first : *second;
        const PlacedShape placed{*other.getCollisionShape(), other.getWorldTransform()};
        Stopwatch watch(pair.system.substepStats.m_collisionSeconds);
        if (pair.query) {
            refit(pair, placed, 0);
            findContacts(pair, placed, 0, static_cast<double>(result->m_closestPointDistanceThreshold));
            reportContacts(pair, *result);
            return;
        }
        pair.system.stepLength = static_cast<double>(dispatch.m_timeStep);
        pair.system.findContacts();
        if (!pair.isComputed) {
            refit(pair, placed, pair.system.stepLength);
            findContacts(pair, placed, pair.system.stepLength, -1.0);
        }
        pair.isComputed = false;
        writeManifolds(pair, *first, *second, *result);
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
