// SPDX-License-Identifier: Zlib
#include "btPliant/solver/EffectiveMass.h"

#include "btPliant/solver/FrameResponse.h"
#include "btPliant/solver/ModalVectorKernels.h"

namespace btPliantInternal {

namespace {

/// J W J' of rows k and l by the deformations of both sides, 1/kg.
btScalar modalInverseMass(const ContactConstraint& contact, const btScalar* vectors, int k, int l) {
    return modalDot(vectors + contact.jacobianOffsetA + k * contact.strideA,
                    vectors + contact.responseOffsetA + l * contact.strideA, contact.strideA) +
           modalDot(vectors + contact.jacobianOffsetB + k * contact.strideB,
                    vectors + contact.responseOffsetB + l * contact.strideB, contact.strideB);
}

/// The same of a body against itself: what its two sides do to each other counts, frames do not.
btScalar selfInverseMass(const ContactConstraint& contact, const btScalar* vectors, int k, int l) {
    btScalar sum = 0;
    const int n = contact.strideA;
    for (const std::size_t row : {contact.jacobianOffsetA, contact.jacobianOffsetB})
        for (const std::size_t response : {contact.responseOffsetA, contact.responseOffsetB})
            sum += modalDot(vectors + row + k * n, vectors + response + l * n, n);
    return sum;
}

/// What an impulse along the normal does to the velocities along the tangents.
void prepareCoupling(const SolverBodies& bodies, const btScalar* modalVectors, ContactConstraint& contact) {
    const ConstraintRow& normal = contact.rows[0];
    const btVector3 linear =
        normal.axis * (bodies[contact.bodyA].internalGetInvMass() + bodies[contact.bodyB].internalGetInvMass());
    for (int k = 1; k < 3; ++k) {
        const ConstraintRow& row = contact.rows[k];
        if (contact.isSelf()) {
            contact.frameCoupling[k - 1] = 0;
            contact.modeCoupling[k - 1] = selfInverseMass(contact, modalVectors, 0, k);
            continue;
        }
        contact.frameCoupling[k - 1] =
            linear.dot(row.axis) + normal.angularA.dot(row.responseA) + normal.angularB.dot(row.responseB);
        contact.modeCoupling[k - 1] = modalInverseMass(contact, modalVectors, 0, k);
    }
}

}  // namespace

void prepareEffectiveMasses(const SolverBodies& bodies, const btScalar* modalVectors, ContactConstraint& contact) {
    const btSolverBody& A = bodies[contact.bodyA];
    const btSolverBody& B = bodies[contact.bodyB];
    for (int k = 0; k < 3; ++k) {
        ConstraintRow& row = contact.rows[k];
        if (contact.reducedA < 0) row.responseA = rigidResponse(A, row.angularA);
        if (contact.reducedB < 0) row.responseB = rigidResponse(B, row.angularB);
        const btScalar frames =
            linearInverseMass(row, A, B) + row.angularA.dot(row.responseA) + row.angularB.dot(row.responseB);
        const btScalar bare = contact.isSelf() ? selfInverseMass(contact, modalVectors, k, k)
                                               : frames + modalInverseMass(contact, modalVectors, k, k);
        const btScalar sum = bare + (k == 0 ? contact.cfm : btScalar(0));
        row.effectiveMass = sum > 0 ? 1 / sum : 0;
    }
    prepareCoupling(bodies, modalVectors, contact);
}

}  // namespace btPliantInternal
