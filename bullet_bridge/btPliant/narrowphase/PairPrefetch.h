// SPDX-License-Identifier: Zlib
// Internal: passes over many pairs prefetch (Prefetch.h) what the next of them will need, in the order in which one
// thing tells where another is: the pairs themselves, what their lists hold, then spheres or manifolds.
#pragma once

#include <vector>

#include "btPliant/data/ContactPair.h"

namespace btPliantInternal {

void prefetchPairs(const std::vector<ContactPair*>& pairs, int current);
void prefetchContacts(const std::vector<ContactPair*>& pairs, int current);  ///< Contacts of pairs just seen.
/// @param end of the pairs that this thread is testing: the lists of others may be changing
void prefetchForTest(const std::vector<ContactPair*>& pairs, int current, int end);
void prefetchForPoints(const std::vector<ContactPair*>& pairs, int current);

}  // namespace btPliantInternal
