// SPDX-License-Identifier: Zlib
// Restitution of Bullet's own bodies: the share of the speed that they leave with, wherever a step meets them.
#include <gtest/gtest.h>

#include <algorithm>

#include "TimedScene.h"

namespace pliant::test {
namespace {

/// How high the lowest point of a body comes back that falls as far, m.
double heightOfBounce(const std::string& shape, double half, double height, double restitution) {
    // A box on a plane of Bullet's has one contact in a step: it lands on a corner and tumbles.
    SceneInWorld yard("rigid:\n  - {" + shape + ", mass: 2, position: [0, 0, " + std::to_string(height + half) +
                          "], restitution: " + std::to_string(restitution) +
                          "}\n  - {shape: box, size: [2, 2, 1], position: [0, 0, -0.5], restitution: 1, friction: 0}\n",
                      240);
    const double fall = std::sqrt(2 * height / kGravity);
    yard.step(1.05 * fall);
    double highest = 0.0;
    for (int k = 0; k < 240 * 1.1 * fall; ++k) {
        yard.step(1.0 / 240);
        highest = std::max(highest, yard.place().z() - half);
    }
    return highest;
}

TEST(SceneBounce, RigidBodiesComeBackAsHighAsTheirRestitutionSays) {
    for (const std::string shape : {"shape: sphere, radius: 0.1", "shape: box, size: [0.2, 0.2, 0.2]"})
        for (const double e : {0.5, 0.8, 1.0})
            for (int k = 0; k < 8; ++k) {
                const double height = 5.0 + 0.017 * k;  // a step's way is 0.04 m
                SCOPED_TRACE(::testing::Message() << shape << " from " << height << " m, e = " << e);
                // A step's way more or less of the fall, and of the rise.
                EXPECT_NEAR(heightOfBounce(shape, 0.1, height, e), e * e * height, 0.02 * height);
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
