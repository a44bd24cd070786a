// SPDX-License-Identifier: Zlib
#include "btPliant/solver/ContactConstraints.h"

#include <algorithm>

#include "btPliant/solver/ModalVectorKernels.h"
#include "pliant/runtime/IntegratorTraits.h"

namespace btPliantInternal {

void clear(ContactConstraints& all) {
    for (ReducedBody& s : all.reducedBodies) dataOf(*s.body).reducedIndex = -1;
    all.reducedBodies.clear();
    all.descriptors.clear();
    all.contacts.resize(0);
    all.torsions.resize(0);
    all.modalVelocities.clear();
    all.sides.clear();
    all.ragdollVelocities.clear();
    all.meanVelocities.clear();
    all.springs.clear();
    all.limits.clear();
    all.limitVectors.clear();
    all.order.pairRanges.clear();
    all.order.batches.clear();
    all.order.colours.clear();
    all.hasRestitution = false;
}

int solvedDimension(const BodyData& data) {
    return data.model().dimension() + (data.ragdoll() ? data.ragdoll()->size() : 0);
}

bool hasRagdoll(const ContactConstraint& contact, const ReducedBodies& reducedBodies) {
    for (const int index : {contact.reducedA, contact.reducedB}) {
        const ReducedBody* s = reducedBody(reducedBodies, index);
        if (s && dataOf(*s->body).ragdoll()) return true;
    }
    return false;
}

bool hasRagdoll(const ReducedBodies& reducedBodies) {
    return std::any_of(reducedBodies.begin(), reducedBodies.end(),
                       [](const ReducedBody& s) { return dataOf(*s.body).ragdoll() != nullptr; });
}

bool hasWorkAccount(const ReducedBody& s) {
    const BodyData& data = dataOf(*s.body);
    if (!data.group->surface || data.character) return false;
    return pliant::movesByHalfStep(data.batch().settings());
}

bool hasWorkAccount(const ReducedBodies& reducedBodies) {
    return std::any_of(reducedBodies.begin(), reducedBodies.end(),
                       [](const ReducedBody& s) { return hasWorkAccount(s); });
}

int numberReducedBody(ContactConstraints& all, btPliantBody& body) {
    int& index = dataOf(body).reducedIndex;
    if (index >= 0) return index;
    index = static_cast<int>(all.reducedBodies.size());
    dataOf(body).solvedAngularVelocity.setZero();
    dataOf(body).coupledAngularVelocity.setZero();
    ReducedBody entry;
    entry.body = &body;
    entry.stride = paddedDimension(solvedDimension(dataOf(body)));
    entry.velocityOffset = all.modalVelocities.size();
    entry.whitened = !dataOf(body).ragdoll() && dataOf(body).batch().whitens(dataOf(body).slot);
    all.reducedBodies.push_back(entry);
    all.modalVelocities.resize(
        pliant::roundUpToCacheLines<btScalar>(all.modalVelocities.size() + static_cast<std::size_t>(entry.stride)),
        btScalar(0));
    return index;
}

bool hasSolids(const ReducedBodies& bodies) {
    return std::any_of(bodies.begin(), bodies.end(),
                       [](const ReducedBody& s) { return dataOf(*s.body).group->surface != nullptr; });
}

bool hasLimpSheets(const ReducedBodies& bodies) {
    return std::any_of(bodies.begin(), bodies.end(), [](const ReducedBody& s) { return isLimpSheet(dataOf(*s.body)); });
}

namespace {

void reserveModalVectors(ContactConstraints& all) {
    std::size_t size = 0;
    const auto reserve = [&](int index, std::size_t& begin) {
        begin = size;
        if (const ReducedBody* s = reducedBody(all.reducedBodies, index))
            size += (s->whitened ? 3 : 6) * static_cast<std::size_t>(s->stride);
    };
    for (ContactDescriptor& descriptor : all.descriptors) {
        reserve(descriptor.reducedA, descriptor.jacobianOffsetA);
        reserve(descriptor.reducedB, descriptor.jacobianOffsetB);
    }
    for (ReducedBody& s : all.reducedBodies) {
        const bool bends = s.hasTorsion && !s.whitened && dataOf(*s.body).frameIsFree &&
                           s.body->getBatch().settings().coupling == pliant::Coupling::Full;
        s.modalTorqueResponse = bends ? static_cast<std::ptrdiff_t>(size) : -1;
        if (bends) size += 3 * static_cast<std::size_t>(s.stride);
    }
    if (all.modalVectors.size() < size) all.modalVectors.resize(size);  // prepareResponses() writes all of it
}

}  // namespace

void reserveConstraints(ContactConstraints& all) {
    int count = 0;
    for (ContactDescriptor& descriptor : all.descriptors) {
        descriptor.firstTorsion = count;
        count += descriptor.torsionCount;
        if (descriptor.torsionCount == 0) continue;
        for (const int index : {descriptor.reducedA, descriptor.reducedB})
            if (index >= 0) all.reducedBodies[static_cast<std::size_t>(index)].hasTorsion = true;
    }
    // makeConstraint() writes all of it.
    all.torsions.resizeNoInitialize(count);
    all.contacts.resizeNoInitialize(static_cast<int>(all.descriptors.size()));
    all.meanVelocities.assign(hasWorkAccount(all.reducedBodies) ? all.descriptors.size() : 0, ContactMean());
    all.springs.assign(all.hasSprings ? all.descriptors.size() : 0, PenaltySpring());
    all.ragdollVelocities.assign(hasRagdoll(all.reducedBodies) ? all.descriptors.size() : 0, ContactStart());
    reserveModalVectors(all);
}

void groupByReducedBody(ContactConstraints& all) {
    for (ReducedBody& s : all.reducedBodies) s.sideCount = 0;
    const auto each = [&all](auto use) {
        int c = 0;
        for (const ContactDescriptor& descriptor : all.descriptors) {
            if (descriptor.reducedA >= 0)
                use(all.reducedBodies[static_cast<std::size_t>(descriptor.reducedA)], ConstraintSide{c, true});
            if (descriptor.reducedB >= 0)
                use(all.reducedBodies[static_cast<std::size_t>(descriptor.reducedB)], ConstraintSide{c, false});
            ++c;
        }
    };
    each([](ReducedBody& s, ConstraintSide) { ++s.sideCount; });
    int next = 0;
    for (ReducedBody& s : all.reducedBodies) {
        s.firstSide = next;
        next += s.sideCount;
        s.sideCount = 0;
    }
    all.sides.resize(static_cast<std::size_t>(next));
    each([&all](ReducedBody& s, ConstraintSide side) {
        all.sides[static_cast<std::size_t>(s.firstSide + s.sideCount++)] = side;
    });
}

}  // namespace btPliantInternal
