// SPDX-License-Identifier: Zlib
// First half of a substep: the deformation of all awake bodies steps freely, before the solver asks for contacts.
#include "btPliant/step/FreeStep.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "btPliant/body/CharacterPoses.h"
#include "btPliant/body/Ragdolls.h"
#include "btPliant/data/BodyCollision.h"
#include "btPliant/data/BodyMomentum.h"
#include "btPliant/data/BodyPlace.h"
#include "btPliant/data/ContactPair.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/ManifoldPoint.h"
#include "btPliant/data/Stopwatch.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/joints/JointConstraints.h"
#include "btPliant/joints/JointForces.h"
#include "btPliant/step/ContestedJoints.h"

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::Vector3;

namespace {

/// Inputs of the step: frame and gravity.
void prepareBody(BodyData& data, double h, const Vector3& gravity) {
    btPliantBody& body = *data.body;
    const Matrix3 A = toEigen(body.getWorldTransform().getBasis());
    data.startLinearVelocity = body.getLinearVelocity();
    data.startAngularVelocity = body.getAngularVelocity();
    data.previousQ = data.batch().q(data.slot);
    data.steppedSubstep = dataOf(*data.system).substep;
    if (data.frameIsFree) updateMomentum(data);

    pliant::FrameMotion frame;
    if (data.character) {  // what its bones do to the flesh comes as forces (addSkinForces)
        frame.driven = true;
        data.lastLinearVelocity = body.getLinearVelocity();
        forgetImpulses(*data.character);
        data.batch().setFrame(data.slot, frame);
        data.modalContactForce.setZero();
        if (data.ragdoll()) beginFall(data, gravity);
        return;
    }
    frame.rotation = A;
    const bool isInHand = data.handInertia > 0.0;  // the deformation feels nothing of such a frame
    frame.driven = !data.frameIsFree || isInHand;
    if (!isInHand) frame.angularVelocity = A.transpose() * toEigen(body.getAngularVelocity());
    // A free frame falls with gravity and D_j is zero for its basis; a driven one holds the body against gravity.
    if (!data.frameIsFree) {
        const Vector3 driven = toEigen(btVector3(body.getLinearVelocity() - data.lastLinearVelocity)) / h;
        frame.acceleration = A.transpose() * (driven - gravity);
    }
    data.lastLinearVelocity = body.getLinearVelocity();
    data.batch().setFrame(data.slot, frame);
    data.modalContactForce.setZero();
}

void addPointForces(BodyData& data) {
    const Matrix3 A = toEigen(data.body->getWorldTransform().getBasis());
    for (PointForce& force : data.pointForces) {
        const Matrix3 turn = data.character ? turnOf(data, force.point) : A;
        data.batch().addForceAt(data.slot, force.point, turn.transpose() * toEigen(force.force));
        force.consumed = true;
    }
}

/// Sums U_s' P / h of the contacts of a body.
void sumContactForces(BodyData& data, const std::vector<ContactForce>& forces, double h) {
    const Matrix3 toBody = toEigen(data.body->getWorldTransform().getBasis()).transpose();
    for (int i = data.firstContactForce; i >= 0; i = forces[static_cast<std::size_t>(i)].next) {
        const ContactForce& force = forces[static_cast<std::size_t>(i)];
        if (data.character) {
            pliant::skinnedPointProject(*data.deformed, force.segment, decodeParameter(force.part),
                                        toEigen(force.impulse) / h, data.contactProjection.data());
            data.modalContactForce += data.contactProjection;
            continue;
        }
        pliant::skeletonPointProject(*data.group->collision, force.segment, decodeParameter(force.part),
                                     toBody * toEigen(force.impulse) / h, data.contactProjection.data());
        data.modalContactForce += data.contactProjection;
    }
}

/// q and h changed under a constant angular momentum (the torque of outside forces is Bullet's to add).
void finishBody(BodyData& data, double h) {
    data.hasStepped = true;
    data.isAsleep = false;
    data.stepLength = h;
    data.collisionIsOutdated = true;
    if (data.ragdoll()) fallFreely(data, h);
    if (!data.frameIsFree) return;
    updateInertia(data);
    updateAngularVelocity(data);
}

/// What the impulses of a pair's contacts in the last substep do in the coming one to bodies that take it; may run on
/// any thread.
void listContactForces(ContactPair& pair, bool repeated, btScalar factor) {
    pair.contactForceCount = 0;
    if (pair.touch && pair.system.solver)
        return;  // the element starts from nothing: it solves for all of its points at once
    if (dataOf(pair.a).ragdoll() || (pair.b && dataOf(*pair.b).ragdoll())) return;  // as rows of ragdolls do
    const auto add = [&pair](const btCollisionObject* object, int segment, int part, const btVector3& impulse) {
        auto* body = const_cast<btPliantBody*>(btPliantBody::upcast(object));
        if (body && dataOf(*body).awaitsContactForces)
            pair.system.contactForces[static_cast<std::size_t>(pair.firstContactForce + pair.contactForceCount++)] = {
                impulse, body, segment, part, -1};
    };
    for (const btPersistentManifold* manifold : pair.manifolds)
        for (int i = 0; i < manifold->getNumContacts(); ++i) {
            const btManifoldPoint& point = manifold->getContactPoint(i);
            if (point.m_appliedImpulse == btScalar(0)) continue;
            const btVector3 impulse = repeated ? warmStartImpulse(point, factor) : wholeImpulse(point);
            add(manifold->getBody0(), point.m_index0, point.m_partId0, impulse);
            add(manifold->getBody1(), point.m_index1, point.m_partId1, -impulse);
        }
}

// The impulses are read by all workers; that each body finds its own in the order of the pairs is one thread's work.
void listContactForces(SystemData& system, bool repeated, btScalar factor) {
    int room = 0;
    for (ContactPair* pair : system.pairs) {
        pair->firstContactForce = room;
        room += 2 * MANIFOLD_CACHE_SIZE * static_cast<int>(pair->manifolds.size());
    }
    if (system.contactForces.size() < static_cast<std::size_t>(room))
        system.contactForces.resize(static_cast<std::size_t>(room));
    const auto listPairs = [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            listContactForces(*system.pairs[static_cast<std::size_t>(i)], repeated, factor);
        }
    };
    system.workers->forBlocks(static_cast<int>(system.pairs.size()), 64, std::cref(listPairs));
    for (const ContactPair* pair : system.pairs)
        for (int i = pair->firstContactForce; i < pair->firstContactForce + pair->contactForceCount; ++i) {
            BodyData& data = dataOf(*system.contactForces[static_cast<std::size_t>(i)].body);
            if (data.lastContactForce >= 0)
                system.contactForces[static_cast<std::size_t>(data.lastContactForce)].next = i;
            else
                data.firstContactForce = i;
            data.lastContactForce = i;
        }
}

