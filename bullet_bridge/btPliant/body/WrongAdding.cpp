// SPDX-License-Identifier: Zlib
// A body that a user adds to another world than its system's, or to its own twice. Of the first Bullet knows nothing.
// Of the second: Bullet asserts in its debug builds; in others the body stands in the world's lists twice and has two
// proxies, of which it knows the later one: after its removal the world would still hold its address.
#include "btPliant/body/WrongAdding.h"

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

/// @param first the proxy that the world has made first  @param left entries that stay
void takeOut(btDiscreteDynamicsWorld& world, btPliantBody& body, btBroadphaseProxy* first, int left) {
    world.getBroadphase()->getOverlappingPairCache()->cleanProxyFromPairs(first, world.getDispatcher());
    world.getBroadphase()->destroyProxy(first, world.getDispatcher());
    removeFirstEntry(world.getCollisionObjectArray(), body);
    auto& moving = const_cast<btAlignedObjectArray<btRigidBody*>&>(world.getNonStaticRigidBodies());
    if (countOf(moving, body) > left) moving.remove(&body);
}

}  // namespace

void noticeWrongAdding(BodyData& data) {
    btPliantBody& body = *data.body;
    // Bullet asks for the box of what it adds when that is the last in its list already, and has its old proxy as yet.
    btBroadphaseProxy* present = body.getBroadphaseHandle();
    SystemData& system = dataOf(*data.system);
    btBroadphaseProxy* const former = data.knownProxy;
    data.knownProxy = present;
    if (!present || !system.world) return;
    const btCollisionObjectArray& objects = system.world->getCollisionObjectArray();
    // A body that leaves its world has no proxy for a while. Its number may be the same in both worlds.
    const bool hasLeft = former && former != present;
    if (system.isInOtherWorld(body) || hasLeft) {
        if (countOf(objects, body) > 0) takeOut(*system.world, body, hasLeft ? former : present, 0);
        system.say(
            "A reduced body is in another world than its system's: it moves there as a rigid body would; add it to the "
            "world that its btPliantSystem was made for. ");
        data.knownProxy = nullptr;
        return;
    }
    if (body.getWorldArrayIndex() != objects.size() - 1 || countOf(objects, body) < 2) return;
    takeOut(*system.world, body, present, 1);
    data.knownProxy = nullptr;
    system.say("A reduced body was added to its world twice; it is in it once. ");
}

}  // namespace btPliantInternal
