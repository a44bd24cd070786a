// SPDX-License-Identifier: Zlib
// The order of the sweeps. Gauss-Seidel takes one contact after the other because each changes the velocities of two
// bodies; contacts without a moving body in common do not see each other and may be taken side by side. So the bodies
// are cut into slabs across the longest side of their bounds: first the contacts within each slab, then those between a
// slab and the next, of every other one; what reaches farther comes last, on one thread. Three places to wait at in a
// sweep, and large pieces between them. All of it depends on the state alone, not on the number of threads; so do the
// bits. Within a piece the contacts stay in the order in which Bullet hands them over: from the highest to the lowest,
// or the other way round, a settled pile of 512 sank in more.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "btPliant/solver/ContactConstraints.h"

using btPliantInternal::ContactPlace;
using btPliantInternal::ContactRun;
using btPliantInternal::SoftBody;
using btPliantInternal::SweptBody;
using SolverBodies = btAlignedObjectArray<btSolverBody>;

namespace {

constexpr int kBodiesPerSlab = 48;
enum Stage { Within, ToEvenSlab, ToOddSlab, Farther };

/// A place along an axis: what is no number comes first, since sorting wants an order.
btScalar along(const btVector3& place, int axis) {
    return std::isfinite(place[axis]) ? place[axis] : -SIMD_INFINITY;
}

/// What bounds places, and the axis along which they lie farthest apart.
struct Extent {
    void add(const btVector3& place) {
        lower.setMin(place);
        upper.setMax(place);
    }
    int longestAxis() const { return (upper - lower).maxAxis(); }

    btVector3 lower = btVector3(SIMD_INFINITY, SIMD_INFINITY, SIMD_INFINITY), upper = -lower;
};

bool isOfSameBodies(const ContactPlace& x, const ContactPlace& y) {
    return x.bodyA == y.bodyA && x.bodyB == y.bodyB && x.softA == y.softA && x.softB == y.softB;
}

/// Gives every body its slab, each with about the same number of contacts.
/// @param order takes the bodies along the slabs @param starts takes where those of every slab begin, and their number
void cutIntoSlabs(std::vector<SweptBody>& bodies, std::vector<int>& order, std::vector<int>& starts) {
    order.clear();
    std::int64_t all = 0, passed = 0;
    Extent extent;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (bodies[i].contacts > 0) {
            order.push_back(static_cast<int>(i));
            all += bodies[i].contacts;
            extent.add(bodies[i].place);
        }
    const auto slabs = std::max<std::int64_t>(1, static_cast<std::int64_t>(order.size()) / kBodiesPerSlab);
    const int axis = extent.longestAxis();
    const auto place = [&](int i) { return along(bodies[static_cast<std::size_t>(i)].place, axis); };
    std::sort(order.begin(), order.end(),
              [&](int i, int j) { return place(i) != place(j) ? place(i) < place(j) : i < j; });
    starts.assign(1, 0);
    int next = 0;
    for (const int i : order) {
        SweptBody& body = bodies[static_cast<std::size_t>(i)];
        body.slab = static_cast<int>(passed * slabs / all);
        passed += body.contacts;
        while (static_cast<int>(starts.size()) <= body.slab) starts.push_back(next);
        ++next;
    }
    while (static_cast<std::int64_t>(starts.size()) <= slabs) starts.push_back(next);
}

}  // namespace

void btPliantConstraintSolver::Rows::listRuns(const SolverBodies& bodies) {
    swept.assign(static_cast<std::size_t>(bodies.size()) + soft.size(), SweptBody());
    for (std::size_t c = 0; c < places.size();) {
        ContactRun run;
        run.first = static_cast<int>(c);
        const ContactPlace head = places[c];
        const int a = head.bodyA, b = head.bodyB;
        const bool movesA = bodies[a].m_originalBody != nullptr, movesB = bodies[b].m_originalBody != nullptr;
        // Driven reduced bodies share Bullet's one fixed solver body, but not their q'.
        run.bodies[0] = head.softA >= 0 ? bodies.size() + head.softA : movesA ? a : -1;
        run.bodies[1] = head.softB >= 0 ? bodies.size() + head.softB : movesB ? b : -1;
        for (; c < places.size() && isOfSameBodies(places[c], head); ++c, ++run.count) {
            places[c].movesA = movesA;
            places[c].movesB = movesB;
        }
        for (int side = 0; side < 2; ++side) {
            const int k = run.bodies[side];
            if (k < 0) continue;
            SweptBody& body = swept[static_cast<std::size_t>(k)];
            body.contacts += run.count;
            if (side == 0 ? movesA : movesB) body.frame = side == 0 ? a : b;
            body.soft = side == 0 ? head.softA : head.softB;
            const btRigidBody* frame =
                k < bodies.size() ? bodies[k].m_originalBody : soft[static_cast<std::size_t>(k - bodies.size())].body;
            body.place = frame->getWorldTransform().getOrigin();
        }
        runs.push_back(run);
    }
}

