// SPDX-License-Identifier: Zlib
// A settled step of a world with Bullet's own solver goes to the heap not once.
#include <gtest/gtest.h>

#include <vector>

#include "../../AllocationCounter.h"
#include "OneWayWorld.h"

namespace pliant::test {
namespace {

TEST(OneWayAllocation, ASettledStepHasNone) {
    ASSERT_GE(countOneAllocation(), 1) << "the counter counts";
    OneWayWorld w;
    w.addGround();
    btPliantBodyInfo info;
    info.m_damping.mass = 5;
    info.m_damping.stiffness = 0.002;
    const auto model = makeBar();
    for (int i = 0; i < 4; ++i)
        w.addBar(model, btVector3(0, btScalar(0.06 + 0.11 * i), btScalar(0.02 * i)), info)
            ->forceActivationState(DISABLE_DEACTIVATION);
    w.addRigid(new btSphereShape(btScalar(0.05)), 1.0, btVector3(0, btScalar(0.06), btScalar(0.5)))
        ->forceActivationState(DISABLE_DEACTIVATION);
    w.step(600);
    ASSERT_GE(w.system->getStats().m_contacts, 8);
    // What slides into the bounds of another makes a pair, which is new on the heap; steps without are asked.
    const auto pairs = [&] { return w.world.getBroadphase()->getOverlappingPairCache()->getNumOverlappingPairs(); };
    int asked = 0;
    for (int i = 0; i < 20; ++i) {
        const long before = allocations;
        const int pairsBefore = pairs();
        w.step(1);
        if (pairs() > pairsBefore) continue;
        EXPECT_EQ(allocations - before, 0);
        ++asked;
    }
    EXPECT_GE(asked, 15);
}

}  // namespace
}  // namespace pliant::test
