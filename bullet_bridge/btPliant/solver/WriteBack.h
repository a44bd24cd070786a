// SPDX-License-Identifier: Zlib
// Internal: what the solution of a group leaves behind.
#pragma once

#include "btPliant/solver/ContactConstraints.h"
#include "pliant/runtime/Workers.h"

namespace btPliantInternal {

/// Reads impulses and modal velocities. Writes nothing of `all` itself, but what it points to: impulses, friction axes
/// and split impulses of manifold points; of bodies angularMomentum, solvedAngularVelocity, coupledAngularVelocity and,
/// but for diverged ones, q' in their batches and V of ragdolls; CharacterData::impulses and ::angularImpulses.
void writeBackContacts(const ContactConstraints& all, const pliant::Workers& workers);

}  // namespace btPliantInternal
