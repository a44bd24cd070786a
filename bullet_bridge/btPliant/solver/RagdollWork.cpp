// SPDX-License-Identifier: Zlib
#include "btPliant/solver/RagdollWork.h"

#include "btPliant/solver/ContactAccount.h"
#include "btPliant/solver/ModalVectorKernels.h"

namespace btPliantInternal {

namespace {

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
                           (start.start[k] + start.free[k] + addedVelocity(contact, k, bodies, all));
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
                addImpulses(contact, P, bodies, all);
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
        const auto share = static_cast<btScalar>(shareWithoutWork(whole, account.work()));
        account.add(share);
        account.scale(share);
    }
}

}  // namespace btPliantInternal
