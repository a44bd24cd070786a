// SPDX-License-Identifier: Zlib
// A body that a user adds to another world than its system's, or to its own twice. Of the first Bullet knows nothing.
// Of the second: Bullet asserts in its debug builds; in others the body stands in the world's lists twice and has two
// proxies, of which it knows the later one: after its removal the world would still hold its address.
//
// A body's proxy may be another world's, or freed already while Bullet makes it anew (refreshBroadphaseProxy()): it is
// compared, never read. What is taken out is what the system's own broadphase still has of the body.
#include "btPliant/body/WrongAdding.h"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>

#include <algorithm>

namespace btPliantInternal {

namespace {

template <class Object>
int countOf(const btAlignedObjectArray<Object*>& list, const btPliantBody& body) {
    int count = 0;
    for (int i = 0; i < list.size(); ++i) count += list[i] == &body;
    return count;
}

/// Whether the number that the last world has given it is its place in the system's own.
bool hasOwnNumber(const SystemData& system, const btPliantBody& body) {
    const btCollisionObjectArray& objects = system.world->getCollisionObjectArray();
    const int index = body.getWorldArrayIndex();
    return index >= 0 && index < objects.size() && objects[index] == &body;
}

/// The proxy of a body among those of a broadphase: the one it knows where that is there, else any of its.
struct ProxySearch : btBroadphaseAabbCallback {
    explicit ProxySearch(const btPliantBody& sought) : body(&sought), present(sought.getBroadphaseHandle()) {}
    bool process(const btBroadphaseProxy* proxy) override {
        if (proxy->m_clientObject == body && (!found || proxy == present))
            found = const_cast<btBroadphaseProxy*>(proxy);
        return true;
    }
    const btCollisionObject* body;
    const btBroadphaseProxy* present;
    btBroadphaseProxy* found = nullptr;
};

/// Whether proxies of the system's own world can be looked through: others than this kind report those of a tree
/// beside.
bool canLookUp(const SystemData& system) {
    return dynamic_cast<btDbvtBroadphase*>(system.world->getBroadphase()) != nullptr;
}

/// Of the system's own world; null: it has none. Around the body's centre first, where it nearly always is.
btBroadphaseProxy* ownProxy(const SystemData& system, const btPliantBody& body) {
    constexpr btScalar far = btScalar(1e30);
    ProxySearch search(body);
    const btVector3& centre = body.getWorldTransform().getOrigin();
    system.world->getBroadphase()->aabbTest(centre, centre, search);
    if (search.found && search.found == search.present) return search.found;
    system.world->getBroadphase()->aabbTest(btVector3(-far, -far, -far), btVector3(far, far, far), search);
    return search.found;
}

/// The first of its entries goes, as Bullet removes: the last object takes its place and number.
void removeFirstEntry(btCollisionObjectArray& objects, const btPliantBody& body) {
    int first = 0;
    while (objects[first] != &body) ++first;
    objects.swap(first, objects.size() - 1);
    objects.pop_back();
    if (first < objects.size()) objects[first]->setWorldArrayIndex(first);
}

/// @param proxy one that the world's broadphase has  @param left entries that stay
void takeOut(btDiscreteDynamicsWorld& world, btPliantBody& body, btBroadphaseProxy* proxy, int left) {
    world.getBroadphase()->getOverlappingPairCache()->cleanProxyFromPairs(proxy, world.getDispatcher());
    world.getBroadphase()->destroyProxy(proxy, world.getDispatcher());
    if (countOf(world.getCollisionObjectArray(), body) > left) removeFirstEntry(world.getCollisionObjectArray(), body);
    auto& moving = const_cast<btAlignedObjectArray<btRigidBody*>&>(world.getNonStaticRigidBodies());
    if (countOf(moving, body) > left) moving.remove(&body);
}

void sayElsewhere(SystemData& system) {
    system.say(
        "A reduced body is in another world than its system's: it moves there as a rigid body would; add it to the "
        "world that its btPliantSystem was made for. ");
}

void noticeTwice(SystemData& system, BodyData& data) {
    btPliantBody& body = *data.body;
    const btCollisionObjectArray& objects = system.world->getCollisionObjectArray();
    // Bullet asks for the box of what it adds when that is the last in its list already, and has its old proxy as yet.
    if (body.getWorldArrayIndex() != objects.size() - 1 || countOf(objects, body) < 2) return;
    takeOut(*system.world, body, body.getBroadphaseHandle(), 1);
    data.knownProxy = nullptr;
    system.say("A reduced body was added to its world twice; it is in it once. ");
}

/// Another world is adding it, has given it a number and asks for its box. The system's own is not asking: in that it
/// would have its number.
void leaveForAnother(SystemData& system, BodyData& data) {
    takeOutOfOwnWorld(system, *data.body);
    data.knownProxy = nullptr;
    data.isElsewhere = true;
    sayElsewhere(system);
}

/// Of a proxy that has not been looked at as yet.
void lookUp(SystemData& system, BodyData& data) {
    btPliantBody& body = *data.body;
    const btBroadphaseProxy* const present = body.getBroadphaseHandle();
    const bool isListed = hasOwnNumber(system, body) || countOf(system.world->getCollisionObjectArray(), body) > 0;
    const bool isSearched = canLookUp(system);
    const btBroadphaseProxy* const own = isSearched ? ownProxy(system, body) : present;
    if (isListed && !own) return;  // its proxy is being made anew
    data.knownProxy = present;
    data.isElsewhere = !isListed || own != present;
    data.isInTwoWorlds = isListed && own != present;
    if (data.isInTwoWorlds) {
        data.activationInOwnWorld = body.getActivationState();
        system.hasBodyInTwoWorlds = true;
    }
    if (data.isElsewhere) return sayElsewhere(system);
    if (!hasOwnNumber(system, body) && isSearched) leaveForAnother(system, data);
}

}  // namespace

bool noticeWrongAdding(BodyData& data) {
    SystemData& system = dataOf(*data.system);
    const btBroadphaseProxy* const present = data.body->getBroadphaseHandle();
    if (!system.world) return false;
    if (!present) {  // Bullet adds it, or it is in no world; written on a change alone, since tests in parallel ask,
                     // too
        if (data.knownProxy) data.knownProxy = nullptr;
        if (data.isElsewhere) data.isElsewhere = false;
        return data.isInTwoWorlds;
    }
    if (present != data.knownProxy) lookUp(system, data);
    if (present == data.knownProxy && !data.isElsewhere) {
        if (hasOwnNumber(system, *data.body))
            noticeTwice(system, data);
        else if (canLookUp(system))
            leaveForAnother(system, data);
    }
    return data.isInTwoWorlds;
}

void takeOutOfOwnWorld(const SystemData& system, btPliantBody& body) {
    btDiscreteDynamicsWorld& world = *system.world;
    const btBroadphaseProxy* const present = body.getBroadphaseHandle();
    const bool isKnown = present && present == dataOf(body).knownProxy && !dataOf(body).isElsewhere;
    if (hasOwnNumber(system, body) && (isKnown || !canLookUp(system) || ownProxy(system, body) == present)) {
        if (present) world.removeRigidBody(&body);
        return;
    }
    if (!canLookUp(system) || countOf(world.getCollisionObjectArray(), body) == 0) return;
    while (btBroadphaseProxy* proxy = ownProxy(system, body)) takeOut(world, body, proxy, 0);
}

void takeOutWhatIsElsewhere(SystemData& system) {
    if (!system.hasBodyInTwoWorlds) return;
    system.hasBodyInTwoWorlds = false;
    for (btPliantBody* body : system.bodies) {
        BodyData& data = dataOf(*body);
        if (!data.isInTwoWorlds) continue;
        takeOutOfOwnWorld(system, *body);
        data.isInTwoWorlds = false;
        body->forceActivationState(data.activationInOwnWorld);
    }
}

bool hasLostItsWorld(const SystemData& system) {
    const auto& bodies = system.bodies;
    return std::any_of(bodies.begin(), bodies.end(), [&](const btPliantBody* body) {
        return !system.isInWorld(*body) && body->getWorldArrayIndex() >= 0 && !dataOf(*body).isElsewhere;
    });
}

}  // namespace btPliantInternal
