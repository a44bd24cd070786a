// SPDX-License-Identifier: Zlib
// Internal: iterations of projected Gauss-Seidel over contact constraints.
#pragma once

#include "btPliant/solver/ConjugateDirections.h"
#include "btPliant/solver/ContactConstraints.h"
#include "pliant/runtime/Workers.h"

namespace btPliantInternal {

/// One iteration. Reads rows and their order; writes impulses, velocities of frames and modes, and the responses of
/// contacts that had none. @param directions along which bodies and impulses are extrapolated before
IterationChange iterateContacts(ConjugateDirections& directions, SolverBodies& bodies, const pliant::Workers& workers,
                                ContactConstraints& all);

}  // namespace btPliantInternal
