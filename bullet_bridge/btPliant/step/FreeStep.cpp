// SPDX-License-Identifier: Zlib
// First half of a substep: the deformation of all awake bodies steps freely, before the solver asks for contacts.
#include <algorithm>

#include "btPliant/body/Convert.h"
#include "btPliant/joints/JointConstraints.h"
#include "btPliant/narrowphase/ContactPair.h"
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
    if (data.frameIsFree) data.refreshMomentum();

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
    data.contactForce.setZero();
}

void addPointForces(btPliantBody::Data& data) {
    const Matrix3 A = toEigen(data.body->getWorldTransform().getBasis());
    for (btPliantInternal::PointForce& force : data.forces) {
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
                                     data.contactModal.data());
        data.contactForce += data.contactModal;
    }
}

/// q and h changed under a constant angular momentum (the torque of outside forces is Bullet's to add).
void finishBody(btPliantBody::Data& data, double h) {
    data.stepped = true;
    data.asleep = false;
    data.stepLength = h;
    data.collisionIsStale = true;
    if (!data.frameIsFree) return;
    data.refreshInertia();
    data.velocityFromMomentum();
}

}  // namespace

/// Largest ratio that impulses grow by: those of a very short step are the stops of small motions, not of a load.
constexpr double kLongestGrowth = 16.0;

// The forces go on from substep to substep, not their impulses: a pile that stands in short steps would fall in long
// ones until the sweeps have found the larger impulses.
void btPliantSystem::Data::scaleImpulses(btScalar ratio) {
    for (const btPliantInternal::PairState* pair : pairs)
        for (btPersistentManifold* manifold : pair->manifolds)
            for (int i = 0; i < manifold->getNumContacts(); ++i) {
                btManifoldPoint& point = manifold->getContactPoint(i);
                for (btScalar* impulse : {&point.m_appliedImpulse, &point.m_appliedImpulseLateral1,
                                          &point.m_appliedImpulseLateral2, &point.m_contactMotion1})
                    *impulse *= ratio;
            }
    for (int i = 0; i < world->getNumConstraints(); ++i)
        btPliantInternal::JointRows::scaleImpulses(*world->getConstraint(i), ratio);
}

void btPliantSystem::Data::beginSolve(double h) {
    if (solvedStep > 0 && h != solvedStep)
        scaleImpulses(static_cast<btScalar>(std::min(h / solvedStep, kLongestGrowth)));
    stepLength = solvedStep = h;
    contactsAreFresh = false;
    work.clear();
    for (btPliantBody* body : bodies)
        if (isInWorld(*body) && body->isActive()) work.push_back(body);
    freeStep(work);
}

void btPliantSystem::Data::freeStep(const std::vector<btPliantBody*>& list) {
    if (list.empty() || stepLength <= 0) return;
    btPliantInternal::Stopwatch watch(running.m_deformationSeconds);
    const Vector3 gravity = toEigen(world->getGravity());
    for (const auto& group : groups) group->stepping.clear();
    workers->forBlocks(static_cast<int>(list.size()), 8, [this, &list, &gravity](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantBody::Data& data = list[static_cast<std::size_t>(i)]->data();
            data.takesContactForces = !data.stepped;
            data.firstContactForce = data.lastContactForce = -1;
            if (data.stepped) continue;
            prepareBody(data, stepLength, gravity);
            addPointForces(data);
        }
    });
    for (btPliantBody* body : list)
        if (!body->data().stepped) body->data().group->stepping.push_back(body->data().slot);
    addContactForces(list);
    for (const auto& group : groups) {
        if (group->stepping.empty()) continue;
        std::sort(group->stepping.begin(), group->stepping.end());
        group->batch->step(stepLength, group->stepping, *workers);
    }
    workers->forBlocks(static_cast<int>(list.size()), 8, [this, &list](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantBody::Data& data = list[static_cast<std::size_t>(i)]->data();
            if (!data.stepped) finishBody(data, stepLength);
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
        btPliantInternal::JointRows::addForces(*world->getConstraint(i), solverInfo, stepLength);
    workers->forBlocks(static_cast<int>(list.size()), 8, [this, &list](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantBody::Data& data = list[static_cast<std::size_t>(i)]->data();
            if (!data.takesContactForces) continue;
            data.takesContactForces = false;
            sumContactForces(data, contactForces, stepLength);
            data.batch().addContactForce(data.slot, data.contactForce.data());  // constant, as the impulses are
        }
    });
}

// The impulses are read by all workers; that each body finds its own in the order of the pairs is one thread's work.
void btPliantSystem::Data::listContactForces(btScalar factor) {
    int room = 0;
    for (btPliantInternal::PairState* pair : pairs) {
        pair->firstForce = room;
        room += 2 * MANIFOLD_CACHE_SIZE * static_cast<int>(pair->manifolds.size());
    }
    if (contactForces.size() < static_cast<std::size_t>(room)) contactForces.resize(static_cast<std::size_t>(room));
    workers->forBlocks(static_cast<int>(pairs.size()), 64, [this, factor](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantInternal::PairState::fetchForPoints(pairs, i);
            pairs[static_cast<std::size_t>(i)]->listForces(factor);
        }
    });
    for (const btPliantInternal::PairState* pair : pairs)
        for (int i = pair->firstForce; i < pair->firstForce + pair->forceCount; ++i) {
            btPliantBody::Data& data = contactForces[static_cast<std::size_t>(i)].body->data();
            if (data.lastContactForce >= 0)
                contactForces[static_cast<std::size_t>(data.lastContactForce)].next = i;
            else
                data.firstContactForce = i;
            data.lastContactForce = i;
        }
}

void btPliantInternal::PairState::listForces(btScalar factor) {
    forceCount = 0;
    const auto add = [this](const btCollisionObject* object, int segment, int part, const btVector3& impulse) {
        auto* body = const_cast<btPliantBody*>(btPliantBody::upcast(object));
        if (body && body->data().takesContactForces)
            system.contactForces[static_cast<std::size_t>(firstForce + forceCount++)] = {impulse, body, segment, part,
                                                                                         -1};
    };
    for (const btPersistentManifold* manifold : manifolds)
        for (int i = 0; i < manifold->getNumContacts(); ++i) {
            const btManifoldPoint& point = manifold->getContactPoint(i);
            if (point.m_appliedImpulse == btScalar(0)) continue;
            const btVector3 impulse = warmImpulse(point, factor);
            add(manifold->getBody0(), point.m_index0, point.m_partId0, impulse);
            add(manifold->getBody1(), point.m_index1, point.m_partId1, -impulse);
        }
}

void btPliantSystem::Data::endSolve() {
    btPliantInternal::Stopwatch watch(running.m_deformationSeconds);
    work.clear();
    for (btPliantBody* body : bodies)
        if (body->data().stepped) work.push_back(body);
    workers->forBlocks(static_cast<int>(work.size()), 8, [this](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantBody::Data& data = work[static_cast<std::size_t>(i)]->data();
            data.settleEnergy();
            if (!data.frameIsFree) continue;
            data.refreshInertia();
            data.midstepVelocityFromMomentum(stepLength);
        }
    });
}
