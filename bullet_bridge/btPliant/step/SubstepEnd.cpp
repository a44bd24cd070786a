// SPDX-License-Identifier: Zlib
#include "btPliant/step/SubstepEnd.h"

#include "btPliant/body/LevelOfDetail.h"
#include "btPliant/data/BodyCollision.h"
#include "btPliant/data/BodyMomentum.h"
#include "btPliant/data/Stopwatch.h"
#include "btPliant/narrowphase/FindContacts.h"

namespace btPliantInternal {

namespace {

void listSteppedBodies(SystemData& system) {
    system.work.clear();
    for (btPliantBody* body : system.bodies)
        if (dataOf(*body).hasStepped) system.work.push_back(body);
}

bool isSettled(const BodyData& data) {
    return !data.ragdoll();  // the account of those is that of limbs and flesh (RagdollWork.h)
}

void prepareStruckBodies(SystemData& system) {
    for (const auto& group : system.groups) {
        group->struckSlots.clear();
        group->struckSlots.reserve(group->steppingSlots.capacity());
    }
    for (btPliantBody* body : system.work) {
        const BodyData& data = dataOf(*body);
        if (isSettled(data) && data.batch().wasStruck(data.slot)) data.group->struckSlots.push_back(data.slot);
    }
    for (const auto& group : system.groups)
        if (!group->struckSlots.empty()) group->batch->prepareToSettle(group->struckSlots, *system.workers);
}

}  // namespace

void settleBodies(SystemData& system) {
    listSteppedBodies(system);
    prepareStruckBodies(system);
    system.workers->forBlocks(static_cast<int>(system.work.size()), 8, [&system](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            BodyData& data = dataOf(*system.work[static_cast<std::size_t>(i)]);
            if (isSettled(data)) settleEnergy(data);
            if (!data.frameIsFree) continue;
            updateInertia(data);
            updateMidstepAngularVelocity(data, system.stepLength);
        }
    });
}

void finishBodies(SystemData& system) {
    listSteppedBodies(system);
    for (btPliantBody* body : system.work) fadeDetail(dataOf(*body), system.stepLength);
    system.workers->forBlocks(static_cast<int>(system.work.size()), 8, [&system](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantBody& body = *system.work[static_cast<std::size_t>(i)];
            if (dataOf(body).frameIsFree) updateAngularVelocity(dataOf(body));
            body.setInterpolationAngularVelocity(body.getAngularVelocity());
            dataOf(body).hasStepped = false;
        }
    });
}

void updateBounds(SystemData& system) {
    listBodiesInWorld(system);
    updateCollisionBodies(system, true);
    for (btPliantBody* body : system.bodies)
        if (!system.isInWorld(*body)) recordSubstepMotion(dataOf(*body));
}

void publishStats(SystemData& system) {
    const btPliantStats sums = system.accumulated;
    system.stats = system.accumulated = system.substepStats;
    system.accumulated.m_deformationSeconds += sums.m_deformationSeconds;
    system.accumulated.m_collisionSeconds += sums.m_collisionSeconds;
    system.accumulated.m_contactSolveSeconds += sums.m_contactSolveSeconds;
    system.substepStats = btPliantStats();
    system.energiesAreMeasured = false;
}

}  // namespace btPliantInternal