/// Whether a body is about to strike something, or to be struck, by more than what a step of gravity gives a body that
/// lies still.
bool isStruck(const btPliantBody* body, double step) {
    constexpr double steps = 3.0;
    if (!body) return false;
    const double speed = dataOf(*body).struckSpeed;
    return speed > 0.0 && speed > steps * step * static_cast<double>(body->getGravity().length());
}

/// Contacts of solids that are struck (narrowphase/StruckBodies.h) begin without their last impulses, which are those
/// of an impact and not of a load: where it lasts for several steps, what has pressed a thin plate would be repeated
/// into one that has turned round. Projected Gauss-Seidel lowers the energy that the contacts give from where it
/// begins; what is left of a start above none stays in the motion.
void forgetImpactImpulses(const SystemData& system) {
    for (const ContactPair* pair : system.pairs)
        if (isStruck(&pair->a, system.stepLength) || isStruck(pair->b, system.stepLength))
            for (btPersistentManifold* manifold : pair->manifolds)
                for (int i = 0; i < manifold->getNumContacts(); ++i)
                    manifold->getContactPoint(i).m_contactMotion1 = 0;  // see warmStartShare
}

// The deformation of a body under load steps with the contact forces of the last substep (the solver's warm start)
// acting on it. Without them a squeezed body would spring through its supports, and the contacts would have to push it
// back by a linear response over a distance at which its elasticity is far from linear.
// Bullet's own solver has solved before the deformation steps: these are the impulses of the same substep, all of them.
void addContactForces(SystemData& system, const std::vector<btPliantBody*>& list) {
    const btContactSolverInfo& solverInfo = system.world->getSolverInfo();
    const bool repeated = system.solver != nullptr;
    if (repeated && !(solverInfo.m_solverMode & SOLVER_USE_WARMSTARTING)) return;
    if (repeated) forgetImpactImpulses(system);
    static thread_local std::vector<const btTypedConstraint*> contested;
    contested.clear();
    if (repeated) findContestedJoints(system, contested);
    listContactForces(system, repeated, solverInfo.m_warmstartingFactor);
    for (int i = 0; i < system.world->getNumConstraints(); ++i) {
        btTypedConstraint* joint = system.world->getConstraint(i);
        const bool isContested = std::binary_search(contested.begin(), contested.end(), joint);
        addJointForces(*joint, solverInfo, system.stepLength, !isContested);
    }
    system.workers->forBlocks(static_cast<int>(list.size()), 8, [&system, &list](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            BodyData& data = dataOf(*list[static_cast<std::size_t>(i)]);
            if (!data.awaitsContactForces) continue;
            data.awaitsContactForces = false;
            sumContactForces(data, system.contactForces, system.stepLength);
            data.batch().addContactForce(data.slot, data.modalContactForce.data());  // constant, as the impulses are
        }
    });
}

