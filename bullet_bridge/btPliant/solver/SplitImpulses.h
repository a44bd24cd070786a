// SPDX-License-Identifier: Zlib
// Internal: split impulses, whose pseudo-velocities take penetration back; rigid motion only, so that no strain is
// stored.
#pragma once

#include "btPliant/solver/ContactConstraints.h"
#include "pliant/runtime/Workers.h"

namespace btPliantInternal {

/// Lists the contacts that have penetration to take back. Reads contacts and their order; writes splitImpulses.
void listSplitImpulses(ContactConstraints& all);

/// One iteration over those. Writes split impulses of contacts and pseudo-velocities of frames.
void iterateSplitImpulses(SolverBodies& bodies, const pliant::Workers& workers, ContactConstraints& all);

}  // namespace btPliantInternal
