// SPDX-License-Identifier: Zlib
#include "btPliant/solver/ContactIteration.h"

#include "btPliant/solver/ConstraintColouring.h"
#include "btPliant/solver/ContactIterationKernel.h"

namespace btPliantInternal {

namespace {

/// Extrapolates the bodies of a partition before their contacts are solved.
void extrapolatePartition(int partition, ConjugateDirections& directions, SolverBodies& bodies,
                          ContactConstraints& all) {
    const auto at = static_cast<std::size_t>(partition);
    for (int i = all.order.partitionStarts[at]; i < all.order.partitionStarts[at + 1]; ++i) {
        const auto number = static_cast<std::size_t>(all.order.partitionOrder[static_cast<std::size_t>(i)]);
        const ConstrainedBody& body = all.order.constrainedBodies[number];
        if (body.solverBody >= 0) directions.extrapolateFrame(body.solverBody, bodies[body.solverBody]);
        if (const ReducedBody* s = reducedBody(all.reducedBodies, body.reduced))
            directions.extrapolateModes(s->velocityOffset, s->stride, all.modalVelocities.data());
    }
}

}  // namespace

IterationChange iterateContacts(ConjugateDirections& directions, SolverBodies& bodies, const pliant::Workers& workers,
                                ContactConstraints& all) {
    std::vector<IterationChange>& changes = all.scratch.rangeChanges;
    changes.resize(all.order.pairRanges.size());
    const ContactIterationKernel kernel = contactIterationKernel();
    const btScalar beta = directions.beta();
    forPairRanges(
        all.order, workers, [&](int partition) { extrapolatePartition(partition, directions, bodies, all); },
        [&](const PairRange& range, int i) {
            IterationChange change;
            kernel(all, range, beta, bodies, change);
            changes[static_cast<std::size_t>(i)] = change;
        });
    IterationChange sum;
    for (const IterationChange& change : changes) sum.add(change);
    return sum;
}

}  // namespace btPliantInternal