/// Tells bodies that are about to step, and whose integrator asks for it, that rows will act on them: of the points
/// that the last detection has kept, so that a contact's first substep is not told of, and of joints. What sleeps is
/// told nothing, which it would remember when it wakes. Bullet's own solver has no rows of the deformation.
void expectImpulses(SystemData& system) {
    const auto asks = [](const btPliantBody* body) { return body && asksForImpulses(dataOf(*body)); };
    if (!system.solver || std::none_of(system.bodies.begin(), system.bodies.end(), asks)) return;
    const auto expect = [&asks](btPliantBody* body) {
        if (asks(body) && dataOf(*body).awaitsContactForces) dataOf(*body).batch().expectImpulses(dataOf(*body).slot);
    };
    for (const ContactPair* pair : system.pairs) {
        const auto& manifolds = pair->manifolds;
        if (std::all_of(manifolds.begin(), manifolds.end(), [](const auto* m) { return m->getNumContacts() == 0; }))
            continue;
        expect(&pair->a);
        expect(pair->b);
    }
    for (int i = 0; i < system.world->getNumConstraints(); ++i) {
        btPliantJoint* joint = btPliantJoint::upcast(system.world->getConstraint(i));
        if (!joint || !system.world->getConstraint(i)->isEnabled()) continue;
        const JointData& data = dataOf(*joint);
        for (const JointSide& side : data.sides) expect(side.reduced);
        for (const auto& point : data.points)
            for (const JointSide& side : point->sides) expect(side.reduced);
    }
}

}  // namespace

void sumLastContactForces(SystemData& system, const std::vector<btPliantBody*>& list) {
    const auto forList = [&system, &list](const auto& each) {
        system.workers->forBlocks(static_cast<int>(list.size()), 8, [&list, &each](int begin, int end) {
            for (int i = begin; i < end; ++i) each(dataOf(*list[static_cast<std::size_t>(i)]));
        });
    };
    forList([](BodyData& data) {
        data.awaitsContactForces = true;
        data.firstContactForce = data.lastContactForce = -1;
        data.modalContactForce.setZero();
    });
    listContactForces(system, true, btScalar(1));
    forList([&system](BodyData& data) {
        data.awaitsContactForces = false;
        sumContactForces(data, system.contactForces, system.stepLength);
    });
}

void freeStep(SystemData& system, const std::vector<btPliantBody*>& list) {
    if (list.empty() || system.stepLength <= 0) return;
    Stopwatch watch(system.substepStats.m_deformationSeconds);
    const Vector3 gravity = toEigen(system.world->getGravity());
    for (const auto& group : system.groups) group->steppingSlots.clear();
    const auto prepareBodies = [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            BodyData& data = dataOf(*list[static_cast<std::size_t>(i)]);
            data.awaitsContactForces = !data.hasStepped;
            data.firstContactForce = data.lastContactForce = -1;
            if (data.hasStepped) continue;
            prepareBody(data, system.stepLength, gravity);
            if (!data.ragdoll()) addPointForces(data);
        }
    };
    system.workers->forBlocks(static_cast<int>(list.size()), 8, std::cref(prepareBodies));
    for (btPliantBody* body : list)
        if (!dataOf(*body).hasStepped) dataOf(*body).group->steppingSlots.push_back(dataOf(*body).slot);
    expectImpulses(system);
    addContactForces(system, list);
    addSkinForces(system, list);
    for (const auto& group : system.groups) {
        if (group->steppingSlots.empty()) continue;
        std::sort(group->steppingSlots.begin(), group->steppingSlots.end());
        group->batch->step(system.stepLength, group->steppingSlots, *system.workers);
    }
    system.workers->forBlocks(static_cast<int>(list.size()), 8, [&system, &list](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            BodyData& data = dataOf(*list[static_cast<std::size_t>(i)]);
            data.awaitsContactForces = false;  // as it stands where nothing starts from the last substep
            if (!data.hasStepped) finishBody(data, system.stepLength);
        }
    });
}

namespace {

/// Largest ratio that impulses grow by: those of a very short step are the stops of small motions, not of a load.
constexpr double kLongestGrowth = 16.0;

// The forces are kept from substep to substep, not their impulses: a pile that stands in short steps would fall in long
// ones until the iterations have found the larger impulses.
void scaleImpulses(SystemData& system, btScalar ratio) {
    for (const ContactPair* pair : system.pairs)
        for (btPersistentManifold* manifold : pair->manifolds)
            for (int i = 0; i < manifold->getNumContacts(); ++i) {
                btManifoldPoint& point = manifold->getContactPoint(i);
                for (btScalar* impulse : {&point.m_appliedImpulse, &point.m_appliedImpulseLateral1,
                                          &point.m_appliedImpulseLateral2, &point.m_contactMotion1})
                    *impulse *= ratio;
            }
    for (int i = 0; i < system.world->getNumConstraints(); ++i)
        scaleJointImpulses(*system.world->getConstraint(i), ratio);
}

}  // namespace

void stepActiveBodies(SystemData& system, double h) {
    if (system.lastSolvedStep > 0 && h > 0 && h != system.lastSolvedStep)
        scaleImpulses(system, static_cast<btScalar>(std::min(h / system.lastSolvedStep, kLongestGrowth)));
    system.stepLength = h;
    if (h > 0) system.lastSolvedStep = h;
    system.contactsAreFound = false;
    system.work.clear();
    for (btPliantBody* body : system.bodies)
        if (system.isInWorld(*body) && body->isActive()) system.work.push_back(body);
    freeStep(system, system.work);
}

}  // namespace btPliantInternal
