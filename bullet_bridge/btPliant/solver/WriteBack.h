// SPDX-License-Identifier: Zlib
// Internal: what the solution of a group leaves behind.
#pragma once

#include "btPliant/solver/ContactConstraints.h"
#include "pliant/runtime/Workers.h"

namespace btPliantInternal {

/// Reads impulses and modal velocities; writes impulses to the manifold points, modal velocities to the batches but for
/// those of diverged bodies, angular momentum to the bodies.
void writeBackContacts(const ContactConstraints& all, const pliant::Workers& workers);

}  // namespace btPliantInternal
