// SPDX-License-Identifier: Zlib
// Bullet's callbacks, which call the stages of the substep (step/Substep.h) around Bullet's own work.
#include "btPliant/btPliantConstraintSolver.h"

#include "btPliant/joints/JointWriteBack.h"
#include "btPliant/step/BulletBounce.h"
#include "btPliant/step/Substep.h"

using namespace btPliantInternal;

btPliantConstraintSolver::btPliantConstraintSolver() : m_group(std::make_unique<SolverGroup>()) {}
btPliantConstraintSolver::~btPliantConstraintSolver() {
    if (m_system) dataOf(*m_system).lose(*this);
}

btPliantSystem* btPliantConstraintSolver::getSystem() const {
    return m_system;
}

void btPliantConstraintSolver::reset() {
    btSequentialImpulseConstraintSolver::reset();
}

template <class Stage>
void btPliantConstraintSolver::withSolver(btScalar step, const Stage& stage) {
    const auto solverBodyOf = [this, step](btCollisionObject& object) { return getOrInitSolverBody(object, step); };
    stage(BulletSolver{m_tmpSolverBodyPool,
                       {&m_tmpSolverNonContactConstraintPool, &m_tmpSolverContactConstraintPool,
                        &m_tmpSolverContactFrictionConstraintPool, &m_tmpSolverContactRollingFrictionConstraintPool},
                       m_maxOverrideNumSolverIterations,
                       solverBodyOf});
}

void btPliantConstraintSolver::prepareSolve(int numBodies, int numManifolds) {
    btSequentialImpulseConstraintSolver::prepareSolve(numBodies, numManifolds);
    if (!m_system) return;
    SystemData& system = dataOf(*m_system);
    moveFreely(system, static_cast<double>(system.world->getDispatchInfo().m_timeStep));
}

void btPliantConstraintSolver::allSolved(const btContactSolverInfo& info, btIDebugDraw* debugDrawer) {
    btSequentialImpulseConstraintSolver::allSolved(info, debugDrawer);
    if (!m_system) return;
    SystemData& system = dataOf(*m_system);
    if (listDrivenIsland(system, m_drivenJoints, m_drivenManifolds))
        solveGroup(nullptr, 0, m_drivenManifolds.data(), static_cast<int>(m_drivenManifolds.size()),
                   m_drivenJoints.data(), static_cast<int>(m_drivenJoints.size()), info, debugDrawer,
                   system.world->getDispatcher());
    readContactSensors(system, static_cast<double>(info.m_timeStep));
    settleVelocities(system);
}

btScalar btPliantConstraintSolver::solveGroupCacheFriendlySetup(btCollisionObject** bodies, int numBodies,
                                                                btPersistentManifold** manifolds, int numManifolds,
                                                                btTypedConstraint** constraints, int numConstraints,
                                                                const btContactSolverInfo& info,
                                                                btIDebugDraw* debugDrawer) {
    clear(*m_group);
    const Island island{bodies, numBodies, manifolds, numManifolds, constraints, numConstraints};
    if (m_system) moveLateBodies(dataOf(*m_system), *m_group, island);
    return btSequentialImpulseConstraintSolver::solveGroupCacheFriendlySetup(
        orderSolverBodies(*m_group, island), numBodies, manifolds, numManifolds, constraints, numConstraints, info,
        debugDrawer);
}

void btPliantConstraintSolver::convertJoints(btTypedConstraint** constraints, int numConstraints,
                                             const btContactSolverInfo& info) {
    if (!m_system) {
        btSequentialImpulseConstraintSolver::convertJoints(constraints, numConstraints, info);
        return;
    }
    listJoints(*m_group, constraints, numConstraints);
    btSequentialImpulseConstraintSolver::convertJoints(m_group->bulletJoints.data(),
                                                       static_cast<int>(m_group->bulletJoints.size()), info);
    withSolver(info.m_timeStep,
               [&](const BulletSolver& solver) { setUpJoints(dataOf(*m_system), *m_group, solver, info); });
}

void btPliantConstraintSolver::convertContacts(btPersistentManifold** manifolds, int numManifolds,
                                               const btContactSolverInfo& info) {
    if (!m_system) {
        btSequentialImpulseConstraintSolver::convertContacts(manifolds, numManifolds, info);
        return;
    }
    withSolver(info.m_timeStep, [&](const BulletSolver& solver) {
        listContacts(dataOf(*m_system), *m_group, solver, manifolds, numManifolds);
    });
    btContactSolverInfo ofBouncing = info;
    ofBouncing.m_splitImpulsePenetrationThreshold = btScalar(BT_LARGE_FLOAT);
    for (btPersistentManifold* manifold : m_group->bulletManifolds) {
        const int first = m_tmpSolverContactConstraintPool.size();
        convertContact(manifold, info.m_splitImpulse && mayBounce(*manifold) ? ofBouncing : info);
        for (int row = first; row < m_tmpSolverContactConstraintPool.size(); ++row)
            letBounce(*manifold, info, m_tmpSolverContactConstraintPool[row]);
    }
    withSolver(info.m_timeStep, [&](const BulletSolver& solver) {
        setUpContacts(dataOf(*m_system), *m_group, solver, info);
        computeResponses(dataOf(*m_system), *m_group, solver, info);
    });
}

btScalar btPliantConstraintSolver::solveSingleIteration(int iteration, btCollisionObject** bodies, int numBodies,
                                                        btPersistentManifold** manifolds, int numManifolds,
                                                        btTypedConstraint** constraints, int numConstraints,
                                                        const btContactSolverInfo& info, btIDebugDraw* debugDrawer) {
    if (m_system) withSolver(info.m_timeStep, [&](const BulletSolver& solver) { beginIteration(*m_group, solver); });
    btScalar largest = btSequentialImpulseConstraintSolver::solveSingleIteration(
        iteration, bodies, numBodies, manifolds, numManifolds, constraints, numConstraints, info, debugDrawer);
    if (m_system)
        withSolver(info.m_timeStep, [&](const BulletSolver& solver) {
            largest = iterate(dataOf(*m_system), *m_group, solver, iteration, largest, info);
        });
    return largest;
}

void btPliantConstraintSolver::solveGroupCacheFriendlySplitImpulseIterations(
    btCollisionObject** bodies, int numBodies, btPersistentManifold** manifolds, int numManifolds,
    btTypedConstraint** constraints, int numConstraints, const btContactSolverInfo& info, btIDebugDraw* debugDrawer) {
    btSequentialImpulseConstraintSolver::solveGroupCacheFriendlySplitImpulseIterations(
        bodies, numBodies, manifolds, numManifolds, constraints, numConstraints, info, debugDrawer);
    if (!m_system || !info.m_splitImpulse) return;
    withSolver(info.m_timeStep,
               [&](const BulletSolver& solver) { iterateSplitImpulses(dataOf(*m_system), *m_group, solver, info); });
}

btScalar btPliantConstraintSolver::solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int numBodies,
                                                                 const btContactSolverInfo& info) {
    if (m_system) {
        Island island;
        island.bodies = bodies;
        island.bodyCount = numBodies;
        withSolver(info.m_timeStep,
                   [&](const BulletSolver& solver) { writeBack(dataOf(*m_system), *m_group, solver, island, info); });
    }
    const btScalar largest =
        btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyFinish(bodies, numBodies, info);
    for (btTypedConstraint* joint : m_group->plainJoints) writeBackPlainJoint(*joint, info.m_timeStep);
    m_group->plainJoints.clear();
    return largest;
}