void btPliantConstraintSolver::Rows::orderRuns(const SolverBodies& bodies) {
    listRuns(bodies);
    cutIntoSlabs(swept, slabOrder, slabStarts);
    for (ContactRun& run : runs) {
        const auto slab = [&](int side) { return swept[static_cast<std::size_t>(run.bodies[side])].slab; };
        const int first = run.bodies[0] >= 0 ? slab(0) : run.bodies[1] >= 0 ? slab(1) : 0;
        const int second = run.bodies[1] >= 0 ? slab(1) : first;
        const int lower = std::min(first, second), reach = std::max(first, second) - lower;
        run.stage = reach == 0 ? Within : reach > 1 ? Farther : lower % 2 == 0 ? ToEvenSlab : ToOddSlab;
        run.slab = run.stage == Farther ? 0 : lower;
    }
    std::stable_sort(runs.begin(), runs.end(), [](const ContactRun& x, const ContactRun& y) {
        return x.stage != y.stage ? x.stage < y.stage : x.slab < y.slab;
    });
    listPieces();
    inOrder.clear();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto first = places.begin() + runs[i].first;
        runs[i].first = static_cast<int>(inOrder.size());
        inOrder.insert(inOrder.end(), first, first + runs[i].count);
    }
    std::swap(places, inOrder);
}

void btPliantConstraintSolver::Rows::listPieces() {
    std::size_t i = 0;
    pieces.clear();
    stages.assign(1, 0);
    for (int slab = 0; slab + 1 < static_cast<int>(slabStarts.size()); ++slab) {  // of each, if it holds nothing
        pieces.push_back(static_cast<int>(i));
        while (i < runs.size() && runs[i].stage == Within && runs[i].slab == slab) ++i;
    }
    const std::size_t between = i;
    for (; i < runs.size(); ++i) {
        const bool newStage = i == between || runs[i].stage != runs[i - 1].stage;
        if (newStage) stages.push_back(static_cast<int>(pieces.size()));
        if (newStage || runs[i].slab != runs[i - 1].slab) pieces.push_back(static_cast<int>(i));
    }
    stages.push_back(static_cast<int>(pieces.size()));
    pieces.push_back(static_cast<int>(runs.size()));
}

void btPliantConstraintSolver::Rows::listBodiesInOrder(btCollisionObject* const* bodies, int count) {
    bodiesInOrder.assign(bodies, bodies + count);
    Extent extent;
    for (const btCollisionObject* body : bodiesInOrder) extent.add(body->getWorldTransform().getOrigin());
    const int axis = extent.longestAxis();
    const auto place = [axis](const btCollisionObject* body) {
        return along(body->getWorldTransform().getOrigin(), axis);
    };
    std::stable_sort(bodiesInOrder.begin(), bodiesInOrder.end(),
                     [&place](const btCollisionObject* x, const btCollisionObject* y) { return place(x) < place(y); });
}

void btPliantConstraintSolver::Rows::numberSoftBodies() {
    touches.assign(bodiesInOrder.size() + 1, 0);  // one solver body may be Bullet's fixed one
    for (const btPersistentManifold* manifold : touching) {
        if (manifold->getNumContacts() == 0) continue;
        for (const btCollisionObject* object : {manifold->getBody0(), manifold->getBody1()}) {
            const auto number = static_cast<std::size_t>(object->getCompanionId());  // -1: none as yet
            if (number < touches.size()) touches[number] = 1;
        }
    }
    for (btCollisionObject* object : bodiesInOrder) {
        const auto number = static_cast<std::size_t>(object->getCompanionId());
        if (number >= touches.size() || !touches[number]) continue;
        if (const btPliantBody* body = btPliantBody::upcast(object)) softIndex(*const_cast<btPliantBody*>(body));
    }
}

void btPliantConstraintSolver::Rows::reserveRows() {
    int count = 0;
    for (ContactPlace& place : places) {
        place.firstTorsion = count;
        count += place.torsionCount;
        if (place.torsionCount == 0) continue;
        for (const int index : {place.softA, place.softB})
            if (index >= 0) soft[static_cast<std::size_t>(index)].hasTorsion = true;
    }
    // makeRow() writes all of it.
    torsions.resizeNoInitialize(count);
    contacts.resizeNoInitialize(static_cast<int>(places.size()));
    reserveModal();
}

void btPliantConstraintSolver::Rows::reserveModal() {
    std::size_t size = 0;
    const auto reserve = [&](int index, std::size_t& begin) {
        begin = size;
        if (index < 0) return;
        const SoftBody& s = soft[static_cast<std::size_t>(index)];
        size += (s.whitened ? 3 : 6) * static_cast<std::size_t>(s.stride);
    };
    for (ContactPlace& place : places) {
        reserve(place.softA, place.modalA);
        reserve(place.softB, place.modalB);
    }
    for (SoftBody& s : soft) {
        const bool bends = s.hasTorsion && !s.whitened && s.body->data().frameIsFree &&
                           s.body->getBatch().settings().coupling == pliant::Coupling::Full;
        s.turnModal = bends ? static_cast<std::ptrdiff_t>(size) : -1;
        if (bends) size += 3 * static_cast<std::size_t>(s.stride);
    }
    if (modal.size() < size) modal.resize(size);  // prepareResponses writes all of it
}
