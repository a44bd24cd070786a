// SPDX-License-Identifier: Zlib
// Internal: the contacts of two reduced bodies that have hardly moved since they were found (ContactPair::cache).
#pragma once

#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

/// Where two reduced bodies are against each other.
pliant::RelativePlacement relativePlacement(const ContactPair& pair);
/// Whether the cached contacts may stand in for a full test within `reach`, m.
bool cacheIsValid(const ContactPair& pair, double reach);
/// Appends those of the cache that are still within `reach`, m.
void testCachedContacts(ContactPair& pair, double reach, SkeletonContacts& out);
/// Keeps the pair's contacts, which a full test within `reach` metres has found.
void cacheContacts(ContactPair& pair, double reach);

}  // namespace btPliantInternal
