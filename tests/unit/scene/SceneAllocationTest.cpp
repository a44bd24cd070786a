// SPDX-License-Identifier: Zlib
// A step of a scene does not go to the heap, whatever it keeps awake.
#include <gtest/gtest.h>

#include "../../AllocationCounter.h"
#include "TimedScene.h"

namespace pliant::test {
namespace {

TEST(SceneAllocation, AStepThatKeepsAPendulumAwakeHasNone) {
    ASSERT_GE(countOneAllocation(), 1) << "the counter counts";
    SceneInWorld swing(
        "ground: {}\nrigid:\n"
        "  - {name: bob, shape: sphere, radius: 0.05, mass: 1, position: [= sin(3), 0, = 2 - cos(3)]}\n"
        "  - {shape: box, size: [0.2, 0.2, 0.2], mass: 1, position: [1, 0, 0.1], velocity: [0.3, 0, 0], friction: 0}\n"
        "joints: [{kind: point, between: [bob], at: [0, 0, 2]}]\n");
    swing.step(0.5);
    const long before = allocations;
    swing.step(4);
    EXPECT_EQ(allocations - before, 0);
    EXPECT_NE(swing.rigid(0).getActivationState(), ISLAND_SLEEPING);
}

}  // namespace
}  // namespace pliant::test
