// SPDX-License-Identifier: Zlib
// Distributed contact in the very step in which points come to touch.
#include <gtest/gtest.h>

#include <cmath>

#include "TestWorld.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

constexpr double kArrivalStep = 1.0 / 240.0;  // s

/// Force of the ground on a stiff cube that comes with a velocity in the first step in which it touches, N.
btVector3 forceOfArrival(const btVector3& velocity, double friction) {
    SolidMaterial material;
    material.young = 1e9;
    static const auto cube = solidBox({0.2, 0.2, 0.2}, material, 0.1);
    TestWorld scene;
    btRigidBody* ground = scene.addGround();
    btPliantBodyInfo info;
    info.m_linearVelocity = velocity;
    btPliantBody* body = scene.addBar(cube, btVector3(0, btScalar(0.1001), 0), info);
    btPliantTouchSettings settings;
    settings.m_stiffness = 1e8;
    settings.m_friction = static_cast<btScalar>(friction);
    settings.m_points = 2000;
    scene.system->setTouch(*body, nullptr, settings);
    scene.step(1, kArrivalStep);
    btPliantContactPatch patch;
    EXPECT_TRUE(scene.system->getContactPatch(*body, *ground, patch));
    return patch.m_force;
}

// A point has a bristle from the step on in which it comes, whose foot slides. Without, the points that take over from
// others as bodies slide past each other's edges hold nothing for a step: a peg that is pulled out of a hole was let go
// by each row of its points that left the hole's rim, jumped by 0.2 mm, and stuck again.
TEST(TouchArrival, SlidesWithFrictionFromItsFirstStepOn) {
    for (const double friction : {0.1, 0.5}) {
        const btVector3 force = forceOfArrival(btVector3(2, btScalar(-0.5), 0), friction);
        EXPECT_GT(force.y(), 1.0) << "it has come to touch";
        EXPECT_NEAR(-static_cast<double>(force.x()), friction * static_cast<double>(force.y()),
                    0.005 * friction * static_cast<double>(force.y()));
    }
}

// What comes straight is pushed straight.
TEST(TouchArrival, WithoutASlipHasNoFriction) {
    const btVector3 force = forceOfArrival(btVector3(0, btScalar(-0.5), 0), 0.5);
    EXPECT_GT(force.y(), 1.0);
    EXPECT_LT(std::hypot(static_cast<double>(force.x()), static_cast<double>(force.z())),
              1e-3 * static_cast<double>(force.y()));
}

}  // namespace
}  // namespace pliant::test
