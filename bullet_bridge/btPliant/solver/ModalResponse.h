// SPDX-License-Identifier: Zlib
// Internal: modal Jacobians of contact constraints, and the responses of reduced bodies to unit impulses along them.
#pragma once

#include "btPliant/solver/ContactConstraints.h"

namespace btPliantInternal {

/// Fills the modal Jacobians of a contact. Reads its directions; writes its part of modalVectors.
void prepareModalJacobians(const ContactConstraint& contact, const ReducedBodies& reducedBodies,
                           btScalar* modalVectors);

/// Fills the responses of one reduced body to those of its contacts that are to have them, and to torques; after
/// computeBias(). Reads Jacobians and the body's factored system; writes modalVectors, the rows' responses of omega,
/// and the body's response to torques.
void prepareResponses(int index, ContactConstraints& all);

/// Responses and effective masses of a contact that was not expected to carry an impulse; called from within an
/// iteration.
void prepareLateResponse(int c, const SolverBodies& bodies, ContactConstraints& all);

}  // namespace btPliantInternal
