// SPDX-License-Identifier: Zlib
// Internal: friction anchors of solids.
#pragma once

#include "btPliant/solver/ContactConstraints.h"

namespace btPliantInternal {

/// Whether a contact has an anchor: one of its two bodies is a solid, and it is no spring by area. What the points of a
/// ball that rocks on its springs have slipped, taken back as the load goes, made it spin.
bool takesAnchor(const ContactConstraint& contact, const ReducedBodies& reducedBodies);

/// Lets the tangents of such a contact take back what it has slipped. Reads the slip in its manifold point; writes the
/// contact. @param mean, moved rates along the two tangents without impulses, m/s: mean of the velocities over the
/// step, change of place
void addAnchor(const ReducedBodies& reducedBodies, const SolverBodies& bodies, const btContactSolverInfo& info,
               const double* mean, const double* moved, ContactConstraint& contact);

/// After all impulses are known: what the contacts that stick have slipped. Reads impulses, velocities of modes and
/// frames; writes manifold points.
void moveAnchors(const ContactConstraints& all, const btContactSolverInfo& info, SolverBodies& bodies);

}  // namespace btPliantInternal
