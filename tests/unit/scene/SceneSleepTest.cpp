// SPDX-License-Identifier: Zlib
// What swings and floats goes on, however slowly; what lies falls asleep.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "TimedScene.h"

namespace pliant::test {
namespace {

using ::testing::HasSubstr;

/// A bob on 1 m that starts at 10 degrees, as the first of the rigid bodies. @param end what it hangs on
std::string pendulum(const std::string& others = "", const std::string& end = "bob") {
    return "ground: {}\nrigid:\n  - {name: bob, shape: sphere, radius: 0.05, mass: 1, position: [= sin(10), 0, = 1.2 - "
           "cos(10)]}\n" +
           others + "joints: [{kind: point, between: [" + end + "], at: [0, 0, 1.2]}]\n";
}

/// It is never faster than 0.55 m/s, and passes its lowest place twice in each period of 2.01 s.
void expectItSwingsOn(const std::string& scene) {
    SceneInWorld swing(scene, 480);
    int passes = 0;
    double before = swing.place().x(), largest = 0.0;
    for (int k = 0; k < 12 * 480; ++k) {
        swing.step(1.0 / 480);
        const double x = swing.place().x();
        passes += before * x < 0.0;
        if (k > 10 * 480) largest = std::max(largest, std::abs(x));
        before = x;
    }
    EXPECT_EQ(passes, 12);
    EXPECT_NEAR(largest, std::sin(10 * M_PI / 180), 0.02 * std::sin(10 * M_PI / 180));
}

TEST(SceneSleep, APendulumSwingsOn) {
    expectItSwingsOn(pendulum());
}

// Bullet unites what overlaps by boxes along the axes, and a corner of the turned one's is empty.
TEST(SceneSleep, APendulumSwingsOnBesideABoxThatItDoesNotTouch) {
    expectItSwingsOn(
        pendulum("  - {shape: box, size: [0.4, 0.4, 0.4], mass: 5, position: [0.3, 0.3, 0.2], rotation: [0, "
                 "0, 45]}\n"));
}

TEST(SceneSleep, APendulumSwingsOnAtAStandOnTheGround) {
    expectItSwingsOn(pendulum(
        "  - {name: stand, shape: box, size: [0.4, 0.4, 1.2], mass: 500, position: [0, 0.5, 0.6]}\n", "bob, stand"));
}

TEST(SceneSleep, WhatFloatsGoesOn) {
    SceneInWorld space(kWeightless + kBar +
                       "rigid: [{shape: box, size: [0.2, 0.2, 0.2], mass: 1, velocity: [0.3, 0, 0]}]\n"
                       "bodies: [{model: bar, position: [0, 5, 0], velocity: [0.3, 0, 0]}]\n");
    const double start = fromBullet(space.soft(0).getCenterOfMassPosition()).x();
    space.step(6);
    EXPECT_NEAR(space.place().x(), 1.8, 1e-3);
    EXPECT_NEAR(fromBullet(space.soft(0).getCenterOfMassPosition()).x() - start, 1.8, 1e-3);
}

// Within 2 mm Bullet keeps a contact of such a ball, which carries nothing.
TEST(SceneSleep, WhatFloatsCloselyAboveAFloorGoesOn) {
    SceneInWorld space(kWeightless +
                       "rigid:\n"
                       "  - {shape: sphere, radius: 0.1, mass: 1, velocity: [0.3, 0, 0], position: [0, 0, 0.101]}\n"
                       "  - {shape: box, size: [6, 1, 1], position: [0, 0, -0.5]}\n");
    space.step(6);
    EXPECT_NEAR(space.place().x(), 1.8, 1e-3);
}

// Two that touch float as one does: what they touch does not stand.
TEST(SceneSleep, WhatFloatsTogetherGoesOn) {
    SceneInWorld space(
        kWeightless +
        "rigid:\n"
        "  - {shape: box, size: [0.2, 0.2, 0.2], mass: 1, velocity: [0.3, 0, 0]}\n"
        "  - {shape: box, size: [0.2, 0.2, 0.2], mass: 1, velocity: [0.3, 0, 0], position: [0.2, 0, 0]}\n");
    space.step(6);
    EXPECT_NEAR(space.place().x(), 1.8, 1e-2);
}

TEST(SceneSleep, WhatLiesFallsAsleepUnlessItMayNot) {
    SceneInWorld yard(
        "ground: {}\nrigid:\n"
        "  - {shape: box, size: [0.2, 0.2, 0.2], mass: 1, position: [0, 0, 0.1]}\n"
        "  - {shape: box, size: [0.2, 0.2, 0.2], mass: 1, position: [1, 0, 0.1], sleep: false}\n"
        "  - {name: hung, shape: box, size: [0.2, 0.2, 0.2], mass: 1, position: [2, 0, 1]}\n"
        "joints: [{kind: point, between: [hung], at: [2, 0, 1.1]}]\n");
    yard.step(4);
    EXPECT_EQ(yard.rigid(0).getActivationState(), ISLAND_SLEEPING);
    EXPECT_EQ(yard.rigid(1).getActivationState(), DISABLE_DEACTIVATION);
    EXPECT_EQ(yard.rigid(2).getActivationState(), ISLAND_SLEEPING) << "it hangs and does not move";
}

TEST(SceneSleep, OfWhatStandsIsAMistake) {
    try {
        scene::parseScene("rigid:\n  - {shape: box, sleep: false}\n", "wrong.yaml", anyModel());
        FAIL() << "nothing was told";
    } catch (const Error& problem) {
        EXPECT_THAT(problem.what(), HasSubstr("what has no mass does not fall asleep"));
    }
}

}  // namespace
}  // namespace pliant::test
