// SPDX-License-Identifier: Zlib
// Restitution of Bullet's own bodies: the share of the speed that they leave with, wherever a step meets them.
#include <gtest/gtest.h>

#include <algorithm>

#include "TimedScene.h"

namespace pliant::test {
namespace {

struct Fall {
    double height;     ///< m.
    double half;       ///< From the body's middle down to its lowest point, m.
    int stepsASecond;  ///< Of the scene.
    double duration() const { return std::sqrt(2 * height / kGravity); }
    /// Of the last step before the ground, m.
    double way() const { return kGravity * duration() / stepsASecond; }
};

/// How high the lowest point of a body comes back, m.
double heightOfBounce(const std::string& shape, const Fall& fall, double restitution) {
    // A box on a plane of Bullet's has one contact in a step: it lands on a corner and tumbles.
    SceneInWorld yard("rigid:\n  - {" + shape + ", mass: 2, position: [0, 0, " +
                          std::to_string(fall.height + fall.half) + "], restitution: " + std::to_string(restitution) +
                          "}\n  - {shape: box, size: [3, 3, 1], position: [0, 0, -0.5], restitution: 1, friction: 0}\n",
                      fall.stepsASecond);
    const double step = 1.0 / fall.stepsASecond;
    for (int k = 0; yard.velocity().z() <= 0 && k * step < 2 * fall.duration(); ++k) yard.step(step);
    double highest = 0.0;
    for (; yard.velocity().z() > 0; yard.step(step)) highest = std::max(highest, yard.place().z() - fall.half);
    return std::max(highest, yard.place().z() - fall.half);
}

TEST(SceneBounce, RigidBodiesComeBackAsHighAsTheirRestitutionSays) {
    for (const std::string shape : {"shape: sphere, radius: 0.1", "shape: box, size: [0.2, 0.2, 0.2]"})
        for (const double e : {0.5, 0.8, 1.0})
            for (int k = 0; k < 8; ++k) {
                const Fall fall{5.0 + 0.017 * k, 0.1, 240};  // a step's way is 0.04 m
                SCOPED_TRACE(::testing::Message() << shape << " from " << fall.height << " m, e = " << e);
                // A step's way more or less of the fall, and of the rise.
                EXPECT_NEAR(heightOfBounce(shape, fall, e), e * e * fall.height, 0.02 * fall.height);
            }
}

// Bullet has a contact from a distance on that grows with the shape, many steps before large ones touch. The first turn
// upwards counts: what is slowed down in the air comes back by a second bounce.
TEST(SceneBounce, SpheresOfAnySizeDoFromAnyHeightInStepsOfAnyLength) {
    for (const double radius : {0.05, 0.1, 0.5, 1.0})
        for (const double height : {0.1, 0.5, 5.0})
            for (const int rate : {120, 240, 500, 1000})
                for (const double e : {0.5, 1.0}) {
                    const Fall fall{height, radius, rate};
                    SCOPED_TRACE(::testing::Message() << "radius " << radius << " m from " << height << " m, " << rate
                                                      << " steps/s, e = " << e);
                    const std::string shape = "shape: sphere, radius: " + std::to_string(radius);
                    // The step that turns it around may do so a step's way above the ground, and without the speed that
                    // gravity adds in it, which is a step's way of height again.
                    EXPECT_NEAR(heightOfBounce(shape, fall, e), e * e * height, 2 * fall.way());
                }
}

TEST(SceneBounce, WhatLiesStays) {
    SceneInWorld yard(
        "ground: {restitution: 1}\nrigid:\n  - {shape: box, size: [0.2, 0.2, 0.2], mass: 2, position: [0, 0, 0.1], "
        "restitution: 1, sleep: false}\n");
    yard.step(4);
    EXPECT_NEAR(yard.place().z(), 0.1, 2e-3);
    EXPECT_LT(yard.velocity().norm(), 1e-2);
}

}  // namespace
}  // namespace pliant::test
