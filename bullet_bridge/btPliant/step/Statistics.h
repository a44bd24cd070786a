// SPDX-License-Identifier: Zlib
// Internal: what a substep found.
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// Counts bodies, contacts and penetrations into `substepStats`.
void collectContactStats(SystemData& system);
/// Measures the energies of the present state into `stats`, unless they are known.
void collectEnergies(SystemData& system);

}  // namespace btPliantInternal
