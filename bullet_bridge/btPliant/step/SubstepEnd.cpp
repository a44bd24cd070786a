// SPDX-License-Identifier: Zlib
#include "btPliant/step/SubstepEnd.h"

#include "btPliant/body/LevelOfDetail.h"
#include "btPliant/data/Stopwatch.h"
#include "btPliant/narrowphase/FindContacts.h"
#include "btPliant/step/Substep.h"

namespace btPliantInternal {

namespace {

void listSteppedBodies(SystemData& system) {
    system.work.clear();
    for (btPliantBody* body : system.bodies)
        if (body->data().hasStepped) system.work.push_back(body);
}

}  // namespace

void settleVelocities(SystemData& system) {
    Stopwatch watch(system.substepStats.m_deformationSeconds);
    listSteppedBodies(system);
    system.workers->forBlocks(static_cast<int>(system.work.size()), 8, [&system](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            BodyData& data = system.work[static_cast<std::size_t>(i)]->data();
            if (!data.ragdoll()) data.settleEnergy();  // its account is that of limbs and flesh (RagdollWork.h)
            if (!data.frameIsFree) continue;
            data.updateInertia();
            data.updateMidstepAngularVelocity(system.stepLength);
        }
    });
}

void finishBodies(SystemData& system) {
    listSteppedBodies(system);
    for (btPliantBody* body : system.work) fadeDetail(body->data(), system.stepLength);
    system.workers->forBlocks(static_cast<int>(system.work.size()), 8, [&system](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantBody& body = *system.work[static_cast<std::size_t>(i)];
            if (body.data().frameIsFree) body.data().updateAngularVelocity();
            body.setInterpolationAngularVelocity(body.getAngularVelocity());
            body.data().hasStepped = false;
        }
    });
}

void updateBounds(SystemData& system) {
    listBodiesInWorld(system);
    updateCollisionBodies(system, true);
    for (btPliantBody* body : system.bodies)
        if (!system.isInWorld(*body)) body->data().recordSubstepMotion();
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
