// SPDX-License-Identifier: Zlib
// First half of a substep: the deformation of all awake bodies steps freely, before the solver asks for contacts.
#include <algorithm>

#include "btPliant/body/Convert.h"
#include "btPliant/joints/JointConstraints.h"
#include "btPliant/narrowphase/PairPrefetch.h"
#include "btPliant/step/SystemData.h"

using btPliantInternal::ContactForce;
using btPliantInternal::toBullet;
using btPliantInternal::toEigen;
using pliant::Matrix3;
using pliant::Vector3;

namespace {

/// Inputs of the step: frame and gravity.
void prepareBody(btPliantBody::Data& data, double h, const Vector3& gravity) {
    btPliantBody& body = *data.body;
    const Matrix3 A = toEigen(body.getWorldTransform().getBasis());
    data.startLinearVelocity = body.getLinearVelocity();
    data.startAngularVelocity = body.getAngularVelocity();
    data.previousQ = data.batch().q(data.slot);
    if (data.frameIsFree) data.updateMomentum();

    pliant::FrameMotion frame;
    frame.rotation = A;
    frame.driven = !data.frameIsFree;
    frame.angularVelocity = A.transpose() * toEigen(body.getAngularVelocity());
    // A free frame falls with gravity and D_j is zero for its basis; a driven one holds the body against gravity.
    if (!data.frameIsFree) {
        const Vector3 driven = toEigen(btVector3(body.getLinearVelocity() - data.lastLinearVelocity)) / h;
        frame.acceleration = A.transpose() * (driven - gravity);
    }
    data.lastLinearVelocity = body.getLinearVelocity();
    data.batch().setFrame(data.slot, frame);
    data.modalContactForce.setZero();
}

void addPointForces(btPliantBody::Data& data) {
    const Matrix3 A = toEigen(data.body->getWorldTransform().getBasis());
    for (btPliantInternal::PointForce& force : data.pointForces) {
        data.batch().addForceAt(data.slot, force.point, A.transpose() * toEigen(force.force));
        force.consumed = true;
    }
}

/// Sums U_s' P / h of the contacts of a body.
void sumContactForces(btPliantBody::Data& data, const std::vector<ContactForce>& forces, double h) {
    const Matrix3 toBody = toEigen(data.body->getWorldTransform().getBasis()).transpose();
    for (int i = data.firstContactForce; i >= 0; i = forces[static_cast<std::size_t>(i)].next) {
        const ContactForce& force = forces[static_cast<std::size_t>(i)];
        pliant::skeletonPointProject(*data.group->collision, force.segment,
                                     btPliantInternal::decodeParameter(force.part), toBody * toEigen(force.impulse) / h,
                                     data.contactProjection.data());
        data.modalContactForce += data.contactProjection;
    }
}

/// q and h changed under a constant angular momentum (the torque of outside forces is Bullet's to add).
void finishBody(btPliantBody::Data& data, double h) {
    data.hasStepped = true;
    data.isAsleep = false;
    data.stepLength = h;
    data.collisionIsOutdated = true;
    if (!data.frameIsFree) return;
    data.updateInertia();
    data.updateAngularVelocity();
}

}  // namespace

/// Largest ratio that impulses grow by: those of a very short step are the stops of small motions, not of a load.
constexpr double kLongestGrowth = 16.0;

// The forces are kept from substep to substep, not their impulses: a pile that stands in short steps would fall in long
// ones until the iterations have found the larger impulses.
void btPliantSystem::Data::scaleImpulses(btScalar ratio) {
    for (const btPliantInternal::ContactPair* pair : pairs)
        for (btPersistentManifold* manifold : pair->manifolds)
            for (int i = 0; i < manifold->getNumContacts(); ++i) {
                btManifoldPoint& point = manifold->getContactPoint(i);
                for (btScalar* impulse : {&point.m_appliedImpulse, &point.m_appliedImpulseLateral1,
                                          &point.m_appliedImpulseLateral2, &point.m_contactMotion1})
                    *impulse *= ratio;
            }
    for (int i = 0; i < world->getNumConstraints(); ++i)
        btPliantInternal::JointConstraints::scaleImpulses(*world->getConstraint(i), ratio);
}

void btPliantSystem::Data::beginSolve(double h) {
    if (lastSolvedStep > 0 && h != lastSolvedStep)
        scaleImpulses(static_cast<btScalar>(std::min(h / lastSolvedStep, kLongestGrowth)));
    stepLength = lastSolvedStep = h;
    contactsAreFound = false;
    work.clear();
    for (btPliantBody* body : bodies)
        if (isInWorld(*body) && body->isActive()) work.push_back(body);
    freeStep(work);
}

