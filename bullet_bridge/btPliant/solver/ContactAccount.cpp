// SPDX-License-Identifier: Zlib
#include "btPliant/solver/ContactAccount.h"

#include <algorithm>
#include <cmath>

#include "btPliant/solver/ModalVectorKernels.h"

namespace btPliantInternal {

double addedVelocity(const ContactConstraint& contact, int k, const SolverBodies& bodies,
                     const ContactConstraints& all) {
    const ConstraintRow& row = contact.rows[k];
    const btSolverBody &A = bodies[contact.bodyA], &B = bodies[contact.bodyB];
    const btScalar *J = all.modalVectors.data(), *v = all.modalVelocities.data();
    const btScalar frames = row.axis.dot(A.m_deltaLinearVelocity - B.m_deltaLinearVelocity) +
                            row.angularA.dot(A.m_deltaAngularVelocity) + row.angularB.dot(B.m_deltaAngularVelocity);
    const btScalar modes =
        modalDot(J + contact.jacobianOffsetA + k * contact.strideA, v + contact.velocityOffsetA, contact.strideA) +
        modalDot(J + contact.jacobianOffsetB + k * contact.strideB, v + contact.velocityOffsetB, contact.strideB);
    return static_cast<double>(frames + modes);
}

void addImpulses(const ContactConstraint& contact, const btScalar* P, SolverBodies& bodies, ContactConstraints& all) {
    btSolverBody &A = bodies[contact.bodyA], &B = bodies[contact.bodyB];
    btScalar *W = all.modalVectors.data(), *v = all.modalVelocities.data();
    for (int k = 0; k < 3; ++k) {
        const ConstraintRow& row = contact.rows[k];
        if (P[k] == btScalar(0)) continue;
        if (contact.movesA) {
            A.m_deltaLinearVelocity += row.axis * A.internalGetInvMass() * P[k];
            A.m_deltaAngularVelocity += row.responseA * P[k];
        }
        if (contact.movesB) {
            B.m_deltaLinearVelocity -= row.axis * B.internalGetInvMass() * P[k];
            B.m_deltaAngularVelocity += row.responseB * P[k];
        }
        modalAdd(v + contact.velocityOffsetA, P[k], W + contact.responseOffsetA + k * contact.strideA, contact.strideA);
        modalAdd(v + contact.velocityOffsetB, P[k], W + contact.responseOffsetB + k * contact.strideB, contact.strideB);
    }
}

double shareWithoutWork(double whole, double linear) {
    const double square = whole - linear;
    return square > 0.0 ? std::clamp(-linear / square, 0.0, 1.0) : 0.0;
}

double shareOfWork(double whole, double linear, double allowed) {
    const double square = whole - linear;
    if (!(allowed > 0.0)) return shareWithoutWork(whole, linear);
    // The root that does not cancel, whichever sign a has. Where b < 0, a > allowed - b, and a^2 > -4 b allowed.
    const double root = std::sqrt(linear * linear + 4.0 * square * allowed);
    return std::clamp(linear > 0.0 ? 2.0 * allowed / (root + linear) : (root - linear) / (2.0 * square), 0.0, 1.0);
}

}  // namespace btPliantInternal
