// SPDX-License-Identifier: Zlib
// The order in which an iteration solves the contacts. Gauss-Seidel takes one contact after the other because each
// changes the velocities of two bodies; contacts without a moving body in common are independent and may be solved in
// parallel. So the bodies are cut into partitions across the longest side of their bounds, and the contacts into four
// colours: first those within each partition, then those between a partition and the next, of every other one, twice;
// what reaches farther comes last, on one thread. That makes three barriers in an iteration, and large batches between
// them. All of it depends on the state alone, not on the number of threads; so do the bits. Within a batch the contacts
// stay in the order in which Bullet hands them over: from the highest to the lowest, or the other way round, a settled
// pile of 512 sank in more.
#include "btPliant/solver/ConstraintColouring.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace btPliantInternal {

namespace {

constexpr int kBodiesPerPartition = 48;
enum Colour { Within, AcrossEvenBoundary, AcrossOddBoundary, Distant };

/// A position along an axis: what is no number comes first, since sorting needs an order.
btScalar along(const btVector3& position, int axis) {
    return std::isfinite(position[axis]) ? position[axis] : -SIMD_INFINITY;
}

/// Bounds of positions, and the axis along which they lie farthest apart.
struct Extent {
    void add(const btVector3& position) {
        lower.setMin(position);
        upper.setMax(position);
    }
    int longestAxis() const { return (upper - lower).maxAxis(); }

    btVector3 lower = btVector3(SIMD_INFINITY, SIMD_INFINITY, SIMD_INFINITY), upper = -lower;
};

bool isOfSameBodies(const ContactDescriptor& x, const ContactDescriptor& y) {
    return x.bodyA == y.bodyA && x.bodyB == y.bodyB && x.reducedA == y.reducedA && x.reducedB == y.reducedB;
}

/// Gives every body its partition, each with about the same number of contacts.
/// @param order takes the bodies along the partitions @param starts takes where those of every partition begin, and
/// their number
void partitionBodies(std::vector<ConstrainedBody>& bodies, std::vector<int>& order, std::vector<int>& starts) {
    order.clear();
    std::int64_t all = 0, passed = 0;
    Extent extent;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (bodies[i].contacts > 0) {
            order.push_back(static_cast<int>(i));
            all += bodies[i].contacts;
            extent.add(bodies[i].position);
        }
    const auto partitions = std::max<std::int64_t>(1, static_cast<std::int64_t>(order.size()) / kBodiesPerPartition);
    const int axis = extent.longestAxis();
    const auto position = [&](int i) { return along(bodies[static_cast<std::size_t>(i)].position, axis); };
    std::sort(order.begin(), order.end(),
              [&](int i, int j) { return position(i) != position(j) ? position(i) < position(j) : i < j; });
    starts.assign(1, 0);
    int next = 0;
    for (const int i : order) {
        ConstrainedBody& body = bodies[static_cast<std::size_t>(i)];
        body.partition = static_cast<int>(passed * partitions / all);
        passed += body.contacts;
        while (static_cast<int>(starts.size()) <= body.partition) starts.push_back(next);
        ++next;
    }
    while (static_cast<std::int64_t>(starts.size()) <= partitions) starts.push_back(next);
}

void listPairRanges(const SolverBodies& bodies, const ReducedBodies& reducedBodies,
                    std::vector<ContactDescriptor>& descriptors, ContactOrder& order) {
    order.constrainedBodies.assign(static_cast<std::size_t>(bodies.size()) + reducedBodies.size(), ConstrainedBody());
    for (std::size_t c = 0; c < descriptors.size();) {
        PairRange range;
        range.first = static_cast<int>(c);
        const ContactDescriptor head = descriptors[c];
        const int a = head.bodyA, b = head.bodyB;
        const bool movesA = bodies[a].m_originalBody != nullptr, movesB = bodies[b].m_originalBody != nullptr;
        // Driven reduced bodies share Bullet's one fixed solver body, but not their q'.
        range.bodies[0] = head.reducedA >= 0 ? bodies.size() + head.reducedA : movesA ? a : -1;
        range.bodies[1] = head.reducedB >= 0 ? bodies.size() + head.reducedB : movesB ? b : -1;
        for (; c < descriptors.size() && isOfSameBodies(descriptors[c], head); ++c, ++range.count) {
            descriptors[c].movesA = movesA;
            descriptors[c].movesB = movesB;
        }
        for (int side = 0; side < 2; ++side) {
            const int k = range.bodies[side];
            if (k < 0) continue;
            ConstrainedBody& body = order.constrainedBodies[static_cast<std::size_t>(k)];
            body.contacts += range.count;
            if (side == 0 ? movesA : movesB) body.solverBody = side == 0 ? a : b;
            body.reduced = side == 0 ? head.reducedA : head.reducedB;
            const btRigidBody* frame = k < bodies.size()
                                           ? bodies[k].m_originalBody
                                           : reducedBodies[static_cast<std::size_t>(k - bodies.size())].body;
            body.position = frame->getWorldTransform().getOrigin();
        }
        order.pairRanges.push_back(range);
    }
}

void listBatches(ContactOrder& order) {
    std::size_t i = 0;
    order.batches.clear();
    order.colours.assign(1, 0);
    for (int partition = 0; partition + 1 < static_cast<int>(order.partitionStarts.size());
         ++partition) {  // of each, if it holds nothing
        order.batches.push_back(static_cast<int>(i));
        while (i < order.pairRanges.size() && order.pairRanges[i].colour == Within &&
               order.pairRanges[i].partition == partition)
            ++i;
    }
    const std::size_t between = i;
    for (; i < order.pairRanges.size(); ++i) {
        const bool newColour = i == between || order.pairRanges[i].colour != order.pairRanges[i - 1].colour;
        if (newColour) order.colours.push_back(static_cast<int>(order.batches.size()));
        if (newColour || order.pairRanges[i].partition != order.pairRanges[i - 1].partition)
            order.batches.push_back(static_cast<int>(i));
    }
    order.colours.push_back(static_cast<int>(order.batches.size()));
    order.batches.push_back(static_cast<int>(order.pairRanges.size()));
}

}  // namespace

