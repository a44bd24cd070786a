// SPDX-License-Identifier: Zlib
// Internal: projected Gauss-Seidel over the contacts of a pair range, friction in a disc of the cone, for the
// instruction set of the machine; the same bits for all of them.
#pragma once

#include "btPliant/solver/ContactConstraints.h"

namespace btPliantInternal {

/// @param beta see ConjugateDirections::beta @param change takes what was changed
using ContactIterationKernel = void (*)(ContactConstraints& all, const PairRange& range, btScalar beta,
                                        SolverBodies& bodies, IterationChange& change);

ContactIterationKernel contactIterationKernel();

}  // namespace btPliantInternal
