// SPDX-License-Identifier: Zlib
#include "btPliant/data/ContactPair.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>

#include <algorithm>

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

ContactPair::ContactPair(btPliantBody& ours, const btCollisionObjectWrapper& otherWrap,
                         const ShapeCollider& shapeCollider, bool isSwapped, bool isQuery,
                         btDispatcher& bulletDispatcher)
    : system(dataOf(ours.getSystem())),
      a(ours),
      b(const_cast<btPliantBody*>(btPliantBody::upcast(otherWrap.getCollisionObject()))),
      other(otherWrap.getCollisionObject()),
      collider(shapeCollider),
      shape(otherWrap.getCollisionShape()),
      swapped(isSwapped),
      query(isQuery),
      dispatcher(bulletDispatcher) {
    if (query) return;
    order.body = dataOf(a).number;
    order.other = other->getBroadphaseHandle() ? other->getBroadphaseHandle()->m_uniqueId : -1;
    order.child = otherWrap.m_index;
    const auto later = [](const ContactPair* x, const ContactPair* y) { return x->order < y->order; };
    const bool sorted = system.world->getDispatchInfo().m_deterministicOverlappingPairs;
    system.pairs.insert(
        sorted ? std::upper_bound(system.pairs.begin(), system.pairs.end(), this, later) : system.pairs.end(), this);
    system.movedPairs.reserve(system.pairs.capacity());
}

ContactPair::~ContactPair() {
    for (btPersistentManifold* manifold : manifolds) dispatcher.releaseManifold(manifold);
    if (query) return;
    // Not before the pass over them is over, but perhaps before all of them have been handed to Bullet.
    const auto at = static_cast<std::size_t>(parallelIndex);
    if (at < system.parallelPairs.size() && system.parallelPairs[at] == this) system.parallelPairs[at] = nullptr;
    auto& pairs = system.pairs;
    pairs.erase(std::find(pairs.begin(), pairs.end(), this));
}

}  // namespace btPliantInternal
