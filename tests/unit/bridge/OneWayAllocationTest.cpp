// SPDX-License-Identifier: Zlib
// A settled step of a world with Bullet's own solver goes to the heap not once.
#include <gtest/gtest.h>

#include <vector>

#include "../../AllocationCounter.h"
#include "OneWayWorld.h"

namespace pliant::test {
namespace {

TEST(OneWayAllocation, ASettledStepHasNone) {
    const long counting = allocations;
    const std::vector<int> one(100);
    ASSERT_GT(allocations, counting) << "the counter counts" << one.size();
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
    w.step(2000);  // until none slides into the bounds of another any more, which makes a pair
    ASSERT_GE(w.system->getStats().m_contacts, 8);
    const long before = allocations;
    w.step(20);
    EXPECT_EQ(allocations - before, 0);
}

}  // namespace
}  // namespace pliant::test
