// SPDX-License-Identifier: Zlib
#include "btPliant/btPliantConstraintSolver.h"

#include <algorithm>
#include <cmath>

#include "btPliant/body/Convert.h"
#include "btPliant/joints/JointConstraints.h"
#include "btPliant/narrowphase/ContactPair.h"
#include "btPliant/solver/ConjugateDirections.h"
#include "btPliant/solver/ContactConstraints.h"
#include "btPliant/step/SystemData.h"

using btPliantInternal::ConjugateDirections;
using btPliantInternal::ContactDescriptor;
using btPliantInternal::IterationChange;
using btPliantInternal::JointConstraint;
using btPliantInternal::JointConstraints;
using btPliantInternal::Stopwatch;
using btPliantInternal::toEigen;
using pliant::Matrix3;
using pliant::Vector3;

namespace {

/// At the end of each solve. Impulses that were extrapolated along a direction may do work that no contact does until
/// plain iterations have taken it back: with a single one, an impact at 20 m/s gained a hundredth of its energy.
constexpr int kPlainIterations = 3;
/// Solves of fewer iterations stay plain: directions leave them no time to take that work back, and impacts gain
/// energy.
constexpr int kFewestIterations = 12;

/// Iterations of a group with solids. Strands give way and hang on each other, cubes carry their whole stack through
/// stiff faces: with Bullet's ten a stack of ten leaned by an eighth of a cube before it slept, and ten are too few for
/// conjugate directions. Of Bullet's own contacts there are as many as before.
int iterationsWithSolids(int asked) {
    return asked + (asked * 3 + 4) / 5;
}

}  // namespace

btPliantConstraintSolver::btPliantConstraintSolver() : m_contactConstraints(std::make_unique<ContactConstraints>()) {}
btPliantConstraintSolver::~btPliantConstraintSolver() = default;

btPliantSystem* btPliantConstraintSolver::getSystem() const {
    return m_system;
}

void btPliantConstraintSolver::reset() {
    btSequentialImpulseConstraintSolver::reset();
}

void btPliantConstraintSolver::prepareSolve(int numBodies, int numManifolds) {
    btSequentialImpulseConstraintSolver::prepareSolve(numBodies, numManifolds);
    if (!m_system) return;
    btPliantSystem::Data& system = m_system->data();
    for (int i = 0; i < system.world->getNumConstraints(); ++i)
        if (btPliantJoint* joint = btPliantJoint::upcast(system.world->getConstraint(i)))
            JointConstraints::clearSolved(*joint);
    system.beginSolve(static_cast<double>(system.world->getDispatchInfo().m_timeStep));
}

void btPliantConstraintSolver::allSolved(const btContactSolverInfo& info, btIDebugDraw* debugDrawer) {
    btSequentialImpulseConstraintSolver::allSolved(info, debugDrawer);
    if (!m_system) return;
    solveDrivenBodies(info, debugDrawer);
    m_system->data().endSolve();
}

// Bullet's islands hold no constraint between two bodies that it does not move, and no contact of such a body with
// itself; deformations move all the same.
void btPliantConstraintSolver::solveDrivenBodies(const btContactSolverInfo& info, btIDebugDraw* debugDrawer) {
    btDiscreteDynamicsWorld& world = *m_system->getWorld();
    std::vector<btTypedConstraint*>& left = m_contactConstraints->drivenJoints;
    left.clear();
    for (int i = 0; i < world.getNumConstraints(); ++i) {
        btTypedConstraint* constraint = world.getConstraint(i);
        const btPliantJoint* joint = btPliantJoint::upcast(constraint);
        if (joint && constraint->isEnabled() && !JointConstraints::wasSolved(*joint) &&
            JointConstraints::hasStepped(*joint) && constraint->getRigidBodyA().isStaticOrKinematicObject() &&
            constraint->getRigidBodyB().isStaticOrKinematicObject())
            left.push_back(constraint);
    }
    std::vector<btPersistentManifold*>& touching = m_contactConstraints->drivenManifolds;
    touching.clear();
    for (int i = 0; i < m_system->getNumBodies(); ++i) {
        const btPliantBody::Data& data = m_system->getBody(i)->data();
        if (!data.selfPair || !data.hasStepped || data.frameIsFree) continue;
        for (btPersistentManifold* manifold : data.selfPair->manifolds)
            if (manifold->getNumContacts() > 0) touching.push_back(manifold);
    }
    if (left.empty() && touching.empty()) return;
    solveGroup(nullptr, 0, touching.data(), static_cast<int>(touching.size()), left.data(),
               static_cast<int>(left.size()), info, debugDrawer, world.getDispatcher());
}

