// SPDX-License-Identifier: Zlib
// Set-up of the constraints of a group, in passes over all of its contacts.
#include <algorithm>
#include <limits>

#include "btPliant/data/ManifoldPoint.h"
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

constexpr int kMostIterations = 5;  ///< For each one that the world asks for.

/// Iterations of a group with solids. Strands give way and hang on each other, cubes carry their whole stack through
/// stiff faces: with Bullet's ten a stack of ten leaned by an eighth of a cube before it slept, and ten are too few for
/// conjugate directions. Sheets that lie on each other touch at other points in each step, so that what the last step
/// has found serves the next one little: of twelve plates of 2 mm, with 16 iterations in place of 50, a hundredth was
/// 0.8 mm deep in the others and not 0.1, and a step was dearer, since what has sunk in is looked for anew. Of Bullet's
/// own contacts there are as many as before.
/// @param share of the iterations that depth asks for, by shareForDepth()
int iterationsWithSolids(int asked, bool areLimp, double share) {
    if (areLimp) return kMostIterations * asked;
    const int few = asked + (asked * 3 + 4) / 5;
    return few + static_cast<int>(share * (kMostIterations * asked - few));
}

/// How much of the most iterations solids need that have sunk into something: 0 where the deepest contact is no deeper
/// than a twentieth of the thinner one's thickness, 1 from half of it on. What is wedged (cups in cups, each held by a
/// ring of steep contacts) needs some four times the iterations of what stands, sank by as much as its walls are thick,
/// and a step was dearer by two thirds, since more touches where more has sunk in.
double shareForDepth(const ContactConstraints& contacts) {
    constexpr double from = 0.05, to = 0.5;
    double largest = 0.0;
    for (const ContactDescriptor& descriptor : contacts.descriptors) {
        // Springs and driven bones are as deep as their load and their clip ask; flesh of ragdolls has a depth of its
        // own.
        if (isPenalty(*descriptor.point) || descriptor.hasDrivenBones || descriptor.isTrapped) continue;
        double thickness = std::numeric_limits<double>::max();
        bool isSolid = false, isRagdoll = false;
        for (const int index : {descriptor.reducedA, descriptor.reducedB}) {
            const ReducedBody* s = reducedBody(contacts.reducedBodies, index);
            if (!s || !dataOf(*s->body).group->surface) continue;
            thickness = std::min(thickness, dataOf(*s->body).largestRadius);
            isSolid = true;
            isRagdoll |= dataOf(*s->body).ragdoll() != nullptr;
        }
        if (!isSolid || isRagdoll || descriptor.reducedA == descriptor.reducedB) continue;
        const auto depth = -static_cast<double>(descriptor.point->getDistance());
        if (depth > largest * thickness) largest = depth / thickness;
    }
    return std::min(1.0, std::max(0.0, largest - from) / (to - from));
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
    group.shareForDepth = 0.0;
    if (!hasSolids(contacts.reducedBodies)) return;
    group.shareForDepth = shareForDepth(contacts);
    solver.mostIterations =
        btMax(solver.mostIterations,
              iterationsWithSolids(info.m_numIterations, hasLimpSheets(contacts.reducedBodies), group.shareForDepth));
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

int splitIterations(const SolverGroup& group, const btContactSolverInfo& info) {
    return info.m_numIterations + static_cast<int>(group.shareForDepth * (kMostIterations - 1) * info.m_numIterations);
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
