// SPDX-License-Identifier: Zlib
#include "btPliant/solver/SplitImpulses.h"

#include <functional>

namespace btPliantInternal {

void listSplitImpulses(ContactConstraints& all) {
    SplitImpulseOrder& list = all.splitImpulses;
    const ContactOrder& order = all.order;
    list.contacts.clear();
    list.batches.clear();
    for (std::size_t p = 0; p + 1 < order.batches.size(); ++p) {
        list.batches.push_back(static_cast<int>(list.contacts.size()));
        for (int i = order.batches[p]; i < order.batches[p + 1]; ++i) {
            const PairRange& range = order.pairRanges[static_cast<std::size_t>(i)];
            for (int c = range.first; c < range.first + range.count; ++c)
                if (all.contacts[c].splitImpulseVelocity > 0) list.contacts.push_back(c);
        }
    }
    list.batches.push_back(static_cast<int>(list.contacts.size()));
}

namespace {

void iterateSplitImpulse(SolverBodies& bodies, ContactConstraint& contact) {
    const ConstraintRow& row = contact.rows[0];
    btSolverBody& A = bodies[contact.bodyA];
    btSolverBody& B = bodies[contact.bodyB];
    const btScalar v = row.axis.dot(A.internalGetPushVelocity() - B.internalGetPushVelocity()) +
                       row.angularA.dot(A.internalGetTurnVelocity()) + row.angularB.dot(B.internalGetTurnVelocity());
    const btScalar next = btMax(
        btScalar(0), contact.splitImpulse + (contact.splitImpulseVelocity - v) * contact.splitImpulseEffectiveMass);
    const btScalar change = next - contact.splitImpulse;
    contact.splitImpulse = next;
    if (contact.movesA) {
        A.internalGetPushVelocity() += row.axis * A.internalGetInvMass() * change;
        A.internalGetTurnVelocity() += contact.splitImpulseResponseA * change;
    }
    if (contact.movesB) {
        B.internalGetPushVelocity() -= row.axis * B.internalGetInvMass() * change;
        B.internalGetTurnVelocity() += contact.splitImpulseResponseB * change;
    }
}

}  // namespace

void iterateSplitImpulses(SolverBodies& bodies, const pliant::Workers& workers, ContactConstraints& all) {
    const SplitImpulseOrder& list = all.splitImpulses;
    const auto from = [&list](int batch) { return list.batches[static_cast<std::size_t>(batch)]; };
    for (std::size_t k = 0; k + 1 < all.order.colours.size(); ++k) {
        const int start = all.order.colours[k], end = all.order.colours[k + 1];
        if (from(start) == from(end)) continue;
        const auto solveBatches = [&](int first, int last) {
            for (int i = from(start + first); i < from(start + last); ++i)
                iterateSplitImpulse(bodies, all.contacts[list.contacts[static_cast<std::size_t>(i)]]);
        };
        workers.forBlocks(end - start, 1, std::cref(solveBatches));
    }
}

}  // namespace btPliantInternal