// Islands wake up after prepareSolve: bodies that have not stepped yet do so now.
btScalar btPliantConstraintSolver::solveGroupCacheFriendlySetup(btCollisionObject** bodies, int numBodies,
                                                                btPersistentManifold** manifolds, int numManifolds,
                                                                btTypedConstraint** constraints, int numConstraints,
                                                                const btContactSolverInfo& info,
                                                                btIDebugDraw* debugDrawer) {
    m_contactConstraints->clear();
    if (m_system) {
        std::vector<btPliantBody*>& late = m_contactConstraints->lateBodies;
        late.clear();
        const auto consider = [&late](const btCollisionObject* object) {
            auto* body = const_cast<btPliantBody*>(btPliantBody::upcast(object));
            if (!body || body->data().hasStepped || !body->getBroadphaseHandle()) return;
            // Driven frames may step while they doze; updateSleep wakes them when that sets q in motion.
            if (!body->isActive() && body->data().frameIsFree) body->activate(true);
            late.push_back(body);
        };
        for (int i = 0; i < numBodies; ++i) consider(bodies[i]);
        for (int i = 0; i < numManifolds; ++i) {
            if (manifolds[i]->getNumContacts() == 0) continue;
            consider(manifolds[i]->getBody0());
            consider(manifolds[i]->getBody1());
        }
        for (int i = 0; i < numConstraints; ++i) {
            if (!constraints[i]->isEnabled()) continue;
            consider(&constraints[i]->getRigidBodyA());
            consider(&constraints[i]->getRigidBodyB());
        }
        std::sort(late.begin(), late.end(),
                  [](const btPliantBody* x, const btPliantBody* y) { return x->data().number < y->data().number; });
        late.erase(std::unique(late.begin(), late.end()), late.end());
        m_system->data().freeStep(late);
    }
    m_contactConstraints->orderBodies(bodies, numBodies);
    return btSequentialImpulseConstraintSolver::solveGroupCacheFriendlySetup(
        m_contactConstraints->orderedBodies.data(), numBodies, manifolds, numManifolds, constraints, numConstraints,
        info, debugDrawer);
}

void btPliantConstraintSolver::convertJoints(btTypedConstraint** constraints, int numConstraints,
                                             const btContactSolverInfo& info) {
    if (!m_system) {
        btSequentialImpulseConstraintSolver::convertJoints(constraints, numConstraints, info);
        return;
    }
    ContactConstraints& group = *m_contactConstraints;
    const auto isOurs = [](btTypedConstraint* constraint) {
        const btPliantJoint* joint = btPliantJoint::upcast(constraint);
        return joint && JointConstraints::hasStepped(*joint);
    };
    for (int i = 0; i < numConstraints; ++i) {
        if (isOurs(constraints[i])) continue;
        group.bulletJoints.push_back(constraints[i]);
        for (btRigidBody* body : {&constraints[i]->getRigidBodyA(), &constraints[i]->getRigidBodyB()})
            if (btPliantBody* reduced = btPliantBody::upcast(body)) reduced->data().hasBulletRows = true;
    }
    btSequentialImpulseConstraintSolver::convertJoints(group.bulletJoints.data(),
                                                       static_cast<int>(group.bulletJoints.size()), info);
    Stopwatch watch(m_system->data().substepStats.m_contactSolveSeconds);
    for (int i = 0; i < numConstraints; ++i)
        if (isOurs(constraints[i])) addJoint(*constraints[i], *btPliantJoint::upcast(constraints[i]), info);
}

