// SPDX-License-Identifier: Zlib
// Internal: bounds on how many contacts a substep may make.
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// Leaves no more contacts in the pairs of the parallel pass than the system may make
/// (btPliantSystemInfo::m_maxContacts).
void limitContacts(SystemData& system);

/// The same for a pair that is found by itself, after the parallel pass: new ones are.
void limitContacts(ContactPair& pair);

}  // namespace btPliantInternal
