// SPDX-License-Identifier: Zlib
// What the broadphase carries from step to step: boxes (a btDbvtBroadphase keeps larger ones, so that small moves
// change nothing), which tree an object is in, and the overlapping pairs in their order, on which islands depend.
#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>

#include <algorithm>
#include <utility>

#include "btPliant/snapshot/StateNumbers.h"
#include "btPliant/snapshot/WorldState.h"

using pliant::StateReader;
using pliant::StateStatus;
using pliant::StateWriter;

namespace btPliantInternal {

namespace {

/// Bullet adds to its counters, and takes elements by them: near the largest int they would overflow into a negative
/// number of an element.
constexpr int kCounterEnd = 1 << 30;

int numberOf(const btBroadphaseProxy* proxy) {
    return static_cast<const btCollisionObject*>(proxy->m_clientObject)->getWorldArrayIndex();
}

const btDbvtBroadphase* treeOf(const btDiscreteDynamicsWorld& world) {
    return dynamic_cast<const btDbvtBroadphase*>(world.getBroadphase());
}

template <typename Proxy, typename Visit>
void visitProxy(Proxy& p, const Visit& visit) {
    visit(p.present);
    visit(p.lower);
    visit(p.upper);
    visit(p.leafLower);
    visit(p.leafUpper);
    visit(p.stage);
}

template <typename State, typename Visit>
void visitTree(State& s, const Visit& visit) {
    visit(s.isTree);
    visit(s.stageCurrent);
    visit(s.fixedLeft);
    visit(s.newPairs);
    visit(s.parse);
    visit(s.cleanup);
    visit(s.needCleanup);
}

BroadphaseState::Proxy proxyState(const btCollisionObject& object, bool inTree) {
    BroadphaseState::Proxy p;
    for (btVector3* v : {&p.lower, &p.upper, &p.leafLower, &p.leafUpper}) v->setZero();
    const btBroadphaseProxy* proxy = object.getBroadphaseHandle();
    if (!proxy) return p;
    p.present = true;
    p.lower = proxy->m_aabbMin;
    p.upper = proxy->m_aabbMax;
    if (!inTree) return p;
    const auto* leaf = static_cast<const btDbvtProxy*>(proxy);
    p.leafLower = leaf->leaf->volume.Mins();
    p.leafUpper = leaf->leaf->volume.Maxs();
    p.stage = leaf->stage;
    return p;
}

}  // namespace

void putBroadphase(const btDiscreteDynamicsWorld& constWorld, StateWriter& out) {
    auto& world = const_cast<btDiscreteDynamicsWorld&>(constWorld);
    const PutNumbers put{out};
    BroadphaseState state;
    if (const btDbvtBroadphase* tree = treeOf(world)) {
        state.isTree = true;
        state.stageCurrent = tree->m_stageCurrent;
        state.fixedLeft = tree->m_fixedleft;
        state.newPairs = tree->m_newpairs;
        state.parse = tree->m_pid & (kCounterEnd - 1);  // Bullet only counts it up
        state.cleanup = tree->m_cid;
        state.needCleanup = tree->m_needcleanup;
    }
    visitTree(state, put);
    const btCollisionObjectArray& objects = world.getCollisionObjectArray();
    for (int i = 0; i < objects.size(); ++i) {
        const BroadphaseState::Proxy proxy = proxyState(*objects[i], state.isTree);
        visitProxy(proxy, put);
    }
    const btBroadphasePairArray& pairs = world.getPairCache()->getOverlappingPairArray();
    out.put(static_cast<std::uint64_t>(pairs.size()));
    for (int i = 0; i < pairs.size(); ++i) {
        put(numberOf(pairs[i].m_pProxy0));
        put(numberOf(pairs[i].m_pProxy1));
        put(pairs[i].m_algorithm != nullptr);
    }
}

namespace {

bool isOrdered(const btVector3& lower, const btVector3& upper) {
    return lower.x() <= upper.x() && lower.y() <= upper.y() && lower.z() <= upper.z();
}

bool countersCanBe(const BroadphaseState& state) {
    const auto [least, most] = std::minmax({state.fixedLeft, state.newPairs, state.parse, state.cleanup});
    return least >= 0 && most < kCounterEnd && state.stageCurrent >= 0 &&
           state.stageCurrent < btDbvtBroadphase::STAGECOUNT;
}

/// A second algorithm for a pair would take the place of the first, which nobody would delete.
bool eachPairIsThereOnce(const std::vector<BroadphaseState::Pair>& pairs) {
    std::vector<std::pair<int, int>> ends;
    for (const BroadphaseState::Pair& pair : pairs) ends.push_back(std::minmax(pair.first, pair.second));
    std::sort(ends.begin(), ends.end());
    return std::adjacent_find(ends.begin(), ends.end()) == ends.end();
}

}  // namespace

bool getBroadphase(const btDiscreteDynamicsWorld& world, StateReader& in, BroadphaseState& state) {
    const GetNumbers get{in};
    visitTree(state, get);
    if (in.ok() && state.isTree != (treeOf(world) != nullptr)) in.fail(StateStatus::OtherWorld);
    const btCollisionObjectArray& objects = world.getCollisionObjectArray();
    for (int i = 0; i < objects.size() && in.ok(); ++i) {
        state.proxies.emplace_back();
        BroadphaseState::Proxy& proxy = state.proxies.back();
        visitProxy(proxy, get);
        if (proxy.present != (objects[i]->getBroadphaseHandle() != nullptr)) in.fail(StateStatus::OtherWorld);
        if (proxy.stage < 0 || proxy.stage > btDbvtBroadphase::STAGECOUNT) in.fail(StateStatus::BadNumber);
        if (!isOrdered(proxy.lower, proxy.upper) || !isOrdered(proxy.leafLower, proxy.leafUpper))
            in.fail(StateStatus::BadNumber);
    }
    if (!countersCanBe(state)) in.fail(StateStatus::BadNumber);
    const std::size_t most = state.proxies.size() * state.proxies.size();
    const std::size_t count = in.getCount(most);
    for (std::size_t i = 0; i < count && in.ok(); ++i) {
        BroadphaseState::Pair pair;
        get(pair.first);
        get(pair.second);
        get(pair.algorithm);
        const auto exists = [&](int number) {
            return number >= 0 && number < objects.size() && state.proxies[static_cast<std::size_t>(number)].present;
        };
        if (!exists(pair.first) || !exists(pair.second) || pair.first == pair.second) in.fail(StateStatus::BadNumber);
        state.pairs.push_back(pair);
    }
    if (in.ok() && !eachPairIsThereOnce(state.pairs)) in.fail(StateStatus::BadNumber);
    return in.ok();
}

namespace {

void listRemove(btDbvtProxy* item, btDbvtProxy*& list) {
    if (item->links[0])
        item->links[0]->links[1] = item->links[1];
    else
        list = item->links[1];
    if (item->links[1]) item->links[1]->links[0] = item->links[0];
}

void listAppend(btDbvtProxy* item, btDbvtProxy*& list) {
    item->links[0] = nullptr;
    item->links[1] = list;
    if (list) list->links[0] = item;
    list = item;
}

/// The leaf's box and tree as they were.
void placeLeaf(btDbvtBroadphase& tree, btDbvtProxy& proxy, const BroadphaseState::Proxy& state) {
    btDbvtVolume volume = btDbvtVolume::FromMM(state.leafLower, state.leafUpper);
    const int from = proxy.stage == btDbvtBroadphase::STAGECOUNT, to = state.stage == btDbvtBroadphase::STAGECOUNT;
    if (from == to) {
        tree.m_sets[to].update(proxy.leaf, volume);
    } else {
        tree.m_sets[from].remove(proxy.leaf);
        proxy.leaf = tree.m_sets[to].insert(volume, &proxy);
    }
    listRemove(&proxy, tree.m_stageRoots[proxy.stage]);
    proxy.stage = state.stage;
    listAppend(&proxy, tree.m_stageRoots[proxy.stage]);
}

/// As Bullet's near callback does when a pair is new.
void makeAlgorithm(btDiscreteDynamicsWorld& world, btBroadphasePair& pair) {
    const auto* first = static_cast<const btCollisionObject*>(pair.m_pProxy0->m_clientObject);
    const auto* second = static_cast<const btCollisionObject*>(pair.m_pProxy1->m_clientObject);
    btCollisionObjectWrapper a(nullptr, first->getCollisionShape(), first, first->getWorldTransform(), -1, -1);
    btCollisionObjectWrapper b(nullptr, second->getCollisionShape(), second, second->getWorldTransform(), -1, -1);
    pair.m_algorithm = world.getDispatcher()->findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    if (!pair.m_algorithm || btPliantBody::upcast(first) || btPliantBody::upcast(second)) {
        const bool direct = !first->getCollisionShape()->isCompound() && !second->getCollisionShape()->isCompound();
        if (!pair.m_algorithm || direct) return;
    }
    // Bullet's algorithms make their manifolds and children when they run.
    btManifoldResult result(&a, &b);
    pair.m_algorithm->processCollision(&a, &b, world.getDispatchInfo(), &result);
}

}  // namespace

void applyBroadphase(btDiscreteDynamicsWorld& world, const BroadphaseState& state) {
    btCollisionObjectArray& objects = world.getCollisionObjectArray();
    btDispatcher* dispatcher = world.getDispatcher();
    for (int i = 0; i < objects.size(); ++i) {
        const BroadphaseState::Proxy& proxy = state.proxies[static_cast<std::size_t>(i)];
        if (proxy.present)
            world.getBroadphase()->setAabb(objects[i]->getBroadphaseHandle(), proxy.lower, proxy.upper, dispatcher);
    }
    btOverlappingPairCache* cache = world.getPairCache();
    while (cache->getNumOverlappingPairs() > 0) {
        const btBroadphasePair last = cache->getOverlappingPairArray()[cache->getNumOverlappingPairs() - 1];
        cache->removeOverlappingPair(last.m_pProxy0, last.m_pProxy1, dispatcher);
    }
    for (const BroadphaseState::Pair& pair : state.pairs) {
        btBroadphasePair* made = cache->addOverlappingPair(objects[pair.first]->getBroadphaseHandle(),
                                                           objects[pair.second]->getBroadphaseHandle());
        if (made && pair.algorithm) makeAlgorithm(world, *made);
    }
    auto* tree = const_cast<btDbvtBroadphase*>(treeOf(world));
    if (!tree) return;
    for (int i = objects.size() - 1; i >= 0; --i) {
        const BroadphaseState::Proxy& proxy = state.proxies[static_cast<std::size_t>(i)];
        if (proxy.present) placeLeaf(*tree, *static_cast<btDbvtProxy*>(objects[i]->getBroadphaseHandle()), proxy);
    }
    tree->m_stageCurrent = state.stageCurrent;
    tree->m_fixedleft = state.fixedLeft;
    tree->m_newpairs = state.newPairs;
    tree->m_pid = state.parse;
    tree->m_cid = state.cleanup;
    tree->m_needcleanup = state.needCleanup;
}

}  // namespace btPliantInternal
