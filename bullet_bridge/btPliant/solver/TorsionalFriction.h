// SPDX-License-Identifier: Zlib
// Internal: spinning and rolling friction, torques on the frames of a contact's two bodies.
#pragma once

#include "btPliant/solver/ContactConstraints.h"

namespace btPliantInternal {

/// Effective masses and right-hand sides of the torsions of contact `c`. Reads the contact, responses to torques
/// (ModalResponse.h) and velocities of the frames; writes torsions.
void prepareTorsions(int c, const SolverBodies& bodies, ContactConstraints& all);

/// One iteration over the torsions of a contact. Reads the contact; writes torsions, velocities of frames and modes.
/// @param beta see ConjugateDirections::beta
IterationChange iterateTorsionalFriction(const ContactConstraint& contact, btScalar beta, SolverBodies& bodies,
                                         ContactConstraints& all);

}  // namespace btPliantInternal
