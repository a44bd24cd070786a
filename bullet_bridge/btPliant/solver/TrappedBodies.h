// SPDX-License-Identifier: Zlib
// Internal: free bodies that the driven bones of characters press against something else.
//
// What moves freely takes from a driven bone no more than its own momentum, and the bone need not yield to it
// (EffectiveMass.cpp). Between two bones, or below a hoof on the ground, it cannot move: impulses from both sides cancel
// on it, each iteration adds to both, and nothing bounds their sum. A basket of 1.3 kg between the legs of a quadruped of
// media/scenes/crowd.yaml got 574 N s from them in one step, and 450 J.
#pragma once

#include "btPliant/solver/ContactConstraints.h"

namespace btPliantInternal {

/// Reads descriptors, the impulses of the last step in their points, and velocities; writes of each descriptor
/// `hasDrivenBones`, and `isTrapped` of those between driven bones and a body that has got impulses from such bones that
/// it does not move by: their sum is more than twice its momentum and twenty times its weight's in a step.
/// @param h of the step, s
void markDrivenContacts(double h, const SolverBodies& bodies, ContactConstraints& all);

}  // namespace btPliantInternal
