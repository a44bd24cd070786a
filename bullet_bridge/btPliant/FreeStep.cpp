// SPDX-License-Identifier: Zlib
// First half of a substep: the deformation of all awake bodies steps freely, before the solver asks for contacts.
#include <algorithm>

#include "btPliant/Convert.h"
#include "btPliant/SystemData.h"

using btPliantInternal::toBullet;
using btPliantInternal::toEigen;
using pliant::Matrix3;
using pliant::Vector3;

namespace {

/// Inputs of the step: frame, gravity and point forces.
void prepareBody(btPliantBody::Data& data, double h, const Vector3& gravity) {
    btPliantBody& body = *data.body;
    const Matrix3 A = toEigen(body.getWorldTransform().getBasis());
    data.startLinearVelocity = body.getLinearVelocity();
    data.startAngularVelocity = body.getAngularVelocity();
    data.previousQ = data.batch().q(data.slot);
    if (data.frameIsFree) data.refreshMomentum();

    pliant::FrameMotion frame;
    frame.rotation = A;
    frame.angularVelocity = A.transpose() * toEigen(body.getAngularVelocity());
    // A free frame falls with gravity and D_j is zero for its basis; a driven one holds the body against gravity.
    if (!data.frameIsFree) {
        const Vector3 driven = toEigen(btVector3(body.getLinearVelocity() - data.lastLinearVelocity)) / h;
        frame.acceleration = A.transpose() * (driven - gravity);
    }
    data.lastLinearVelocity = body.getLinearVelocity();
    data.batch().setFrame(data.slot, frame);
    for (btPliantInternal::PointForce& force : data.forces) {
        data.batch().addForceAt(data.slot, force.point, A.transpose() * toEigen(force.force));
        force.consumed = true;
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

void btPliantSystem::Data::beginSolve(double h) {
    stepLength = h;
    substepOpen = true;
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
    for (btPliantBody* body : list) {
        if (body->data().stepped) continue;
        prepareBody(body->data(), stepLength, gravity);
        body->data().group->stepping.push_back(body->data().slot);
    }
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

void btPliantSystem::Data::endSolve() {
    btPliantInternal::Stopwatch watch(running.m_deformationSeconds);
    work.clear();
    for (btPliantBody* body : bodies)
        if (body->data().stepped && body->data().frameIsFree) work.push_back(body);
    workers->forBlocks(static_cast<int>(work.size()), 8, [this](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantBody::Data& data = work[static_cast<std::size_t>(i)]->data();
            data.refreshInertia();
            data.midstepVelocityFromMomentum(stepLength);
        }
    });
}
