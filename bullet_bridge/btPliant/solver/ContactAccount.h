// SPDX-License-Identifier: Zlib
// Internal: what the impulses of a contact have added to velocities, once the iterations are over, and how more of it
// is added; for accounts of the work that impulses do (RagdollWork.h, SolidWork.h).
#pragma once

#include "btPliant/solver/ContactConstraints.h"

namespace btPliantInternal {

/// What the impulses have added to the velocity along row k of a contact, m/s. Reads velocities of frames and modes.
double addedVelocity(const ContactConstraint& contact, int k, const SolverBodies& bodies,
                     const ContactConstraints& all);

/// Adds what impulses on the rows of a contact do to both bodies; the rows' own numbers stay. Writes velocities of
/// frames and modes. @param P along the three rows, N s
void addImpulses(const ContactConstraint& contact, const btScalar* P, SolverBodies& bodies, ContactConstraints& all);

/// The largest share s in [0, 1] of impulses whose work is W(s) = s a + s^2 b at which W is no more than 0.
/// @param whole W(1) = a + b, J, above 0 @param linear a, J: by the velocities without them
double shareWithoutWork(double whole, double linear);
/// The same at which W is no more than `allowed`. @param allowed J, from 0 on to below `whole`
double shareOfWork(double whole, double linear, double allowed);

}  // namespace btPliantInternal
