// SPDX-License-Identifier: Zlib
// What a state says of ways that bodies have come does not depend on what else a world has seen.
#include <gtest/gtest.h>

#include "TestWorld.h"

namespace {

using pliant::StateStatus;
using pliant::test::makeBar;
using pliant::test::TestWorld;

// How far a body has come since the last substep is a difference of sums that grow for ever: a world that has seen far
// ways restores the same numbers as a young one.
TEST(State, IsRestoredWithTheSameBitsAfterFarWays) {
    TestWorld scene;
    scene.addGround();
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 1, 0));
    scene.step(10);
    const auto moveTo = [bar](btScalar height) {
        bar->setCenterOfMassTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, height, 0)));
    };
    moveTo(btScalar(1.0 + 1.0 / 7.0));  // by the user, since the last substep
    std::vector<std::byte> before, after;
    scene.system->saveState(before);
    for (const btScalar height : {btScalar(1e6), btScalar(1)}) {
        moveTo(height);
        scene.step(1);
    }
    ASSERT_EQ(scene.system->restoreState(before.data(), before.size()), StateStatus::Ok);
    scene.system->saveState(after);
    EXPECT_TRUE(before == after);
}

}  // namespace
