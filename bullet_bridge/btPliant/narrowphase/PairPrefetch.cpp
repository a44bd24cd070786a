// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/PairPrefetch.h"

#include <algorithm>

#include "btPliant/data/SystemData.h"
#include "pliant/math/Prefetch.h"

namespace btPliantInternal {

namespace {

constexpr std::size_t kMostPrefetched = 1024;  ///< bytes of a list; the rest of a long one comes by itself

/// Null beyond the last.
const ContactPair* pairAt(const std::vector<ContactPair*>& pairs, int index) {
    return static_cast<std::size_t>(index) < pairs.size() ? pairs[static_cast<std::size_t>(index)] : nullptr;
}

void prefetchSpheres(const ContactPair& pair) {
    constexpr std::size_t most = 24;
    const pliant::DeformedBody& A = *dataOf(pair.a).deformed;
    for (std::size_t i = 0; i < std::min(most, pair.planeCandidates.spheres().size()); ++i)
        A.prefetchSphere(pair.planeCandidates.spheres()[i]);
    if (!pair.b) return;
    const pliant::DeformedBody& B = *dataOf(*pair.b).deformed;
    for (std::size_t i = 0; i < std::min(most, pair.cache.contacts.size()); ++i) {
        A.prefetchSegment(pair.cache.contacts[i].segmentA);
        B.prefetchSegment(pair.cache.contacts[i].segmentB);
    }
}

void prefetchManifolds(const ContactPair& pair) {
    for (const btPersistentManifold* manifold : pair.manifolds) pliant::prefetch(manifold, sizeof *manifold);
}

}  // namespace

void prefetchPairs(const std::vector<ContactPair*>& pairs, int current) {
    if (const ContactPair* pair = pairAt(pairs, current + 9)) pliant::prefetch(pair, sizeof *pair);
}

void prefetchContacts(const std::vector<ContactPair*>& pairs, int current) {
    if (const ContactPair* pair = pairAt(pairs, current + 5)) pliant::prefetchElements(pair->contacts, kMostPrefetched);
}

void prefetchForTest(const std::vector<ContactPair*>& pairs, int current, int end) {
    prefetchPairs(pairs, current);
    if (current + 5 < end) {
        const ContactPair& pair = *pairs[static_cast<std::size_t>(current + 5)];
        pliant::prefetchElements(pair.contacts, kMostPrefetched);
        pliant::prefetchElements(pair.history.entries(), kMostPrefetched);
        pliant::prefetchElements(pair.cache.contacts, kMostPrefetched);
        pliant::prefetchElements(pair.planeCandidates.spheres(), kMostPrefetched);
    }
    if (current + 2 < end) prefetchSpheres(*pairs[static_cast<std::size_t>(current + 2)]);
}

void prefetchForPoints(const std::vector<ContactPair*>& pairs, int current) {
    prefetchPairs(pairs, current);
    if (const ContactPair* pair = pairAt(pairs, current + 5)) {
        pliant::prefetchElements(pair->contacts, kMostPrefetched);
        pliant::prefetchElements(pair->manifolds, kMostPrefetched);
    }
    if (const ContactPair* pair = pairAt(pairs, current + 2)) prefetchManifolds(*pair);
}

}  // namespace btPliantInternal