void btPliantConstraintSolver::addJoint(btTypedConstraint& constraint, btPliantJoint& joint,
                                        const btContactSolverInfo& info) {
    constraint.buildJacobian();
    constraint.internalSetAppliedImpulse(0);
    if (btJointFeedback* feedback = constraint.getJointFeedback())  // its constructor leaves them as they are
        for (btVector3* sum : {&feedback->m_appliedForceBodyA, &feedback->m_appliedTorqueBodyA,
                               &feedback->m_appliedForceBodyB, &feedback->m_appliedTorqueBodyB})
            sum->setZero();
    if (!constraint.isEnabled()) return;
    JointConstraint entry;
    entry.constraint = &constraint;
    entry.joint = &joint;
    const int own = constraint.getOverrideNumSolverIterations();
    entry.iterations = own > 0 ? own : info.m_numIterations;
    m_maxOverrideNumSolverIterations = btMax(m_maxOverrideNumSolverIterations, entry.iterations);
    int side = 0;
    for (btRigidBody* body : {&constraint.getRigidBodyA(), &constraint.getRigidBodyB()}) {
        entry.body[side] = getOrInitSolverBody(*body, info.m_timeStep);
        btPliantBody* reduced = btPliantBody::upcast(body);
        if (reduced && reduced->data().hasStepped) entry.reduced[side] = m_contactConstraints->reducedIndex(*reduced);
        ++side;
    }
    m_contactConstraints->joints->add(entry, *m_contactConstraints, m_tmpSolverBodyPool, info);
}

namespace {

bool comesBefore(const btPersistentManifold* x, const btPersistentManifold* y) {
    const auto id = [](const btCollisionObject* object) {
        return object->getBroadphaseHandle() ? object->getBroadphaseHandle()->m_uniqueId : -1;
    };
    const int key[2][4] = {{id(x->getBody0()), id(x->getBody1()), x->m_companionIdB, x->m_companionIdA},
                           {id(y->getBody0()), id(y->getBody1()), y->m_companionIdB, y->m_companionIdA}};
    return std::lexicographical_compare(key[0], key[0] + 4, key[1], key[1] + 4);
}

}  // namespace

void btPliantConstraintSolver::convertContacts(btPersistentManifold** manifolds, int numManifolds,
                                               const btContactSolverInfo& info) {
    if (!m_system) {
        btSequentialImpulseConstraintSolver::convertContacts(manifolds, numManifolds, info);
        return;
    }
    for (int i = 0; i < numManifolds; ++i) {
        btPersistentManifold* manifold = manifolds[i];
        const bool ours = btPliantBody::upcast(manifold->getBody0()) || btPliantBody::upcast(manifold->getBody1());
        (ours ? m_contactConstraints->reducedManifolds : m_contactConstraints->bulletManifolds).push_back(manifold);
    }
    // Bullet's order has a history (of pairs, of sorting what compares equal); a restored world would not have it.
    if (m_system->data().world->getDispatchInfo().m_deterministicOverlappingPairs)
        std::sort(m_contactConstraints->reducedManifolds.begin(), m_contactConstraints->reducedManifolds.end(),
                  comesBefore);
    m_contactConstraints->numberReducedBodies();
    for (btPersistentManifold* manifold : m_contactConstraints->reducedManifolds)
        addManifold(*manifold, const_cast<btPliantBody*>(btPliantBody::upcast(manifold->getBody0())),
                    const_cast<btPliantBody*>(btPliantBody::upcast(manifold->getBody1())), info);
    btSequentialImpulseConstraintSolver::convertContacts(m_contactConstraints->bulletManifolds.data(),
                                                         static_cast<int>(m_contactConstraints->bulletManifolds.size()),
                                                         info);
    setUpContacts(info);
}

void btPliantConstraintSolver::addManifold(btPersistentManifold& manifold, btPliantBody* A, btPliantBody* B,
                                           const btContactSolverInfo& info) {
    if (manifold.getNumContacts() == 0) return;
    auto* object0 = const_cast<btCollisionObject*>(manifold.getBody0());
    auto* object1 = const_cast<btCollisionObject*>(manifold.getBody1());
    if (!object0->hasContactResponse() || !object1->hasContactResponse()) return;
    if (A && A == B && !A->getBroadphaseHandle()) return;  // no longer in the world
    ContactDescriptor descriptor;
    descriptor.bodyA = getOrInitSolverBody(*object0, info.m_timeStep);
    descriptor.bodyB = getOrInitSolverBody(*object1, info.m_timeStep);
    ContactConstraints& group = *m_contactConstraints;
    if (A) descriptor.reducedA = group.reducedIndex(*A);
    if (B) descriptor.reducedB = group.reducedIndex(*B);
    for (int i = 0; i < manifold.getNumContacts(); ++i) {
        descriptor.point = &manifold.getContactPoint(i);
        group.descriptors.push_back(descriptor);
    }
}

