// SPDX-License-Identifier: Zlib
// Set-up of the constraints of a group, in passes over all of its contacts.
#include "btPliant/step/SolverStages.h"

namespace btPliantInternal {

namespace {

constexpr int kAhead = 6;  ///< contacts; points are where Bullet has put their manifolds

/// Iterations of a group with solids. Strands give way and hang on each other, cubes carry their whole stack through
/// stiff faces: with Bullet's ten a stack of ten leaned by an eighth of a cube before it slept, and ten are too few for
/// conjugate directions. Of Bullet's own contacts there are as many as before.
int iterationsWithSolids(int asked) {
    return asked + (asked * 3 + 4) / 5;
}

template <class Item>
void forAll(const SystemData& system, int items, int block, const Item& item) {
    system.workers->forBlocks(items, block, [&item](int begin, int end) {
        for (int i = begin; i < end; ++i) item(i);
    });
}

}  // namespace

void orderContacts(SystemData& system, SolverGroup& group, const BulletSolver& solver,
                   const btContactSolverInfo& info) {
    auto& contacts = group.contacts;
    contacts.colourContacts(solver.bodies);
    forAll(system, static_cast<int>(contacts.descriptors.size()), 64, [&](int c) {
        contacts.prefetchPoint(c + kAhead);
        contacts.countTorsions(c);
    });
    contacts.reserveConstraints();
    contacts.groupByReducedBody();
    if (contacts.hasSolids())
        solver.mostIterations = btMax(solver.mostIterations, iterationsWithSolids(info.m_numIterations));
}

void makeConstraints(SystemData& system, SolverGroup& group, const BulletSolver& solver,
                     const btContactSolverInfo& info) {
    auto& contacts = group.contacts;
    // A row is larger than what the next pass could still find near: all of it is made in one go.
    forAll(system, static_cast<int>(contacts.descriptors.size()), 32, [&](int c) {
        contacts.prefetchPoint(c + kAhead);
        contacts.makeConstraint(c, info);
        contacts.prepareModalJacobians(c);
        contacts.prepareFrameJacobians(c, solver.bodies);
        contacts.computeBias(c, solver.bodies, info, system.info);
    });
}

void computeModalResponses(SystemData& system, SolverGroup& group) {
    forAll(system, static_cast<int>(group.contacts.reducedBodies.size()), 4,
           [&](int i) { group.contacts.prepareResponses(i); });
}

void warmStart(SystemData& system, SolverGroup& group, const BulletSolver& solver, const btContactSolverInfo& info) {
    group.contacts.warmStart(solver.bodies, info, *system.workers);
    const int count = static_cast<int>(group.joints.joints.size());
    for (int j = 0; j < count; ++j) group.joints.warmStart(j, group.contacts, solver.bodies);
    for (int j = 0; j < count; ++j) group.joints.computeBias(j, group.contacts, solver.bodies, info);
}

}  // namespace btPliantInternal
