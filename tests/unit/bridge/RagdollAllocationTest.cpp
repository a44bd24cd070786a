// SPDX-License-Identifier: Zlib
// A settled step of characters goes to the heap not once, whether somebody drives their bones or they lie on the
// ground.
#include <gtest/gtest.h>

#include "../../AllocationCounter.h"
#include "RagdollWorld.h"

namespace pliant::test {
namespace {

/// Allocations of 20 steps of bars on the ground that nobody puts to sleep.
long allocationsAtRest(bool fall, RestShape shape) {
    constexpr int count = 3;
    RagdollWorld w;
    w.shape = shape;
    w.addGround();
    for (int i = 0; i < count; ++i) {
        btPliantCharacter* bar = w.addNodding(btVector3(0, btScalar(0.09), btScalar(i)), 0.0, 0.003);
        EXPECT_TRUE(bar->play("nod", 0.0, 0.2));
        EXPECT_EQ(fall ? bar->startRagdoll() : std::string(), "");
        bar->forceActivationState(DISABLE_DEACTIVATION);
    }
    w.step(600);
    EXPECT_GE(w.system->getStats().m_contacts, 4 * count);
    const long before = allocations;
    w.step(20);
    return allocations - before;
}

TEST(RagdollAllocation, ASettledStepHasNone) {
    const long before = allocations;
    std::vector<int> one(100);
    EXPECT_GT(allocations, before) << "the counter counts" << one.size();
    for (const RestShape shape : {RestShape::Skin, RestShape::Flesh}) {
        EXPECT_EQ(allocationsAtRest(true, shape), 0);
        EXPECT_EQ(allocationsAtRest(false, shape), 0);
    }
}

}  // namespace
}  // namespace pliant::test
