// SPDX-License-Identifier: Zlib
#include "btPliant/step/Substep.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>

#include <string>

#include "btPliant/data/Stopwatch.h"
#include "btPliant/narrowphase/FindContacts.h"
#include "btPliant/narrowphase/ManifoldWriter.h"
#include "btPliant/narrowphase/PairContacts.h"
#include "btPliant/narrowphase/SelfContact.h"
#include "btPliant/narrowphase/ShapeCollider.h"
#include "btPliant/step/FreeStep.h"
#include "btPliant/step/Sleep.h"
#include "btPliant/step/SolverStages.h"
#include "btPliant/step/Statistics.h"
#include "btPliant/step/SubstepEnd.h"

namespace btPliantInternal {

namespace {

/// Says once for each kind of shape that bodies do not touch it.
void refuse(const btCollisionShape& shape, SystemData& system) {
    const std::string sentence = std::string("Reduced bodies do not touch a ") + shape.getName() + " (shape type " +
                                 std::to_string(shape.getShapeType()) +
                                 ") and pass through it; use another shape of Bullet's in its place. ";
    if (system.status.find(sentence) == std::string::npos) system.status += sentence;
}

}  // namespace

std::unique_ptr<ContactPair> makePair(const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second,
                                      bool swapped, bool query, btDispatcher& dispatcher) {
    const btCollisionObjectWrapper& ours = swapped ? second : first;
    const btCollisionObjectWrapper& other = swapped ? first : second;
    const btPliantShape* shape = btPliantShape::upcast(ours.getCollisionShape());
    if (!shape) return nullptr;
    auto& body = const_cast<btPliantBody&>(shape->getBody());
    // The shape of a body may also be a part of somebody's compound, where it does not move with its body.
    const bool isPart = !btPliantBody::upcast(ours.getCollisionObject());
    const ShapeCollider* collider = isPart ? nullptr : colliderOf(other);
    if (collider) return std::make_unique<ContactPair>(body, other, *collider, swapped, query, dispatcher);
    refuse(*(isPart ? ours : other).getCollisionShape(), body.getSystem().data());
    return nullptr;
}

void findContacts(SystemData& system, double step) {
    system.stepLength = step;
    findAllContacts(system);
}

void keepContacts(ContactPair& pair, const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second,
                  btManifoldResult& result) {
    if (!pair.isComputed) {
        const btCollisionObjectWrapper& other = pair.swapped ? first : second;
        const PlacedShape placed{*other.getCollisionShape(), other.getWorldTransform()};
        refit(pair, placed, pair.system.stepLength);
        findContacts(pair, placed, pair.system.stepLength, -1.0);
    }
    pair.isComputed = false;
    writeManifolds(pair, first, second, result);
}

void moveFreely(SystemData& system, double step) {
    for (int i = 0; i < system.world->getNumConstraints(); ++i)
        if (btPliantJoint* joint = btPliantJoint::upcast(system.world->getConstraint(i)))
            JointConstraints::clearSolved(*joint);
    stepActiveBodies(system, step);
}

void moveLateBodies(SystemData& system, SolverGroup& group, const Island& island) {
    listLateBodies(group, island);
    freeStep(system, group.lateBodies);
}

void setUpJoints(SystemData& system, SolverGroup& group, const BulletSolver& solver, const btContactSolverInfo& info) {
    Stopwatch watch(system.substepStats.m_contactSolveSeconds);
    for (btTypedConstraint* constraint : group.reducedJoints) addJoint(group, *constraint, solver, info);
}

void listContacts(SystemData& system, SolverGroup& group, const BulletSolver& solver, btPersistentManifold** manifolds,
                  int count) {
    listManifolds(system, group, manifolds, count);
    describeContacts(group, solver);
}

void setUpContacts(SystemData& system, SolverGroup& group, const BulletSolver& solver,
                   const btContactSolverInfo& info) {
    Stopwatch watch(system.substepStats.m_contactSolveSeconds);
    orderContacts(system, group, solver, info);
    makeConstraints(system, group, solver, info);
}

void computeResponses(SystemData& system, SolverGroup& group, const BulletSolver& solver,
                      const btContactSolverInfo& info) {
    Stopwatch watch(system.substepStats.m_contactSolveSeconds);
    computeModalResponses(system, group);
    warmStart(system, group, solver, info);
}

void beginIteration(SolverGroup& group, const BulletSolver& solver) {
    if (extrapolates(group)) group.directions.beforeIteration(iteratedState(group, solver));
}

btScalar iterate(SystemData& system, SolverGroup& group, const BulletSolver& solver, int iteration,
                 btScalar bulletChange, const btContactSolverInfo& info) {
    Stopwatch watch(system.substepStats.m_contactSolveSeconds);
    const btScalar joints = group.joints.iterate(iteration, group.contacts, solver.bodies);
    const IterationChange change = group.contacts.iterate(group.directions, solver.bodies, *system.workers);
    const btScalar largest = btMax(btMax(bulletChange, joints), change.largest);
    if (extrapolates(group) && !isAmongTheLast(iteration, largest, solver, info))
        group.directions.afterIteration(change.squaredNorm);
    else
        group.directions.pause();
    return largest;
}

void iterateSplitImpulses(SystemData& system, SolverGroup& group, const BulletSolver& solver,
                          const btContactSolverInfo& info) {
    Stopwatch watch(system.substepStats.m_contactSolveSeconds);
    group.contacts.listSplitImpulseContacts();
    for (int i = 0; i < info.m_numIterations; ++i) group.contacts.iterateSplitImpulses(solver.bodies, *system.workers);
}

void writeBack(SystemData& system, SolverGroup& group, const BulletSolver& solver, const Island& island,
               const btContactSolverInfo& info) {
    Stopwatch watch(system.substepStats.m_contactSolveSeconds);
    group.contacts.rejectDivergedBodies(solver.bodies, group.joints.work(), workOfBulletRows(solver), *system.workers);
    group.contacts.applyRestitution(solver.bodies, info.m_numIterations);
    group.contacts.keepAngularMomentum(solver.bodies, info.m_timeStep);
    group.contacts.moveAnchors(solver.bodies, info);
    group.joints.writeBack(group.contacts, info);
    group.contacts.writeBack(*system.workers);
    addOtherMomenta(solver, island, info);
    forgetDivergedImpulses(group);
    group.contacts.restoreDivergedBodies(solver.bodies);
    group.clear();
}

void endSubstep(SystemData& system, double step) {
    system.stepLength = step;
    if (!system.solver) return;
    {
        Stopwatch watch(system.substepStats.m_deformationSeconds);
        putSleepersToRest(system);
        finishBodies(system);
        keepAwakeWhatDeforms(system);
        updateBounds(system);
    }
    {
        Stopwatch watch(system.substepStats.m_collisionSeconds);
        findSelfContacts(system);
    }
    collectContactStats(system);
    publishStats(system);
}

}  // namespace btPliantInternal
