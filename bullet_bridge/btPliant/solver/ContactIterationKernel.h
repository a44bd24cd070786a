// SPDX-License-Identifier: Zlib
// Internal: projected Gauss-Seidel over the contacts of a run, friction in a disc of the cone, for the instruction set
// of the machine; the same bits for all of them.
#pragma once

#include "btPliant/solver/ContactConstraints.h"

namespace btPliantInternal {

/// @param share see Rows::sweep @param change takes what was changed
using SweepRun = void (*)(btPliantConstraintSolver::Rows& rows, const ContactRun& run, btScalar share,
                          btAlignedObjectArray<btSolverBody>& bodies, SweepChange& change);

SweepRun sweepRunKernel();

}  // namespace btPliantInternal
