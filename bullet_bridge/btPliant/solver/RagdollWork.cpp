// SPDX-License-Identifier: Zlib
#include "btPliant/solver/RagdollWork.h"

#include <algorithm>

#include "btPliant/solver/ModalVectorKernels.h"

namespace btPliantInternal {

namespace {

/// What the impulses have added to the velocity along a row of a contact, m/s.
double added(const ContactConstraint& contact, int k, const SolverBodies& bodies, const ContactConstraints& all) {
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

/// Adds what impulses P on the rows of a contact do to both bodies.
void apply(const ContactConstraint& contact, const btScalar* P, SolverBodies& bodies, ContactConstraints& all) {
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

/// The rows of one ragdoll.
struct Account {
    ContactConstraints& all;
    SolverBodies& bodies;
    const ReducedBody& s;
    int index;

    template <class OfContact, class OfLimit>
    void forRows(const OfContact& ofContact, const OfLimit& ofLimit) {
        for (int i = s.firstSide; i < s.firstSide + s.sideCount; ++i) {
            const int c = all.sides[static_cast<std::size_t>(i)].contact;
            if (all.contacts[c].isActive)
                ofContact(all.contacts[c], all.ragdollVelocities[static_cast<std::size_t>(c)]);
        }
        for (RagdollLimit& limit : all.limits)
            if (limit.reduced == index && limit.impulse != btScalar(0)) ofLimit(limit);
    }
    /// sum_k P_k (u_0 + u) / 2 with the velocities of now, J.
    double work() {
        double sum = 0.0;
        forRows(
            [&](const ContactConstraint& contact, const ContactStart& start) {
                for (int k = 0; k < 3; ++k)
                    sum += 0.5 * static_cast<double>(contact.rows[k].impulse) *
                           (start.start[k] + start.free[k] + added(contact, k, bodies, all));
            },
            [&](const RagdollLimit& limit) {
                const btScalar* v = all.modalVelocities.data() + s.velocityOffset;
                const btScalar change = modalDot(all.limitVectors.data() + limit.offset, v, s.stride);
                sum +=
                    0.5 * static_cast<double>(limit.impulse) * (limit.start + limit.free + static_cast<double>(change));
            });
        return sum;
    }
    /// Adds `share` of all impulses.
    void add(btScalar share) {
        forRows(
            [&](const ContactConstraint& contact, const ContactStart&) {
                const ConstraintRow* rows = contact.rows;
                const btScalar P[3] = {share * rows[0].impulse, share * rows[1].impulse, share * rows[2].impulse};
                apply(contact, P, bodies, all);
            },
            [&](const RagdollLimit& limit) {
                modalAdd(all.modalVelocities.data() + s.velocityOffset, share * limit.impulse,
                         all.limitVectors.data() + limit.offset + static_cast<std::size_t>(s.stride), s.stride);
            });
    }
    void scale(btScalar share) {
        forRows(
            [&](ContactConstraint& contact, const ContactStart&) {
                for (ConstraintRow& row : contact.rows) row.impulse *= share;
            },
            [&](RagdollLimit& limit) { limit.impulse *= share; });
    }
};

}  // namespace

void boundRagdollWork(SolverBodies& bodies, ContactConstraints& all) {
    for (std::size_t i = 0; i < all.reducedBodies.size(); ++i) {
        const ReducedBody& s = all.reducedBodies[i];
        if (!dataOf(*s.body).ragdoll()) continue;
        Account account{all, bodies, s, static_cast<int>(i)};
        const double whole = account.work();
        if (!(whole > 0.0)) continue;
        account.add(-1);
        const double linear = account.work(), square = whole - linear;
        const double share = square > 0.0 ? std::clamp(-linear / square, 0.0, 1.0) : 0.0;
        account.add(static_cast<btScalar>(share));
        account.scale(static_cast<btScalar>(share));
    }
}

}  // namespace btPliantInternal
