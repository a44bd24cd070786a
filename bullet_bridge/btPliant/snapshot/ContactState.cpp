// SPDX-License-Identifier: Zlib
// Contacts of a saved world: impulses to warm-start from, sides that contacts keep, and the order of manifolds.
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>

#include <algorithm>
#include <cmath>

#include "btPliant/data/ManifoldPoint.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/narrowphase/ContactCache.h"
#include "btPliant/narrowphase/ManifoldWriter.h"
#include "btPliant/snapshot/StateNumbers.h"
#include "btPliant/snapshot/WorldState.h"

using pliant::StateReader;
using pliant::StateStatus;
using pliant::StateWriter;

namespace btPliantInternal {

namespace {

template <typename Key, typename Visit>
void visitKey(Key& key, const Visit& visit) {
    visit(key.body);
    visit(key.other);
    visit(key.child);
    visit(key.ordinal);
}

template <typename Entry, typename Visit>
void visitEntry(Entry& entry, const Visit& visit) {
    visit(entry.segmentA);
    visit(entry.segmentB);
    visit(entry.normal);
    visit(entry.point);
    visit(entry.crossed);
    visit(entry.kept);
}

/// Names of all live pairs, in their order.
std::vector<ContactState::Ours> keysOf(const SystemData& system) {
    std::vector<ContactState::Ours> keys;
    for (const ContactPair* pair : system.pairs) {
        ContactState::Ours key;
        const auto found = std::find(system.bodies.begin(), system.bodies.end(), &pair->a);
        key.body = static_cast<int>(found - system.bodies.begin());
        key.other = pair->other->getWorldArrayIndex();
        key.child = pair->order.child;
        if (!keys.empty() && keys.back().body == key.body && keys.back().other == key.other &&
            keys.back().child == key.child)
            key.ordinal = keys.back().ordinal + 1;
        keys.push_back(key);
    }
    return keys;
}

/// Manifolds of Bullet's own algorithms, pair by pair.
std::vector<btManifoldArray> foreignManifolds(const SystemData& system) {
    btBroadphasePairArray& pairs = system.world->getPairCache()->getOverlappingPairArray();
    std::vector<btManifoldArray> result(static_cast<std::size_t>(pairs.size()));
    for (int i = 0; i < pairs.size(); ++i) {
        if (!pairs[i].m_algorithm) continue;
        btManifoldArray all;
        pairs[i].m_algorithm->getAllContactManifolds(all);
        for (int m = 0; m < all.size(); ++m)
            if (!btPliantBody::upcast(all[m]->getBody0()) && !btPliantBody::upcast(all[m]->getBody1()))
                result[static_cast<std::size_t>(i)].push_back(all[m]);
    }
    return result;
}

void putPoints(const btPersistentManifold& manifold, StateWriter& out) {
    const PutNumbers put{out};
    put(manifold.getNumContacts());
    for (int i = 0; i < manifold.getNumContacts(); ++i) visitPoint(manifold.getContactPoint(i), put);
}

ContactState::Points getPoints(StateReader& in) {
    const GetNumbers get{in};
    int count = 0;
    get(count);
    if (count < 0 || count > MANIFOLD_CACHE_SIZE) in.fail(StateStatus::BadNumber);
    ContactState::Points points;
    for (int i = 0; i < count && in.ok(); ++i) {
        points.emplace_back();
        visitPoint(points.back(), get);
    }
    return points;
}

void putCache(const ContactPair& pair, StateWriter& out) {
    const PutNumbers put{out};
    const ContactPair::ContactCache& cache = pair.cache;
    const bool exists = pair.b && cache.reach >= 0 && cache.startPlacement.apart.allFinite();
    out.put(exists ? cache.reach : -1.0);
    put(exists ? cache.startPlacement.apart : pliant::Vector3::Zero().eval());
    out.put(exists ? cache.relativeMotionBoundBefore + (btPliantInternal::relativePlacement(pair).relativeMotionBound -
                                                        cache.startPlacement.relativeMotionBound)
                   : 0.0);
    out.put(static_cast<std::uint64_t>(exists ? cache.contacts.size() : 0));
    if (!exists) return;
    for (const ContactPair::ContactCache::Contact& contact : cache.contacts) {
        put(contact.segmentA);
        put(contact.segmentB);
        put(static_cast<int>(contact.feature & 1u));
    }
}

void getCache(StateReader& in, ContactState::Ours& pair) {
    const GetNumbers get{in};
    pair.cacheReach = in.get<double>();
    get(pair.cacheApart);
    pair.relativeMotionBoundSince = in.get<double>();
    if (!std::isfinite(pair.cacheReach) || !(pair.relativeMotionBoundSince >= 0)) in.fail(StateStatus::BadNumber);
    const std::size_t count = in.getCount(1000);
    for (std::size_t i = 0; i < 3 * count && in.ok(); ++i) {
        pair.cachedContacts.push_back(0);
        get(pair.cachedContacts.back());
    }
}

void setPoints(btPersistentManifold& manifold, const ContactState::Points& points) {
    manifold.clearManifold();
    manifold.setNumContacts(static_cast<int>(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i) manifold.getContactPoint(static_cast<int>(i)) = points[i];
}

}  // namespace

void putContacts(const SystemData& system, StateWriter& out) {
    const PutNumbers put{out};
    const std::vector<ContactState::Ours> keys = keysOf(system);
    const std::vector<btManifoldArray> foreign = foreignManifolds(system);
    std::vector<ContactState::ManifoldReference> references(
        static_cast<std::size_t>(system.world->getDispatcher()->getNumManifolds()));
    const auto reference = [&references](const btPersistentManifold& manifold, bool ours, std::size_t index,
                                         std::size_t m) {
        references[static_cast<std::size_t>(manifold.m_index1a)] = {ours, static_cast<int>(index), static_cast<int>(m)};
    };
    out.put(static_cast<std::uint64_t>(keys.size()));
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const ContactPair& pair = *system.pairs[i];
        visitKey(keys[i], put);
        out.put(static_cast<std::uint64_t>(pair.history.entries().size()));
        for (const auto& entry : pair.history.entries()) {
            out.put(entry.feature);
            visitEntry(entry, put);
        }
        putCache(pair, out);
        putSides(pair.surfaceSides.ofA, out);
        putSides(pair.surfaceSides.ofB, out);
        putTouch(pair, out);
        out.put(static_cast<std::uint64_t>(pair.manifolds.size()));
        for (std::size_t m = 0; m < pair.manifolds.size(); ++m) {
            putPoints(*pair.manifolds[m], out);
            reference(*pair.manifolds[m], true, i, m);
        }
    }
    std::size_t count = 0, index = 0;
    for (const btManifoldArray& manifolds : foreign) count += static_cast<std::size_t>(manifolds.size());
    out.put(static_cast<std::uint64_t>(count));
    for (std::size_t pair = 0; pair < foreign.size(); ++pair)
        for (int m = 0; m < foreign[pair].size(); ++m, ++index) {
            put(static_cast<int>(pair));
            put(m);
            putPoints(*foreign[pair][m], out);
            reference(*foreign[pair][m], false, index, 0);
        }
    out.put(static_cast<std::uint64_t>(references.size()));
    for (const ContactState::ManifoldReference& p : references) {
        put(p.ours);
        put(p.index);
        put(p.manifold);
    }
}

bool getContacts(const SystemData& system, StateReader& in, ContactState& state) {
    const GetNumbers get{in};
    constexpr std::size_t most = 10000000;
    const auto bodies = static_cast<int>(system.bodies.size());
    const std::size_t pairs = in.getCount(most);
    for (std::size_t i = 0; i < pairs && in.ok(); ++i) {
        state.ours.emplace_back();
        ContactState::Ours& pair = state.ours.back();
        visitKey(pair, get);
        if (pair.body < 0 || pair.body >= bodies) in.fail(StateStatus::BadNumber);
        const std::size_t entries = in.getCount(most);
        for (std::size_t e = 0; e < entries && in.ok(); ++e) {
            pair.history.emplace_back();
            pair.history.back().feature = in.get<std::uint64_t>();
            visitEntry(pair.history.back(), get);
            if (e > 0 && pair.history[e - 1].feature > pair.history[e].feature) in.fail(StateStatus::BadNumber);
        }
        getCache(in, pair);
        getSides(in, pair.sidesOfA);
        getSides(in, pair.sidesOfB);
        getTouch(in, pair.touch);
        const std::size_t manifolds = in.getCount(1000);
        for (std::size_t m = 0; m < manifolds && in.ok(); ++m) pair.manifolds.push_back(getPoints(in));
    }
    const std::size_t foreign = in.getCount(most);
    for (std::size_t i = 0; i < foreign && in.ok(); ++i) {
        state.foreign.emplace_back();
        get(state.foreign.back().pair);
        get(state.foreign.back().ordinal);
        state.foreign.back().points = getPoints(in);
    }
    const std::size_t references = in.getCount(most);
    for (std::size_t i = 0; i < references && in.ok(); ++i) {
        state.order.emplace_back();
        get(state.order.back().ours);
        get(state.order.back().index);
        get(state.order.back().manifold);
    }
    return in.ok();
}

namespace {

bool samePair(const ContactState::Ours& x, const ContactState::Ours& y) {
    return x.body == y.body && x.other == y.other && x.child == y.child && x.ordinal == y.ordinal;
}

bool hasSegment(const btPliantBody& body, int segment) {
    return segment >= 0 && segment < body.getModel().skeleton.segmentCount();
}

bool isParameter(int part) {
    return part >= 0 && part <= static_cast<int>(largestParameter * parameterUnits);
}

/// A point must name segments of its bodies: contact rows look them up.
bool fits(const btManifoldPoint& point, const ContactPair& pair) {
    const bool first = !pair.swapped;
    const int ours = first ? point.m_index0 : point.m_index1, other = first ? point.m_index1 : point.m_index0;
    const int part = first ? point.m_partId0 : point.m_partId1, otherPart = first ? point.m_partId1 : point.m_partId0;
    return hasSegment(pair.a, ours) && isParameter(part) &&
           (!pair.b || (hasSegment(*pair.b, other) && isParameter(otherPart)));
}

bool fits(const pliant::ContactHistory::Entry& entry, const ContactPair& pair) {
    return hasSegment(pair.a, entry.segmentA) && (pair.b ? hasSegment(*pair.b, entry.segmentB) : entry.segmentB == -1);
}

void applyCache(const ContactState::Ours& saved, ContactPair& pair) {
    ContactPair::ContactCache& cache = pair.cache;
    cache = ContactPair::ContactCache();
    if (!pair.b || !(saved.cacheReach >= 0)) return;
    for (std::size_t i = 0; i + 2 < saved.cachedContacts.size(); i += 3) {
        const int segmentA = saved.cachedContacts[i], segmentB = saved.cachedContacts[i + 1];
        if (!hasSegment(pair.a, segmentA) || !hasSegment(*pair.b, segmentB)) return;
        cache.contacts.push_back(
            {segmentA, segmentB, pliant::contactFeature(segmentA, segmentB, saved.cachedContacts[i + 2] & 1)});
    }
    cache.reach = saved.cacheReach;
    cache.startPlacement = {saved.cacheApart, btPliantInternal::relativePlacement(pair).relativeMotionBound};
    cache.relativeMotionBoundBefore = saved.relativeMotionBoundSince;
}

void applyPair(const ContactState::Ours& saved, ContactPair& pair) {
    applyCache(saved, pair);
    applyTouch(saved.touch, pair);
    std::vector<pliant::ContactHistory::Entry> history;
    for (const auto& entry : saved.history)
        if (fits(entry, pair)) history.push_back(entry);
    pair.history.assign(history);
    if (pair.b) {
        applySides(saved.sidesOfA, pair.a.getModel().skeleton.segmentCount(), pair.surfaceSides.ofA);
        applySides(saved.sidesOfB, pair.b->getModel().skeleton.segmentCount(), pair.surfaceSides.ofB);
    }
    for (btPersistentManifold* manifold : pair.manifolds) pair.dispatcher.releaseManifold(manifold);
    pair.manifolds.clear();
    for (const ContactState::Points& points : saved.manifolds) {
        btPliantInternal::addManifold(pair, pair.swapped ? pair.other : &pair.a, pair.swapped ? &pair.a : pair.other);
        ContactState::Points known;
        for (const btManifoldPoint& point : points)
            if (fits(point, pair)) known.push_back(point);
        setPoints(*pair.manifolds.back(), known);
    }
    pair.isComputed = false;
}

/// The dispatcher's order, as far as the manifolds are there again; what is new comes last.
void restoreOrder(btDispatcher& dispatcher, const std::vector<ContactState::ManifoldReference>& references,
                  const std::vector<ContactPair*>& ours, const std::vector<btPersistentManifold*>& others) {
    btPersistentManifold** all = dispatcher.getInternalManifoldPointer();
    const int count = dispatcher.getNumManifolds();
    std::vector<btPersistentManifold*> order;
    std::vector<char> listed(static_cast<std::size_t>(count), 0);
    const auto list = [&](btPersistentManifold* manifold) {
        char& done = listed[static_cast<std::size_t>(manifold->m_index1a)];
        if (!done) order.push_back(manifold);
        done = 1;
    };
    for (const ContactState::ManifoldReference& reference : references) {
        const auto index = static_cast<std::size_t>(reference.index);
        if (reference.index < 0 || reference.manifold < 0) continue;
        if (!reference.ours) {
            if (index < others.size() && others[index]) list(others[index]);
        } else if (index < ours.size() && ours[index] &&
                   static_cast<std::size_t>(reference.manifold) < ours[index]->manifolds.size()) {
            list(ours[index]->manifolds[static_cast<std::size_t>(reference.manifold)]);
        }
    }
    for (int i = 0; i < count; ++i) list(all[i]);
    for (int i = 0; i < count; ++i) {
        all[i] = order[static_cast<std::size_t>(i)];
        all[i]->m_index1a = i;
    }
}

}  // namespace

void applyContacts(SystemData& system, const ContactState& state) {
    const std::vector<ContactState::Ours> keys = keysOf(system);
    std::vector<ContactPair*> found(state.ours.size(), nullptr);
    for (std::size_t i = 0; i < state.ours.size(); ++i)
        for (std::size_t k = 0; k < keys.size(); ++k)
            if (samePair(keys[k], state.ours[i])) found[i] = system.pairs[k];
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i]) applyPair(state.ours[i], *found[i]);
    const std::vector<btManifoldArray> foreign = foreignManifolds(system);
    std::vector<btPersistentManifold*> others(state.foreign.size(), nullptr);
    for (std::size_t i = 0; i < state.foreign.size(); ++i) {
        const ContactState::Foreign& saved = state.foreign[i];
        if (saved.pair < 0 || static_cast<std::size_t>(saved.pair) >= foreign.size()) continue;
        const btManifoldArray& manifolds = foreign[static_cast<std::size_t>(saved.pair)];
        if (saved.ordinal < 0 || saved.ordinal >= manifolds.size()) continue;
        others[i] = manifolds[saved.ordinal];
        setPoints(*others[i], saved.points);
    }
    restoreOrder(*system.world->getDispatcher(), state.order, found, others);
}

}  // namespace btPliantInternal
