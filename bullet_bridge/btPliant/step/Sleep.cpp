// SPDX-License-Identifier: Zlib
#include "btPliant/step/Sleep.h"

#include "btPliant/body/Ragdolls.h"

namespace btPliantInternal {

namespace {

/// Deformation comes to rest together with the frame: q' = q'' = 0, q stays as the contacts hold it.
void putToSleep(BodyData& data) {
    data.batch().velocity(data.slot).setZero();
    data.batch().acceleration(data.slot).setZero();
    data.momentumIsKnown = false;
    data.isAsleep = true;
}

double deformationEnergyPerMass(const BodyData& data) {
    return 0.5 * data.batch().velocity(data.slot).squaredNorm() / data.model().totalMass();
}

/// Bullet knows the frame's velocity only: keep it from dozing off while q moves, let driven frames doze when q rests.
void updateSleep(BodyData& data, double threshold) {
    btPliantBody& body = *data.body;
    const int state = body.getActivationState();
    if (state == DISABLE_DEACTIVATION || state == DISABLE_SIMULATION) return;
    // A clip that pauses goes on afterwards.
    const bool goesOn =
        data.ragdoll() ? isFastRagdoll(data)
                       : data.character &&
                             (data.character->isMoving || (data.character->clip >= 0 && data.character->speed != 0.0));
    if (goesOn || deformationEnergyPerMass(data) > threshold) {
        if (state == WANTS_DEACTIVATION) body.setActivationState(ACTIVE_TAG);
        if (state == ISLAND_SLEEPING) body.activate(true);
        body.setDeactivationTime(0);
    }
}

}  // namespace

void putSleepersToRest(SystemData& system) {
    for (btPliantBody* body : system.bodies) {
        BodyData& data = dataOf(*body);
        if (!system.isInWorld(*body) || body->isActive() || data.isAsleep) continue;
        if (data.hasStepped && !data.frameIsFree && !data.ragdoll()) continue;  // beside something that is awake
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

void keepAwakeWhatDeforms(SystemData& system) {
    system.workers->forBlocks(static_cast<int>(system.work.size()), 8, [&system](int begin, int end) {
        for (int i = begin; i < end; ++i)
            updateSleep(dataOf(*system.work[static_cast<std::size_t>(i)]), system.info.m_sleepingEnergy);
    });
}

}  // namespace btPliantInternal
