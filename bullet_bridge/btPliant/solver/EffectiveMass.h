// SPDX-License-Identifier: Zlib
// Internal: effective masses of a contact's rows.
#pragma once

#include "btPliant/solver/ContactConstraints.h"

namespace btPliantInternal {

/// J W J' of a row's linear parts, 1/kg.
inline btScalar linearInverseMass(const ConstraintRow& row, const btSolverBody& A, const btSolverBody& B) {
    return (row.axis * (A.internalGetInvMass() + B.internalGetInvMass())).dot(row.axis);
}

/// Rigid sides' responses, effective masses and the coupling of the rows. Reads Jacobians, and responses of reduced
/// sides (modalVectors, rows); writes the contact.
void prepareEffectiveMasses(const SolverBodies& bodies, const ReducedBodies& reducedBodies,
                            const btScalar* modalVectors, ContactConstraint& contact);

}  // namespace btPliantInternal
