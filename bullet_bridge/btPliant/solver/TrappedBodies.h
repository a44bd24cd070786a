// SPDX-License-Identifier: Zlib
// Internal: free bodies that the driven bones of characters press against something else.
//
// What is light and moves freely takes from a driven bone no more than its own momentum, and the bone need not yield to
// it (EffectiveMass.cpp). Between two bones, or below a hoof on the ground, it cannot move: impulses from both sides
// cancel on it, each iteration adds to both, and nothing bounds their sum. A basket of 1.3 kg between the legs of a
// quadruped of media/scenes/crowd.yaml got 574 N s from them in one step, and 450 J.
//
// It is told by the last step, so the first one of a squeeze is not bounded, and a body whose impulses have come down
// by it is free again in the next.
#pragma once

#include "btPliant/solver/ContactConstraints.h"

namespace btPliantInternal {

/// Reads descriptors, the impulses of the last step in their points, and velocities; writes of each descriptor
/// `hasDrivenBones`, and `isTrapped` of those between driven bones and a body that has got impulses from such bones
/// that it does not move by: the sum of their sizes is more than twice its momentum at the start of the step, and
/// twenty times what gravity and forces give it in a step. @param h of the step, s
void markDrivenContacts(double h, const SolverBodies& bodies, ContactConstraints& all);

/// Speed at which the driven bones of a contact go into the other side, m/s; 0 where they go away from it.
/// @param skin velocity of the gap by the skin's motion beyond that of its frame, m/s
btScalar boneSpeed(const ContactConstraint& contact, const ReducedBodies& reducedBodies, double skin);

}  // namespace btPliantInternal
