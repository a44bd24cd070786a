// SPDX-License-Identifier: Zlib
// Penalty contact of solids: where springs by area apply, and what they do with bodies that others move.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "BarPoints.h"
#include "CubeModel.h"

namespace pliant::test {
namespace {

btScalar stiffnessOf(double share, double h) {
    return static_cast<btScalar>(share * cube()->totalMass() / (h * h));
}

// A spring of h^2 k / m >> 1 may stop a body within one step, and then holds all of its energy while nothing moves:
// what it gives back in the next step is no divergence. Where in the step it touches decides whether it does.
TEST(SolidSpringsUse, AStiffReboundIsNoDivergence) {
    constexpr double h = 1.0 / 120.0, speed = 2.0;
    constexpr int phases = 60;
    for (const double share : {1e2, 1e4, 1e6})
        for (int i = 0; i < phases; ++i) {
            TestWorld scene;
            scene.world.setGravity(btVector3(0, 0, 0));
            scene.addGround();
            btPliantBodyInfo info;
            info.m_linearVelocity = btVector3(0, btScalar(-speed), 0);
            const double gap = h * speed * (1.0 + static_cast<double>(i) / phases);
            btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(kCubeSize / 2 + gap), 0), info);
            body->setContactStiffnessAndDamping(stiffnessOf(share, h), 0);
            for (int k = 0; k < 6; ++k) {
                scene.step(1, h);
                ASSERT_NE(body->getStatus(), BodyStatus::RestoredLastState) << share << " phase " << i << " step " << k;
            }
            EXPECT_GT(body->getLinearVelocity().y(), 0.0) << share << " phase " << i;
        }
}

}  // namespace
}  // namespace pliant::test
