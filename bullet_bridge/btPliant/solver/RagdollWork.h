// SPDX-License-Identifier: Zlib
// Internal: an account of the energy that the rows of ragdolls have brought in, once the iterations are over.
//
// Rows that hold a ragdoll do the work W = sum_k P_k (u_0k + u_1k) / 2, u_0 before gravity and stress have acted
// (RagdollContact.h). Pushing rows that agree do none; iterations end before all of them do, and friction stops a point
// without asking where it was going. With all impulses of a ragdoll times s, W(s) = s a + s^2 b, and where W(1) > 0
// they are made smaller to W(s) = 0.
#pragma once

#include "btPliant/solver/ContactConstraints.h"

namespace btPliantInternal {

/// Reads impulses; writes those of contacts and limits of ragdolls, and the velocities that they have added.
void boundRagdollWork(SolverBodies& bodies, ContactConstraints& all);

}  // namespace btPliantInternal
