// SPDX-License-Identifier: Zlib
// Internal: a guard over the solution that the iterations have found.
#pragma once

#include "btPliant/solver/ContactConstraints.h"
#include "pliant/runtime/Workers.h"

namespace btPliantInternal {

/// Finds the bodies whose solution has diverged and rejects it. Reads impulses, velocities of frames and modes; writes
/// `divergence`, ReducedBody::hasDiverged, and zero velocities of rejected frames. @param workOfJoints, workOfOthers of
/// the joints of reduced bodies and of Bullet's own rows, the sum of |d c|, J
void rejectDivergedBodies(double workOfJoints, double workOfOthers, const btContactSolverInfo& info,
                          const pliant::Workers& workers, SolverBodies& bodies, ContactConstraints& all);

/// Of a reduced body of the group (or -1) and a solver body: whether the solution of one of them was rejected.
bool hasDiverged(const ContactConstraints& all, int reduced, int solverBody);

/// After everything else: puts those bodies back to the start of the step, at rest, and drops the impulses of their
/// contacts. Writes velocities of frames, and what `all` points to: batches, angular momentum, manifold points.
void restoreDivergedBodies(const ContactConstraints& all, SolverBodies& bodies);

}  // namespace btPliantInternal