void colourContacts(const SolverBodies& bodies, ContactConstraints& all) {
    ContactOrder& order = all.order;
    listPairRanges(bodies, all.reducedBodies, all.descriptors, order);
    partitionBodies(order.constrainedBodies, order.partitionOrder, order.partitionStarts);
    for (PairRange& range : order.pairRanges) {
        const auto partition = [&](int side) {
            return order.constrainedBodies[static_cast<std::size_t>(range.bodies[side])].partition;
        };
        const int first = range.bodies[0] >= 0 ? partition(0) : range.bodies[1] >= 0 ? partition(1) : 0;
        const int second = range.bodies[1] >= 0 ? partition(1) : first;
        const int lower = std::min(first, second), reach = std::max(first, second) - lower;
        range.colour = reach == 0       ? Within
                       : reach > 1      ? Distant
                       : lower % 2 == 0 ? AcrossEvenBoundary
                                        : AcrossOddBoundary;
        range.partition = range.colour == Distant ? 0 : lower;
    }
    std::sort(order.pairRanges.begin(), order.pairRanges.end(), [](const PairRange& x, const PairRange& y) {
        return std::tie(x.colour, x.partition, x.first) < std::tie(y.colour, y.partition, y.first);
    });
    listBatches(order);
    std::vector<ContactDescriptor>& orderedDescriptors = all.scratch.orderedDescriptors;
    orderedDescriptors.clear();
    for (std::size_t i = 0; i < order.pairRanges.size(); ++i) {
        const auto first = all.descriptors.begin() + order.pairRanges[i].first;
        order.pairRanges[i].first = static_cast<int>(orderedDescriptors.size());
        orderedDescriptors.insert(orderedDescriptors.end(), first, first + order.pairRanges[i].count);
    }
    std::swap(all.descriptors, orderedDescriptors);
}

void orderBodies(btCollisionObject* const* bodies, int count, std::vector<btCollisionObject*>& ordered) {
    ordered.assign(bodies, bodies + count);
    static thread_local std::vector<std::pair<btScalar, int>> places;  // grows, and stays
    Extent extent;
    for (const btCollisionObject* body : ordered) extent.add(body->getWorldTransform().getOrigin());
    const int axis = extent.longestAxis();
    places.clear();
    for (int i = 0; i < count; ++i) places.emplace_back(along(bodies[i]->getWorldTransform().getOrigin(), axis), i);
    std::sort(places.begin(), places.end());
    for (std::size_t i = 0; i < places.size(); ++i) ordered[i] = bodies[places[i].second];
}

void numberReducedBodies(const std::vector<btPersistentManifold*>& manifolds, ContactConstraints& all) {
    std::vector<char>& touchesReducedBody = all.scratch.touchesReducedBody;
    touchesReducedBody.assign(all.orderedBodies.size() + 1, 0);  // one solver body may be Bullet's fixed one
    for (const btPersistentManifold* manifold : manifolds) {
        if (manifold->getNumContacts() == 0) continue;
        for (const btCollisionObject* object : {manifold->getBody0(), manifold->getBody1()}) {
            const auto number = static_cast<std::size_t>(object->getCompanionId());  // -1: none as yet
            if (number < touchesReducedBody.size()) touchesReducedBody[number] = 1;
        }
    }
    for (btCollisionObject* object : all.orderedBodies) {
        const auto number = static_cast<std::size_t>(object->getCompanionId());
        if (number >= touchesReducedBody.size() || !touchesReducedBody[number]) continue;
        if (const btPliantBody* body = btPliantBody::upcast(object))
            numberReducedBody(all, *const_cast<btPliantBody*>(body));
    }
}

}  // namespace btPliantInternal
