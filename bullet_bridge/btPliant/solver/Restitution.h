// SPDX-License-Identifier: Zlib
// Internal: restitution of contacts.
#pragma once

#include "btPliant/solver/ContactConstraints.h"

namespace btPliantInternal {

/// What of a contact's bias restitution needs later. Reads velocities before and after the forces of the step; writes
/// the contact. @param skin velocity along the normal of what bones carry, beyond that of their characters' frames, m/s
/// @param modalStart, modalFree velocity of the deformations along the normal at the start of the step and
/// after the free step, m/s @return whether it bounces
bool computeRestitution(const SolverBodies& bodies, const btContactSolverInfo& info, double skin, double modalStart,
                        double modalFree, ContactConstraint& contact);

/// After the iterations and the solution guard: frames that met leave each other with the share of their speed that was
/// asked for. Reads what computeRestitution() wrote; writes impulses of normals and velocities of frames.
void applyRestitution(int iterations, SolverBodies& bodies, ContactConstraints& all);

}  // namespace btPliantInternal
