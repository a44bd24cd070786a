// SPDX-License-Identifier: Zlib
// Second half of a substep, after Bullet has integrated the frames: momentum, sleeping, bounds for the next broadphase.
#include <algorithm>

#include "btPliant/body/Convert.h"
#include "btPliant/step/SystemData.h"

using btPliantInternal::toBullet;
using btPliantInternal::toEigen;

namespace {

/// Deformation comes to rest together with the frame: q' = q'' = 0, q stays as the contacts hold it.
void putToSleep(btPliantBody::Data& data) {
    data.batch().velocity(data.slot).setZero();
    data.batch().acceleration(data.slot).setZero();
    data.momentumIsKnown = false;
    data.isAsleep = true;
}

double deformationEnergyPerMass(const btPliantBody::Data& data) {
    return 0.5 * data.batch().velocity(data.slot).squaredNorm() / data.model().totalMass();
}

/// Bullet knows the frame's velocity only: keep it from dozing off while q moves, let driven frames doze when q rests.
void updateSleep(btPliantBody::Data& data, double threshold) {
    btPliantBody& body = *data.body;
    const int state = body.getActivationState();
    if (state == DISABLE_DEACTIVATION || state == DISABLE_SIMULATION) return;
    if (deformationEnergyPerMass(data) > threshold) {
        if (state == WANTS_DEACTIVATION) body.setActivationState(ACTIVE_TAG);
        if (state == ISLAND_SLEEPING) body.activate(true);
        body.setDeactivationTime(0);
    }
}

}  // namespace

void btPliantBody::Data::recordSubstepMotion() {
    substepTravel = deformed->motionBound() - travelBefore;
    travelBefore = deformed->motionBound();
    substepRelativeMotionBound = deformed->relativeMotionBound() - relativeMotionBoundBefore;
    relativeMotionBoundBefore = deformed->relativeMotionBound();
}

void btPliantSystem::Data::resetSleepingBodies() {
    for (btPliantBody* body : bodies) {
        btPliantBody::Data& data = body->data();
        if (!isInWorld(*body) || body->isActive() || data.isAsleep) continue;
        if (data.hasStepped && !data.frameIsFree) continue;  // beside something that is awake
        if (data.hasStepped) data.batch().q(data.slot) = data.previousQ;
        putToSleep(data);
        if (data.frameIsFree) {
            body->setLinearVelocity(btVector3(0, 0, 0));
            body->setAngularVelocity(btVector3(0, 0, 0));
        }
        data.collisionIsOutdated = true;
        data.hasStepped = false;
    }
}

void btPliantSystem::Data::endSubstep() {
    if (!solver) return;
    {
        btPliantInternal::Stopwatch watch(substepStats.m_deformationSeconds);
        resetSleepingBodies();
        work.clear();
        for (btPliantBody* body : bodies)
            if (body->data().hasStepped) work.push_back(body);
        for (btPliantBody* body : work) body->data().fadeDetail(stepLength);
        workers->forBlocks(static_cast<int>(work.size()), 8, [this](int begin, int end) {
            for (int i = begin; i < end; ++i) {
                btPliantBody& body = *work[static_cast<std::size_t>(i)];
                if (body.data().frameIsFree) body.data().updateAngularVelocity();
                body.setInterpolationAngularVelocity(body.getAngularVelocity());
                updateSleep(body.data(), info.m_sleepingEnergy);
                body.data().hasStepped = false;
            }
        });
        listBodiesInWorld();
        updateCollisionBodies(true);
        for (btPliantBody* body : bodies)
            if (!isInWorld(*body)) body->data().recordSubstepMotion();
    }
    {
        btPliantInternal::Stopwatch watch(substepStats.m_collisionSeconds);
        findSelfContacts();
    }
    collectContactStats();
    const btPliantStats sums = accumulated;
    stats = accumulated = substepStats;
    accumulated.m_deformationSeconds += sums.m_deformationSeconds;
    accumulated.m_collisionSeconds += sums.m_collisionSeconds;
    accumulated.m_contactSolveSeconds += sums.m_contactSolveSeconds;
    substepStats = btPliantStats();
    energiesAreMeasured = false;
}
