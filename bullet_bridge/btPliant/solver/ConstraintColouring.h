// SPDX-License-Identifier: Zlib
// Internal: the order in which an iteration solves the contacts of a group, and what of it may run in parallel.
#pragma once

#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <functional>

#include "btPliant/solver/ContactConstraints.h"
#include "pliant/runtime/Workers.h"

namespace btPliantInternal {

/// Lists the bodies of a group along its longest side: solver bodies made in this order lie in memory as the
/// partitions of the iterations do in space, so that threads seldom share their cache lines.
void orderBodies(btCollisionObject* const* bodies, int count, std::vector<btCollisionObject*>& ordered);

/// Numbers the reduced bodies of the contacts in the order of their solver bodies. Reads orderedBodies; writes
/// reducedBodies, modalVelocities. @param manifolds with a reduced body
void numberReducedBodies(const std::vector<btPersistentManifold*>& manifolds, ContactConstraints& all);

/// Brings the contacts into the order of iteration: no two batches of a colour share a body that they move, so they
/// can be solved in parallel. Reads positions of bodies; writes `order`, and descriptors in that order.
void colourContacts(const SolverBodies& bodies, ContactConstraints& all);

/// Calls visit(range, its number) for every pair range, the batches of a colour on several threads, each in its
/// order; begin(partition) before those within a partition, which come first.
template <class Begin, class Visit>
void forPairRanges(const ContactOrder& order, const pliant::Workers& workers, const Begin& begin, const Visit& visit) {
    for (std::size_t k = 0; k + 1 < order.colours.size(); ++k) {
        const int start = order.colours[k];
        const auto solveBatch = [&](int batch, int) {
            if (k == 0) begin(batch);  // those within a partition
            const auto at = static_cast<std::size_t>(start + batch);
            for (int i = order.batches[at]; i < order.batches[at + 1]; ++i)
                visit(order.pairRanges[static_cast<std::size_t>(i)], i);
        };
        workers.forBlocks(order.colours[k + 1] - start, 1, std::cref(solveBatch));
    }
}

}  // namespace btPliantInternal
