// SPDX-License-Identifier: Zlib
// Internal: stage 7 of distributed contact.
#pragma once

#include "btPliant/touch/TouchConstraint.h"

namespace btPliantInternal {

/// Solves each element against the velocities of now. Reads and writes velocities of solver bodies and of modes.
/// @return the largest squared change of an impulse, (N s)^2
btScalar iterateTouches(ContactConstraints& contacts, SolverBodies& bodies, TouchConstraints& all);
/// J, by which elements may have sped bodies up, for the guard of the solution.
double workOfTouches(const TouchConstraints& all);

}  // namespace btPliantInternal
