// SPDX-License-Identifier: Zlib
// Restitution of Bullet's own bodies in a world of one's own, whatever the size of the shape and the step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "TestWorld.h"

namespace {

using pliant::test::TestWorld;

/// How high a ball of restitution e comes back that falls on a box of restitution 1, m.
double heightOfRebound(double radius, double height, double e, int stepsASecond) {
    TestWorld scene;
    scene.addRigid(new btBoxShape(btVector3(2, btScalar(0.5), 2)), 0, btVector3(0, btScalar(-0.5), 0))
        ->setRestitution(1);
    btRigidBody* ball = scene.addRigid(new btSphereShape(static_cast<btScalar>(radius)), 2.0,
                                       btVector3(0, static_cast<btScalar>(height + radius), 0));
    ball->setRestitution(static_cast<btScalar>(e));
    const auto fall = static_cast<int>(std::sqrt(2 * height / 9.81) * stepsASecond);
    int steps = 0;
    while (ball->getLinearVelocity().y() <= 0 && steps++ < 2 * fall) scene.step(1, 1.0 / stepsASecond);
    double highest = 0.0;
    while (ball->getLinearVelocity().y() > 0) {
        scene.step(1, 1.0 / stepsASecond);
        highest = std::max(highest, static_cast<double>(ball->getCenterOfMassPosition().y()) - radius);
    }
    return highest;
}

// Bullet's contacts begin at a distance that grows with the shape, and in short steps that is many steps away.
TEST(BulletBounce, ABallComesBackAsHighAsItsRestitutionSays) {
    struct Case {
        double radius, height;
        int stepsASecond;
    };
    for (const Case& c : {Case{0.1, 0.1, 1000}, Case{0.1, 5, 4000}, Case{0.5, 0.1, 240}, Case{0.5, 0.5, 240},
                          Case{0.5, 1, 480}, Case{0.5, 2, 480}, Case{0.5, 5, 1000}})
        for (const double e : {0.5, 1.0}) {
            SCOPED_TRACE(::testing::Message() << "radius " << c.radius << " m from " << c.height << " m, "
                                              << c.stepsASecond << " steps/s, e = " << e);
            // A step's way above the ground where it turns around, and as much again for gravity's part of that step.
            const double way = std::sqrt(2 * 9.81 * c.height) / c.stepsASecond;
            EXPECT_NEAR(heightOfRebound(c.radius, c.height, e, c.stepsASecond), e * e * c.height, 2 * way);
        }
}

// Its contacts are nearer than a step's way at all times, and slower than the threshold.
TEST(BulletBounce, WhatLiesStays) {
    TestWorld scene;
    scene.addGround()->setRestitution(1);
    btRigidBody* box = scene.addRigid(new btBoxShape(btVector3(btScalar(0.1), btScalar(0.1), btScalar(0.1))), 2.0,
                                      btVector3(0, btScalar(0.101), 0));
    box->setRestitution(1);
    box->forceActivationState(DISABLE_DEACTIVATION);
    scene.step(480);
    EXPECT_NEAR(box->getCenterOfMassPosition().y(), 0.1, 2e-3);
    EXPECT_LT(box->getLinearVelocity().length(), 1e-2);
}

}  // namespace
