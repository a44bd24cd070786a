// SPDX-License-Identifier: Zlib
#include "btPliant/step/Substep.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>

#include <string>

#include "btPliant/body/CharacterPoses.h"
#include "btPliant/data/Stopwatch.h"
#include "btPliant/joints/JointIteration.h"
#include "btPliant/joints/JointWriteBack.h"
#include "btPliant/narrowphase/ContactLimit.h"
#include "btPliant/narrowphase/DistributedTouch.h"
#include "btPliant/narrowphase/FindContacts.h"
#include "btPliant/narrowphase/ManifoldWriter.h"
#include "btPliant/narrowphase/PairContacts.h"
#include "btPliant/narrowphase/PassedStrands.h"
#include "btPliant/narrowphase/SelfContact.h"
#include "btPliant/narrowphase/ShapeCollider.h"
#include "btPliant/sensors/ContactSensors.h"
#include "btPliant/solver/AngularMomentum.h"
#include "btPliant/solver/ConstraintColouring.h"
#include "btPliant/solver/ContactIteration.h"
#include "btPliant/solver/FrictionAnchors.h"
#include "btPliant/solver/RagdollRows.h"
#include "btPliant/solver/RagdollWork.h"
#include "btPliant/solver/Restitution.h"
#include "btPliant/solver/SolidWork.h"
#include "btPliant/solver/SolutionGuard.h"
#include "btPliant/solver/SplitImpulses.h"
#include "btPliant/solver/SpringEnergy.h"
#include "btPliant/solver/WriteBack.h"
#include "btPliant/step/FreeStep.h"
#include "btPliant/step/MotionGuard.h"
#include "btPliant/step/OneWayStep.h"
#include "btPliant/step/Sleep.h"
#include "btPliant/step/SolverStages.h"
#include "btPliant/step/Statistics.h"
#include "btPliant/step/SubstepEnd.h"
#include "btPliant/touch/TouchIteration.h"
#include "btPliant/touch/TouchSetUp.h"
#include "btPliant/touch/TouchWriteBack.h"

