// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/ContactCache.h"

#include <algorithm>

#include "btPliant/data/SystemData.h"
#include "pliant/collision/pair/CollideBodies.h"
#include "pliant/collision/pair/ReserveRounded.h"

namespace btPliantInternal {

namespace {

constexpr double kCacheRadii = 0.05;  ///< of the thinner body: has hardly moved

}  // namespace

pliant::RelativePlacement relativePlacement(const ContactPair& pair) {
    return pliant::RelativePlacement::of(*dataOf(pair.a).deformed, *dataOf(*pair.b).deformed);
}

bool cacheIsValid(const ContactPair& pair, double reach) {
    if (pair.cache.reach < 0 || pair.history.anyCrossed()) return false;
    const double moved = pair.cache.relativeMotionBoundBefore +
                         pliant::motionBetween(pair.cache.startPlacement, relativePlacement(pair));
    const double thinner = std::min(dataOf(pair.a).largestRadius, dataOf(*pair.b).largestRadius);
    return moved + std::max(0.0, reach - pair.cache.reach) <= kCacheRadii * thinner;
}

void testCachedContacts(ContactPair& pair, double reach, SkeletonContacts& out) {
    const pliant::DeformedBody &A = *dataOf(pair.a).deformed, &B = *dataOf(*pair.b).deformed;
    pair.candidates.noteMotion(A, B);
    for (const ContactPair::ContactCache::Contact& chosen : pair.cache.contacts) {
        pliant::SkeletonContact tested[2];
        const int count = pliant::collideSegments(A, chosen.segmentA, B, chosen.segmentB, reach, tested, &pair.history);
        for (int k = 0; k < count; ++k)
            if (tested[k].feature == chosen.feature) out.push_back(tested[k]);
    }
}

void cacheContacts(ContactPair& pair, double reach) {
    constexpr std::size_t step = 16;
    pliant::reserveRounded(pair.cache.contacts, pair.contacts.size(), step);
    pair.cache.contacts.clear();
    for (const pliant::SkeletonContact& contact : pair.contacts)
        pair.cache.contacts.push_back({contact.segmentA, contact.segmentB, contact.feature});
    pair.cache.reach = reach;
    pair.cache.startPlacement = relativePlacement(pair);
    pair.cache.relativeMotionBoundBefore = 0;
}

}  // namespace btPliantInternal
