// SPDX-License-Identifier: Zlib
// What of an island the stages of the solver work on.
#include <algorithm>

#include "btPliant/joints/JointForces.h"
#include "btPliant/joints/JointSetUp.h"
#include "btPliant/joints/JointWriteBack.h"
#include "btPliant/solver/ConstraintColouring.h"
#include "btPliant/step/SolverStages.h"
#include "btPliant/step/Substep.h"
#include "btPliant/touch/TouchSetUp.h"

namespace btPliantInternal {

void listLateBodies(SolverGroup& group, const Island& island) {
    std::vector<btPliantBody*>& late = group.lateBodies;
    late.clear();
    const auto consider = [&late](const btCollisionObject* object) {
        auto* body = const_cast<btPliantBody*>(btPliantBody::upcast(object));
        if (!body || dataOf(*body).hasStepped || !body->getBroadphaseHandle()) return;
        // Driven frames may step while they doze; Sleep.cpp wakes them when that sets q in motion.
        if (!body->isActive() && (dataOf(*body).frameIsFree || dataOf(*body).ragdoll())) body->activate(true);
        late.push_back(body);
    };
    for (int i = 0; i < island.bodyCount; ++i) consider(island.bodies[i]);
    for (int i = 0; i < island.manifoldCount; ++i) {
        if (island.manifolds[i]->getNumContacts() == 0) continue;
        consider(island.manifolds[i]->getBody0());
        consider(island.manifolds[i]->getBody1());
    }
    for (int i = 0; i < island.jointCount; ++i) {
        if (!island.joints[i]->isEnabled()) continue;
        consider(&island.joints[i]->getRigidBodyA());
        consider(&island.joints[i]->getRigidBodyB());
    }
    std::sort(late.begin(), late.end(),
              [](const btPliantBody* x, const btPliantBody* y) { return dataOf(*x).number < dataOf(*y).number; });
    late.erase(std::unique(late.begin(), late.end()), late.end());
}

void listJoints(SolverGroup& group, btTypedConstraint** joints, int count) {
    for (int i = 0; i < count; ++i) {
        const btPliantJoint* joint = btPliantJoint::upcast(joints[i]);
        if (joint && (dataOf(*joint).coupling || hasStepped(*joint))) {
            group.reducedJoints.push_back(joints[i]);
            continue;
        }
        group.bulletJoints.push_back(joints[i]);
        if (joint) {
            group.plainJoints.push_back(joints[i]);
            watchPlainJoint(*joints[i]);
        }
        for (btRigidBody* body : {&joints[i]->getRigidBodyA(), &joints[i]->getRigidBodyB()})
            if (btPliantBody* reduced = btPliantBody::upcast(body)) dataOf(*reduced).hasBulletRows = true;
    }
}

namespace {

/// A tool without mass begins its step at rest, and its velocity is what the force of its coupling makes of it:
/// friction that sticks takes back the mean over the step, which would be half of a way that is made in none.
/// @param turns whether its spin, too: Bullet's own friction, which rigid tools have, does not know of torques
void takeAsForced(bool turns, btSolverBody& frame) {
    frame.m_externalForceImpulse += frame.m_linearVelocity;
    frame.m_linearVelocity.setZero();
    if (!turns) return;
    frame.m_externalTorqueImpulse += frame.m_angularVelocity;
    frame.m_angularVelocity.setZero();
}

}  // namespace

void addJoint(SolverGroup& group, btTypedConstraint& constraint, const BulletSolver& solver,
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
    entry.joint = btPliantJoint::upcast(&constraint);
    const int own = constraint.getOverrideNumSolverIterations();
    entry.iterations = own > 0 ? own : info.m_numIterations;
    solver.mostIterations = btMax(solver.mostIterations, entry.iterations);
    int side = 0;
    for (btRigidBody* body : {&constraint.getRigidBodyA(), &constraint.getRigidBodyB()}) {
        entry.body[side] = solver.solverBodyOf(*body);
        btPliantBody* reduced = btPliantBody::upcast(body);
        if (reduced && dataOf(*reduced).hasStepped) entry.reduced[side] = numberReducedBody(group.contacts, *reduced);
        ++side;
    }
    const auto& coupling = dataOf(*entry.joint).coupling;
    if (coupling && coupling->isPushed) takeAsForced(entry.reduced[0] >= 0, solver.bodies[entry.body[0]]);
    addJointRows(entry, group.contacts.reducedBodies, solver.bodies, info, group.joints);
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

/// Adds the element of the pair that a manifold belongs to.
void describeTouch(SystemData& system, SolverGroup& group, const btPersistentManifold& manifold, int body0, int body1) {
    const auto found = std::find_if(system.pairs.begin(), system.pairs.end(), [&manifold](const ContactPair* pair) {
        return pair->touch && !pair->manifolds.empty() && pair->manifolds.front() == &manifold;
    });
    if (found == system.pairs.end()) return;
    ContactPair& pair = **found;
    const int bodies[2] = {pair.swapped ? body1 : body0, pair.swapped ? body0 : body1};
    int reduced[2] = {-1, -1};
    reduced[0] = numberReducedBody(group.contacts, pair.a);
    if (pair.b) reduced[1] = numberReducedBody(group.contacts, *pair.b);
    addTouch(pair, bodies, reduced, group.touches);
}

void describeContacts(SystemData& system, SolverGroup& group, btPersistentManifold& manifold,
                      const BulletSolver& solver) {
    if (manifold.getNumContacts() == 0) return;
    auto* object0 = const_cast<btCollisionObject*>(manifold.getBody0());
    auto* object1 = const_cast<btCollisionObject*>(manifold.getBody1());
    if (!object0->hasContactResponse() || !object1->hasContactResponse()) return;
    btPliantBody *A = btPliantBody::upcast(object0), *B = btPliantBody::upcast(object1);
    if (A && A == B && !A->getBroadphaseHandle()) return;  // no longer in the world
    ContactDescriptor descriptor;
    descriptor.bodyA = solver.solverBodyOf(*object0);
    descriptor.bodyB = solver.solverBodyOf(*object1);
    if (manifold.m_companionIdA == kTouchManifold) {
        describeTouch(system, group, manifold, descriptor.bodyA, descriptor.bodyB);
        return;
    }
    if (A) descriptor.reducedA = numberReducedBody(group.contacts, *A);
    if (B) descriptor.reducedB = numberReducedBody(group.contacts, *B);
    for (int i = 0; i < manifold.getNumContacts(); ++i) {
        descriptor.point = &manifold.getContactPoint(i);
        group.contacts.descriptors.push_back(descriptor);
    }
}

}  // namespace

void listManifolds(SystemData& system, SolverGroup& group, btPersistentManifold** manifolds, int count) {
    for (int i = 0; i < count; ++i) {
        btPersistentManifold* manifold = manifolds[i];
        const bool ours = btPliantBody::upcast(manifold->getBody0()) || btPliantBody::upcast(manifold->getBody1());
        (ours ? group.reducedManifolds : group.bulletManifolds).push_back(manifold);
    }
    // Bullet's order has a history (of pairs, of sorting what compares equal); a restored world would not have it.
    if (system.world->getDispatchInfo().m_deterministicOverlappingPairs)
        std::sort(group.reducedManifolds.begin(), group.reducedManifolds.end(), comesBefore);
}

void describeContacts(SystemData& system, SolverGroup& group, const BulletSolver& solver) {
    numberReducedBodies(group.reducedManifolds, group.contacts);
    for (btCollisionObject* object : group.contacts.orderedBodies)  // joints of ragdolls that touch nothing have limits
        if (btPliantBody* body = btPliantBody::upcast(object))
            if (dataOf(*body).hasStepped && dataOf(*body).ragdoll()) numberReducedBody(group.contacts, *body);
    for (btPersistentManifold* manifold : group.reducedManifolds) describeContacts(system, group, *manifold, solver);
}

// Bullet's islands hold no constraint between two bodies that it does not move, and no contact of such a body with
// itself; deformations move all the same.
bool listDrivenIsland(SystemData& system, std::vector<btTypedConstraint*>& joints,
                      std::vector<btPersistentManifold*>& manifolds) {
    btDiscreteDynamicsWorld& world = *system.world;
    joints.clear();
    for (int i = 0; i < world.getNumConstraints(); ++i) {
        btTypedConstraint* constraint = world.getConstraint(i);
        const btPliantJoint* joint = btPliantJoint::upcast(constraint);
        if (joint && constraint->isEnabled() && !dataOf(*joint).isSolved && hasStepped(*joint) &&
            constraint->getRigidBodyA().isStaticOrKinematicObject() &&
            constraint->getRigidBodyB().isStaticOrKinematicObject())
            joints.push_back(constraint);
    }
    manifolds.clear();
    for (const btPliantBody* body : system.bodies) {
        const BodyData& data = dataOf(*body);
        if (!data.selfPair || !data.hasStepped || data.frameIsFree) continue;
        for (btPersistentManifold* manifold : data.selfPair->manifolds)
            if (manifold->getNumContacts() > 0) manifolds.push_back(manifold);
    }
    // Bones lead characters into what stands, and into each other.
    for (const ContactPair* pair : system.pairs) {
        if (system.characters.empty()) break;
        if (pair->query || pair->isSelf() || !pair->other->isStaticOrKinematicObject()) continue;
        const bool hasCharacter = dataOf(pair->a).character || (pair->b && dataOf(*pair->b).character);
        const bool hasStepped = dataOf(pair->a).hasStepped || (pair->b && dataOf(*pair->b).hasStepped);
        if (!hasCharacter || !hasStepped || !pair->a.isStaticOrKinematicObject()) continue;
        for (btPersistentManifold* manifold : pair->manifolds)
            if (manifold->getNumContacts() > 0) manifolds.push_back(manifold);
    }
    return !joints.empty() || !manifolds.empty();
}

}  // namespace btPliantInternal