namespace btPliantInternal {

namespace {

/// Says once for each kind of shape that bodies do not touch it.
void refuse(const btCollisionShape& shape, SystemData& system) {
    // Bullet goes through compounds child by child, but where it keeps the algorithm of the shape that was there
    // before.
    const std::string cure = shape.isCompound()
                                 ? "call cleanProxyFromPairs() of the world's pair cache after exchanging it"
                                 : "use another shape of Bullet's in its place";
    system.say(std::string("Reduced bodies do not touch a ") + shape.getName() + " (shape type " +
               std::to_string(shape.getShapeType()) + ") and pass through it; " + cure + ". ");
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
    refuse(*(isPart ? ours : other).getCollisionShape(), dataOf(body.getSystem()));
    return nullptr;
}

void findContacts(SystemData& system, double step) {
    system.stepLength = usableStep(system, step);
    // Every pair asks; the first one begins them, and another one where a character has been moved since.
    if (!system.posesAreBegun) beginPoses(system, system.stepLength);
    if (system.contactsAreFound) return;
    if (!system.solver) predictLoadedBodies(system);
    findAllContacts(system);
}

bool hasNothingToKeep(ContactPair& pair) {
    if (!pair.isComputed || !pair.system.contactsAreFound || !pair.contacts.empty() || !pair.manifolds.empty())
        return false;
    pair.isComputed = false;
    pair.firstPoint = -1;
    return true;
}

void keepContacts(ContactPair& pair, const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second,
                  btManifoldResult& result) {
    if (!pair.isComputed) {
        updateTouch(pair);
        const btCollisionObjectWrapper& other = pair.swapped ? first : second;
        const PlacedShape placed{*other.getCollisionShape(), other.getWorldTransform()};
        refit(pair, placed, pair.system.stepLength);
        findContacts(pair, placed, pair.system.stepLength, -1.0);
        limitContacts(pair);
    }
    pair.isComputed = false;
    writeManifolds(pair, first, second, result);
    if (!pair.system.solver) softenContacts(pair, pair.system.stepLength);
}

void moveFreely(SystemData& system, double step) {
    for (int i = 0; i < system.world->getNumConstraints(); ++i)
        if (btPliantJoint* joint = btPliantJoint::upcast(system.world->getConstraint(i)))
            dataOf(*joint).isSolved = false;
    putBackBeforeStep(system);
    const double h = usableStep(system, step);
    beginPoses(system, h);
    stepActiveBodies(system, h);
}

void moveLateBodies(SystemData& system, SolverGroup& group, const Island& island) {
    listLateBodies(group, island);
    freeStep(system, group.lateBodies);
}

btCollisionObject** orderSolverBodies(SolverGroup& group, const Island& island) {
    orderBodies(island.bodies, island.bodyCount, group.contacts.orderedBodies);
    return group.contacts.orderedBodies.data();
}

void setUpJoints(SystemData& system, SolverGroup& group, const BulletSolver& solver, const btContactSolverInfo& info) {
    Stopwatch watch(system.substepStats.m_contactSolveSeconds);
    for (btTypedConstraint* constraint : group.reducedJoints) addJoint(group, *constraint, solver, info);
}

void listContacts(SystemData& system, SolverGroup& group, const BulletSolver& solver, btPersistentManifold** manifolds,
                  int count) {
    listManifolds(system, group, manifolds, count);
    describeContacts(system, group, solver);
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
    computeModalResponses(system, group, info);
    for (int i = 0; i < group.touches.count; ++i)
        setUpTouch(static_cast<double>(info.m_timeStep), group.contacts, solver.bodies,
                   *group.touches.elements[static_cast<std::size_t>(i)]);
    warmStart(system, group, solver, info);
}

void beginIteration(SolverGroup& group, const BulletSolver& solver) {
    if (extrapolates(group)) group.directions.beforeIteration(iteratedState(group, solver));
}

btScalar iterate(SystemData& system, SolverGroup& group, const BulletSolver& solver, int iteration,
                 btScalar bulletChange, const btContactSolverInfo& info) {
    Stopwatch watch(system.substepStats.m_contactSolveSeconds);
    const btScalar joints = iterateJoints(iteration, group.contacts, solver.bodies, group.joints);
    const btScalar touches = iterateTouches(group.contacts, solver.bodies, group.touches);
    const btScalar limits = iterateLimits(group.contacts);
    const IterationChange change = iterateContacts(group.directions, solver.bodies, *system.workers, group.contacts);
    const btScalar largest = btMax(btMax(bulletChange, joints), btMax(btMax(touches, limits), change.largest));
    if (extrapolates(group) && !isAmongTheLast(iteration, largest, solver, info))
        group.directions.afterIteration(change.squaredNorm);
    else
        group.directions.pause();
    return largest;
}

void iterateSplitImpulses(SystemData& system, SolverGroup& group, const BulletSolver& solver,
                          const btContactSolverInfo& info) {
    Stopwatch watch(system.substepStats.m_contactSolveSeconds);
    listSplitImpulses(group.contacts);
    for (int i = splitIterations(group, info); i > 0; --i)
        iterateSplitImpulses(solver.bodies, *system.workers, group.contacts);
}

void writeBack(SystemData& system, SolverGroup& group, const BulletSolver& solver, const Island& island,
               const btContactSolverInfo& info) {
    Stopwatch watch(system.substepStats.m_contactSolveSeconds);
    ContactConstraints& contacts = group.contacts;
    boundRagdollWork(solver.bodies, contacts);
    boundSolidWork(static_cast<double>(info.m_timeStep), *system.workers, solver.bodies, contacts);
    rejectDivergedBodies(workOfJoints(group.joints) + workOfTouches(group.touches), workOfBulletRows(solver), info,
                         *system.workers, solver.bodies, contacts);
    applyRestitution(info.m_numIterations, solver.bodies, contacts);
    keepAngularMomentum(contacts, info.m_timeStep, solver.bodies);
    moveAnchors(contacts, info, solver.bodies);
    keepSpringEnergy(solver.bodies, contacts);
    writeBackJoints(group.joints, contacts.reducedBodies, info);
    writeBackTouches(static_cast<double>(info.m_timeStep), contacts, group.touches);
    writeBackContacts(contacts, *system.workers);
    takeContactGains(contacts);
    addOtherMomenta(solver, island, info);
    forgetDivergedImpulses(group);
    restoreDivergedBodies(contacts, solver.bodies);
    clear(group);
}

void readContactSensors(SystemData& system, double step) {
    measureContacts(system, step);
}

void settleVelocities(SystemData& system) {
    Stopwatch watch(system.substepStats.m_deformationSeconds);
    settleBodies(system);
}

void endSubstep(SystemData& system, double step) {
    system.stepLength = usableStep(system, step);
    beginPoses(system, system.stepLength);
    finishPoses(system);
    if (!system.solver) {
        restoreContacts(system);
        readContactSensors(system, step);
    }
    {
        Stopwatch watch(system.substepStats.m_deformationSeconds);
        putSleepersToRest(system);
        if (!system.solver) stepOneWay(system);
        finishBodies(system);
        putBackAfterStep(system);
        keepAwakeWhatDeforms(system);
        updateBounds(system);
    }
    if (system.solver) {
        Stopwatch watch(system.substepStats.m_collisionSeconds);
        rememberPassedStrands(system);
        findSelfContacts(system);
    }
    collectContactStats(system);
    publishStats(system);
}

}  // namespace btPliantInternal