void btPliantSystem::Data::freeStep(const std::vector<btPliantBody*>& list) {
    if (list.empty() || stepLength <= 0) return;
    btPliantInternal::Stopwatch watch(substepStats.m_deformationSeconds);
    const Vector3 gravity = toEigen(world->getGravity());
    for (const auto& group : groups) group->steppingSlots.clear();
    workers->forBlocks(static_cast<int>(list.size()), 8, [this, &list, &gravity](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantBody::Data& data = list[static_cast<std::size_t>(i)]->data();
            data.awaitsContactForces = !data.hasStepped;
            data.firstContactForce = data.lastContactForce = -1;
            if (data.hasStepped) continue;
            prepareBody(data, stepLength, gravity);
            addPointForces(data);
        }
    });
    for (btPliantBody* body : list)
        if (!body->data().hasStepped) body->data().group->steppingSlots.push_back(body->data().slot);
    addContactForces(list);
    for (const auto& group : groups) {
        if (group->steppingSlots.empty()) continue;
        std::sort(group->steppingSlots.begin(), group->steppingSlots.end());
        group->batch->step(stepLength, group->steppingSlots, *workers);
    }
    workers->forBlocks(static_cast<int>(list.size()), 8, [this, &list](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantBody::Data& data = list[static_cast<std::size_t>(i)]->data();
            if (!data.hasStepped) finishBody(data, stepLength);
        }
    });
}

// The deformation of a body under load steps with the contact forces of the last substep (the solver's warm start)
// acting on it. Without them a squeezed body would spring through its supports, and the contacts would have to push it
// back by a linear response over a distance at which its elasticity is far from linear.
void btPliantSystem::Data::addContactForces(const std::vector<btPliantBody*>& list) {
    const btContactSolverInfo& solverInfo = world->getSolverInfo();
    if (!(solverInfo.m_solverMode & SOLVER_USE_WARMSTARTING)) return;
    listContactForces(solverInfo.m_warmstartingFactor);
    for (int i = 0; i < world->getNumConstraints(); ++i)
        btPliantInternal::JointConstraints::addForces(*world->getConstraint(i), solverInfo, stepLength);
    workers->forBlocks(static_cast<int>(list.size()), 8, [this, &list](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantBody::Data& data = list[static_cast<std::size_t>(i)]->data();
            if (!data.awaitsContactForces) continue;
            data.awaitsContactForces = false;
            sumContactForces(data, contactForces, stepLength);
            data.batch().addContactForce(data.slot, data.modalContactForce.data());  // constant, as the impulses are
        }
    });
}

namespace {

/// What the impulses of a pair's contacts in the last substep do in the coming one to bodies that take it; may run on
/// any thread.
void listContactForces(btPliantInternal::ContactPair& pair, btScalar factor) {
    pair.contactForceCount = 0;
    const auto add = [&pair](const btCollisionObject* object, int segment, int part, const btVector3& impulse) {
        auto* body = const_cast<btPliantBody*>(btPliantBody::upcast(object));
        if (body && body->data().awaitsContactForces)
            pair.system.contactForces[static_cast<std::size_t>(pair.firstContactForce + pair.contactForceCount++)] = {
                impulse, body, segment, part, -1};
    };
    for (const btPersistentManifold* manifold : pair.manifolds)
        for (int i = 0; i < manifold->getNumContacts(); ++i) {
            const btManifoldPoint& point = manifold->getContactPoint(i);
            if (point.m_appliedImpulse == btScalar(0)) continue;
            const btVector3 impulse = btPliantInternal::warmStartImpulse(point, factor);
            add(manifold->getBody0(), point.m_index0, point.m_partId0, impulse);
            add(manifold->getBody1(), point.m_index1, point.m_partId1, -impulse);
        }
}

}  // namespace

// The impulses are read by all workers; that each body finds its own in the order of the pairs is one thread's work.
void btPliantSystem::Data::listContactForces(btScalar factor) {
    int room = 0;
    for (btPliantInternal::ContactPair* pair : pairs) {
        pair->firstContactForce = room;
        room += 2 * MANIFOLD_CACHE_SIZE * static_cast<int>(pair->manifolds.size());
    }
    if (contactForces.size() < static_cast<std::size_t>(room)) contactForces.resize(static_cast<std::size_t>(room));
    workers->forBlocks(static_cast<int>(pairs.size()), 64, [this, factor](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantInternal::prefetchForPoints(pairs, i);
            ::listContactForces(*pairs[static_cast<std::size_t>(i)], factor);
        }
    });
    for (const btPliantInternal::ContactPair* pair : pairs)
        for (int i = pair->firstContactForce; i < pair->firstContactForce + pair->contactForceCount; ++i) {
            btPliantBody::Data& data = contactForces[static_cast<std::size_t>(i)].body->data();
            if (data.lastContactForce >= 0)
                contactForces[static_cast<std::size_t>(data.lastContactForce)].next = i;
            else
                data.firstContactForce = i;
            data.lastContactForce = i;
        }
}

void btPliantSystem::Data::endSolve() {
    btPliantInternal::Stopwatch watch(substepStats.m_deformationSeconds);
    work.clear();
    for (btPliantBody* body : bodies)
        if (body->data().hasStepped) work.push_back(body);
    workers->forBlocks(static_cast<int>(work.size()), 8, [this](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantBody::Data& data = work[static_cast<std::size_t>(i)]->data();
            data.settleEnergy();
            if (!data.frameIsFree) continue;
            data.updateInertia();
            data.updateMidstepAngularVelocity(stepLength);
        }
    });
}
