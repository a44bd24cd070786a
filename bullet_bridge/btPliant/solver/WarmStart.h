// SPDX-License-Identifier: Zlib
// Internal: the impulses that contacts start with [C05]. The deformation has already stepped under them
// (step/FreeStep.cpp); only the frames are left.
#pragma once

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include "btPliant/solver/ContactConstraints.h"
#include "pliant/runtime/Workers.h"

namespace btPliantInternal {

/// Effective masses of all contacts that have responses, and the impulses that they start with. Reads manifold points
/// and responses; writes contacts, torsions, velocities of frames, and of bodies what applyToFramesAlone() writes.
void warmStartContacts(SolverBodies& bodies, const btContactSolverInfo& info, const pliant::Workers& workers,
                       ContactConstraints& all);

/// The impulses that the rows of a contact start with, N s. Reads the manifold point as the last substep has left it.
/// @param P along the three rows
/// @return whether it starts with any
bool startingImpulses(const ContactConstraint& contact, const btContactSolverInfo& info,
                      const ReducedBodies& reducedBodies, btScalar* P);

/// An impulse that turns and moves the frames, while the deformation stays as it is. Writes velocities of frames, and
/// BodyData::solvedAngularVelocity and ::coupledAngularVelocity of the reduced bodies that `reducedBodies` points to.
/// @param impulse on body A, N s @param P the same along the rows
void applyToFramesAlone(const ContactConstraint& contact, const ReducedBodies& reducedBodies, const btVector3& impulse,
                        const btScalar* P, SolverBodies& bodies);

}  // namespace btPliantInternal