void btPliantConstraintSolver::setUpContacts(const btContactSolverInfo& info) {
    btPliantSystem::Data& system = m_system->data();
    Stopwatch watch(system.substepStats.m_contactSolveSeconds);
    ContactConstraints& group = *m_contactConstraints;
    const int count = static_cast<int>(group.descriptors.size());
    group.colourContacts(m_tmpSolverBodyPool);
    const int bodies = static_cast<int>(group.reducedBodies.size());
    const auto forAll = [&system](int items, int block, const auto& item) {
        system.workers->forBlocks(items, block, [&item](int begin, int end) {
            for (int i = begin; i < end; ++i) item(i);
        });
    };
    constexpr int ahead = 6;  // points are where Bullet has put their manifolds
    forAll(count, 64, [&](int c) {
        group.prefetchPoint(c + ahead);
        group.countTorsions(c);
    });
    group.reserveConstraints();
    group.groupByReducedBody();
    if (group.hasSolids())
        m_maxOverrideNumSolverIterations =
            btMax(m_maxOverrideNumSolverIterations, iterationsWithSolids(info.m_numIterations));
    // A row is larger than what the next pass could still find near.
    forAll(count, 32, [&](int c) {
        group.prefetchPoint(c + ahead);
        group.makeConstraint(c, info);
        group.prepareModalJacobians(c);
        group.prepareFrameJacobians(c, m_tmpSolverBodyPool);
        group.computeBias(c, m_tmpSolverBodyPool, info, system.info);
    });
    forAll(bodies, 4, [&](int i) { group.prepareResponses(i); });
    group.warmStart(m_tmpSolverBodyPool, info, *system.workers);
    JointConstraints& joints = *group.joints;
    const int jointCount = static_cast<int>(joints.joints.size());
    for (int j = 0; j < jointCount; ++j) joints.warmStart(j, group, m_tmpSolverBodyPool);
    for (int j = 0; j < jointCount; ++j) joints.computeBias(j, group, m_tmpSolverBodyPool, info);
}

btScalar btPliantConstraintSolver::solveSingleIteration(int iteration, btCollisionObject** bodies, int numBodies,
                                                        btPersistentManifold** manifolds, int numManifolds,
                                                        btTypedConstraint** constraints, int numConstraints,
                                                        const btContactSolverInfo& info, btIDebugDraw* debugDrawer) {
    // The rows of reduced bodies' joints keep state of their own.
    const bool extrapolates =
        m_system && m_contactConstraints->joints->joints.empty() && m_contactConstraints->contacts.size() > 0;
    ConjugateDirections& directions = *m_contactConstraints->conjugateDirections;
    const ConjugateDirections::State state{
        m_contactConstraints->modalVelocities,
        m_tmpSolverBodyPool,
        {&m_tmpSolverNonContactConstraintPool, &m_tmpSolverContactConstraintPool,
         &m_tmpSolverContactFrictionConstraintPool, &m_tmpSolverContactRollingFrictionConstraintPool}};
    if (extrapolates) directions.beforeIteration(state);
    const btScalar stock = btSequentialImpulseConstraintSolver::solveSingleIteration(
        iteration, bodies, numBodies, manifolds, numManifolds, constraints, numConstraints, info, debugDrawer);
    if (!m_system) return stock;
    Stopwatch watch(m_system->data().substepStats.m_contactSolveSeconds);
    const btScalar joints =
        m_contactConstraints->joints->iterate(iteration, *m_contactConstraints, m_tmpSolverBodyPool);
    const IterationChange change =
        m_contactConstraints->iterate(directions, m_tmpSolverBodyPool, *m_system->data().workers);
    const btScalar largest = btMax(btMax(stock, joints), change.largest);
    const int most = btMax(m_maxOverrideNumSolverIterations, info.m_numIterations);
    const bool isLast = most < kFewestIterations || iteration + kPlainIterations >= most ||
                        largest <= info.m_leastSquaresResidualThreshold;
    if (extrapolates && !isLast)
        directions.afterIteration(change.squaredNorm);
    else
        directions.pause();
    return largest;
}

