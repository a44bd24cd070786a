// SPDX-License-Identifier: Zlib
// A body that a user adds to the world twice. Bullet asserts in its debug builds; in others the body stands in the
// world's lists twice and has two proxies, of which it knows the later one: after its removal the world would still
// hold its address.
#include "btPliant/body/AddedTwice.h"

#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

namespace {

template <class Object>
int countOf(const btAlignedObjectArray<Object*>& list, const btPliantBody& body) {
    int count = 0;
    for (int i = 0; i < list.size(); ++i) count += list[i] == &body;
    return count;
}

/// The first of its entries goes, as Bullet removes: the last object takes its place and number.
void removeFirstEntry(btCollisionObjectArray& objects, const btPliantBody& body) {
    int first = 0;
    while (objects[first] != &body) ++first;
    objects.swap(first, objects.size() - 1);
    objects.pop_back();
    if (first < objects.size()) objects[first]->setWorldArrayIndex(first);
}

void takeOutOnce(btDiscreteDynamicsWorld& world, btPliantBody& body, btBroadphaseProxy* first) {
    world.getBroadphase()->getOverlappingPairCache()->cleanProxyFromPairs(first, world.getDispatcher());
    world.getBroadphase()->destroyProxy(first, world.getDispatcher());
    removeFirstEntry(world.getCollisionObjectArray(), body);
    auto& moving = const_cast<btAlignedObjectArray<btRigidBody*>&>(world.getNonStaticRigidBodies());
    if (countOf(moving, body) > 1) moving.remove(&body);
}

}  // namespace

void noticeSecondAdding(BodyData& data) {
    btPliantBody& body = *data.body;
    // Bullet asks for the box of what it adds when that is the last in its list already, and has its old proxy as yet.
    btBroadphaseProxy* present = body.getBroadphaseHandle();
    SystemData& system = dataOf(*data.system);
    if (!present || !system.world) return;
    const btCollisionObjectArray& objects = system.world->getCollisionObjectArray();
    if (body.getWorldArrayIndex() != objects.size() - 1 || countOf(objects, body) < 2) return;
    takeOutOnce(*system.world, body, present);
    system.say("A reduced body was added to its world twice; it is in it once. ");
}

}  // namespace btPliantInternal
