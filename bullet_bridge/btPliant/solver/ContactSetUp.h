// SPDX-License-Identifier: Zlib
// Internal: rows of contacts, one contact after the other: directions, Jacobians of the frames, right-hand sides.
#pragma once

#include "btPliant/btPliantConstraintSolver.h"
#include "btPliant/btPliantSystem.h"
#include "btPliant/solver/ContactConstraints.h"

namespace btPliantInternal {

/// Counts rows of spinning and rolling friction. Reads the manifold point; writes the descriptor's count.
void countTorsions(const ReducedBodies& reducedBodies, ContactDescriptor& descriptor);

/// Reads contact `c`'s descriptor and its manifold point; writes contacts[c], all of it, and its torsions.
void makeConstraint(int c, const btContactSolverInfo& info, ContactConstraints& all);

/// Points on both bodies where the contact's force acts, world.
void applicationPoints(const ContactConstraint& contact, const ReducedBodies& reducedBodies, btVector3& onA,
                       btVector3& onB);

/// Fills the frames' Jacobians, and those of its split impulse. Reads frames and the contact's directions.
void prepareFrameJacobians(const SolverBodies& bodies, const ReducedBodies& reducedBodies, ContactConstraint& contact);

/// Right-hand sides and bounds of the rows, restitution and anchors. Reads all Jacobians of contact `c`, velocities
/// before and after the free step; writes contacts[c] and, where
/// there are some, meanVelocities[c]; where it bounces, hasRestitution.
void computeBias(int c, const SolverBodies& bodies, const btContactSolverInfo& info, const btPliantSystemInfo& settings,
                 ContactConstraints& all);

}  // namespace btPliantInternal