void btPliantConstraintSolver::solveGroupCacheFriendlySplitImpulseIterations(
    btCollisionObject** bodies, int numBodies, btPersistentManifold** manifolds, int numManifolds,
    btTypedConstraint** constraints, int numConstraints, const btContactSolverInfo& info, btIDebugDraw* debugDrawer) {
    btSequentialImpulseConstraintSolver::solveGroupCacheFriendlySplitImpulseIterations(
        bodies, numBodies, manifolds, numManifolds, constraints, numConstraints, info, debugDrawer);
    if (!m_system || !info.m_splitImpulse) return;
    Stopwatch watch(m_system->data().substepStats.m_contactSolveSeconds);
    m_contactConstraints->listSplitImpulseContacts();
    for (int i = 0; i < info.m_numIterations; ++i)
        m_contactConstraints->iterateSplitImpulses(m_tmpSolverBodyPool, *m_system->data().workers);
}

btScalar btPliantConstraintSolver::solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int numBodies,
                                                                 const btContactSolverInfo& info) {
    if (m_system) {
        Stopwatch watch(m_system->data().substepStats.m_contactSolveSeconds);
        m_contactConstraints->rejectDivergedBodies(m_tmpSolverBodyPool, workOfBulletRows(), *m_system->data().workers);
        m_contactConstraints->applyRestitution(m_tmpSolverBodyPool, info.m_numIterations);
        m_contactConstraints->keepAngularMomentum(m_tmpSolverBodyPool, info.m_timeStep);
        m_contactConstraints->moveAnchors(m_tmpSolverBodyPool, info);
        m_contactConstraints->joints->writeBack(*m_contactConstraints, info);
        m_contactConstraints->writeBack(*m_system->data().workers);
        for (int i = 0; i < numBodies; ++i)
            if (btPliantBody* body = btPliantBody::upcast(bodies[i])) addOtherMomentum(*body, info);
        m_contactConstraints->restoreDivergedBodies(m_tmpSolverBodyPool);
        m_contactConstraints->clear();
    }
    return btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyFinish(bodies, numBodies, info);
}

double btPliantConstraintSolver::workOfBulletRows() const {
    double sum = 0;
    for (const btConstraintArray* pool :
         {&m_tmpSolverNonContactConstraintPool, &m_tmpSolverContactConstraintPool,
          &m_tmpSolverContactFrictionConstraintPool, &m_tmpSolverContactRollingFrictionConstraintPool})
        for (int i = 0; i < pool->size(); ++i) {
            const btSolverConstraint& row = (*pool)[i];
            const double product = static_cast<double>(row.m_appliedImpulse) * static_cast<double>(row.m_rhs);
            if (row.m_jacDiagABInv > 0 && std::isfinite(product))
                sum += std::abs(product) / static_cast<double>(row.m_jacDiagABInv);
        }
    return sum;
}

// Angular momentum from outside torques and from Bullet's own rows (joints), which know the rest inertia.
void btPliantConstraintSolver::addOtherMomentum(btPliantBody& body, const btContactSolverInfo& info) {
    btPliantBody::Data& data = body.data();
    if (!data.frameIsFree) return;
    data.angularMomentum += static_cast<double>(info.m_timeStep) * toEigen(body.getTotalTorque());
    const int id = body.getCompanionId();
    const bool stock = data.hasBulletRows;
    data.hasBulletRows = false;
    if (!stock || id < 0) return;
    const Matrix3 A = toEigen(body.getWorldTransform().getBasis());
    Vector3 turn = toEigen(m_tmpSolverBodyPool[id].getDeltaAngularVelocity());
    if (data.reducedIndex >= 0) turn -= data.solvedAngularVelocity;  // by our own rows
    const Vector3& rest = data.model().inertia.principalInertia;
    data.angularMomentum += A * rest.cwiseProduct(A.transpose() * turn);
}
