// SPDX-License-Identifier: Zlib
// Set-up of the constraints of a group, in passes over all of its contacts.
#include "btPliant/joints/JointBias.h"
#include "btPliant/joints/JointConstraints.h"
#include "btPliant/joints/JointSystem.h"
#include "btPliant/solver/ConstraintColouring.h"
#include "btPliant/solver/ContactSetUp.h"
#include "btPliant/solver/ModalResponse.h"
#include "btPliant/solver/RagdollRows.h"
#include "btPliant/solver/SpringEnergy.h"
#include "btPliant/solver/TrappedBodies.h"
#include "btPliant/solver/WarmStart.h"
#include "btPliant/step/SolverStages.h"

namespace btPliantInternal {

namespace {

/// Iterations of a group with solids. Strands give way and hang on each other, cubes carry their whole stack through
/// stiff faces: with Bullet's ten a stack of ten leaned by an eighth of a cube before it slept, and ten are too few for
/// conjugate directions. Sheets that lie on each other touch at other points in each step, so that what the last step
/// has found serves the next one little: of twelve plates of 2 mm, with 16 iterations in place of 50, a hundredth was
/// 0.8 mm deep in the others and not 0.1, and a step was dearer, since what has sunk in is looked for anew. Of Bullet's
/// own contacts there are as many as before.
int iterationsWithSolids(int asked, bool areLimp) {
    return areLimp ? 5 * asked : asked + (asked * 3 + 4) / 5;
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
    ContactConstraints& contacts = group.contacts;
    colourContacts(solver.bodies, contacts);
    forAll(system, static_cast<int>(contacts.descriptors.size()), 64,
           [&](int c) { countTorsions(contacts.reducedBodies, contacts.descriptors[static_cast<std::size_t>(c)]); });
    contacts.hasSprings = system.hasSprings;
    reserveConstraints(contacts);
    groupByReducedBody(contacts);
    markDrivenContacts(static_cast<double>(info.m_timeStep), solver.bodies, contacts);
    if (hasSolids(contacts.reducedBodies))
        solver.mostIterations = btMax(
            solver.mostIterations, iterationsWithSolids(info.m_numIterations, hasLimpSheets(contacts.reducedBodies)));
}

void makeConstraints(SystemData& system, SolverGroup& group, const BulletSolver& solver,
                     const btContactSolverInfo& info) {
    ContactConstraints& contacts = group.contacts;
    // A row is larger than what the next pass could still find near: all of it is made in one go.
    forAll(system, static_cast<int>(contacts.descriptors.size()), 32, [&](int c) {
        makeConstraint(c, info, contacts);
        prepareModalJacobians(contacts.contacts[c], contacts.reducedBodies, contacts.modalVectors.data());
        prepareFrameJacobians(solver.bodies, contacts.reducedBodies, contacts.contacts[c]);
        computeBias(c, solver.bodies, info, system.info, contacts);
    });
    boundSpringEnergy(solver.bodies, contacts);
}

void computeModalResponses(SystemData& system, SolverGroup& group, const btContactSolverInfo& info) {
    forAll(system, static_cast<int>(group.contacts.reducedBodies.size()), 4,
           [&](int i) { prepareResponses(i, group.contacts); });
    setUpLimits(info, group.contacts);
}

void warmStart(SystemData& system, SolverGroup& group, const BulletSolver& solver, const btContactSolverInfo& info) {
    warmStartContacts(solver.bodies, info, *system.workers, group.contacts);
    for (const JointConstraint& joint : group.joints.joints)
        warmStartJoint(joint, group.contacts.reducedBodies, solver.bodies, group.joints);
    for (const JointConstraint& joint : group.joints.joints)
        computeJointBias(joint, group.contacts, solver.bodies, info, group.joints);
    setUpJointSystem(group.contacts.reducedBodies, solver.bodies, group.joints);
}

}  // namespace btPliantInternal
