// SPDX-License-Identifier: Zlib
// Internal: friction anchors of solids.
#pragma once

#include "btPliant/solver/ContactConstraints.h"

namespace btPliantInternal {

/// Lets the tangents of a contact take back what it has slipped. Reads the slip in its manifold point; writes the
/// contact. @param freeSlipRate along the tangents, after the free step, m/s
void addAnchors(const ReducedBodies& reducedBodies, const btContactSolverInfo& info, const double* freeSlipRate,
                ContactConstraint& contact);

/// After all impulses are known: what the contacts that stick have slipped. Reads impulses, velocities of modes and
/// frames; writes manifold points.
void moveAnchors(const ContactConstraints& all, const btContactSolverInfo& info, SolverBodies& bodies);

}  // namespace btPliantInternal
