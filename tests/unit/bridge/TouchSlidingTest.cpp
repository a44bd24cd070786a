// SPDX-License-Identifier: Zlib
// Friction of distributed contact: in the very step in which points come to touch, and of what slides.
#include <gtest/gtest.h>

#include <cmath>

#include "TestWorld.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

constexpr double kArrivalStep = 1.0 / 240.0;  // s

SolidMaterial slidingMaterial() {
    SolidMaterial stiff;
    stiff.young = 1e9;
    return stiff;
}

/// Force of the ground on a stiff cube that comes with a velocity in the first step in which it touches, N.
btVector3 forceOfArrival(const btVector3& velocity, double friction) {
    static const auto cube = solidBox({0.2, 0.2, 0.2}, slidingMaterial(), 0.1);
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
TEST(TouchSliding, SlidesWithFrictionFromItsFirstStepOn) {
    for (const double friction : {0.1, 0.5}) {
        const btVector3 force = forceOfArrival(btVector3(2, btScalar(-0.5), 0), friction);
        EXPECT_GT(force.y(), 1.0) << "it has come to touch";
        EXPECT_NEAR(-static_cast<double>(force.x()), friction * static_cast<double>(force.y()),
                    0.005 * friction * static_cast<double>(force.y()));
    }
}

// What comes straight is pushed straight.
TEST(TouchSliding, WithoutASlipHasNoFriction) {
    const btVector3 force = forceOfArrival(btVector3(0, btScalar(-0.5), 0), 0.5);
    EXPECT_GT(force.y(), 1.0);
    EXPECT_LT(std::hypot(static_cast<double>(force.x()), static_cast<double>(force.z())),
              1e-3 * static_cast<double>(force.y()));
}

/// A stiff body that touches the ground, or a reduced body that stays, by a layer.
/// @param height of its centre of mass, m  @param stiffness of the layer, Pa/m
struct OnLayer {
    OnLayer(const std::shared_ptr<const ReducedModel>& model, const btPliantBodyInfo& info, double height,
            const btQuaternion& turned, double stiffness, double friction, bool onSolid) {
        btPliantBody* table = nullptr;
        if (onSolid) {
            static const auto slab = solidBox({2.4, 0.2, 0.4}, slidingMaterial(), 0.1);
            btPliantBodyInfo still;
            still.m_kinematic = true;
            table = scene.addBar(slab, btVector3(btScalar(0.5), btScalar(-0.1), 0), still);
        } else {
            scene.addGround();
        }
        body = scene.addBar(model, btVector3(0, static_cast<btScalar>(height), 0), info, turned);
        body->setActivationState(DISABLE_DEACTIVATION);
        btPliantTouchSettings settings;
        settings.m_stiffness = static_cast<btScalar>(stiffness);
        settings.m_damping = btScalar(0.05);
        settings.m_points = 6000;
        settings.m_friction = static_cast<btScalar>(friction);
        scene.system->setTouch(*body, table, settings);
    }
    TestWorld scene;
    btPliantBody* body = nullptr;
};

/// Speed after half a second of a stiff body that slides at 2 m/s and does not turn, m/s.
/// @param height of its centre of mass where it just touches
double speedAfterSliding(const std::shared_ptr<const ReducedModel>& model, double height, double friction,
                         bool onSolid) {
    btPliantBodyInfo info;
    info.m_damping.stiffness = 1e-4;
    info.m_linearVelocity = btVector3(2, 0, 0);
    OnLayer sliding(model, info, height, btQuaternion::getIdentity(), 1e7, friction, onSolid);
    sliding.body->setAngularFactor(btVector3(0, 0, 0));
    sliding.scene.step(120, 1.0 / 240.0);
    EXPECT_LT(std::abs(static_cast<double>(sliding.body->getCenterOfMassPosition().y()) - height), 0.004)
        << "it lies on it";
    return static_cast<double>(sliding.body->getLinearVelocity().x());
}

// What looks ahead on a round body does not run into the ground. With forces along the normals of the points a ball
// without friction lost 0.37 m/s of its 2 by what was found in front of it.
TEST(TouchSliding, RoundBodiesSlideAsFlatOnesDo) {
    constexpr double radius = 0.1, edge = 0.2;  // m
    const auto ball = solidSphere(radius, slidingMaterial()),
               cube = solidBox({edge, edge, edge}, slidingMaterial(), 0.1);
    const double half = 0.5, friction = 0.3, slowed = 2.0 - friction * 9.81 * half;
    for (const bool onSolid : {false, true}) {
        EXPECT_NEAR(speedAfterSliding(ball, radius, 0.0, onSolid), 2.0, 0.002) << onSolid;
        EXPECT_NEAR(speedAfterSliding(ball, radius, friction, onSolid), slowed, 0.01) << onSolid;
        EXPECT_NEAR(speedAfterSliding(cube, 0.5 * edge, friction, onSolid), slowed, 0.01) << onSolid;
    }
}

// On an edge, of which both faces press: with the direction of the field for the flat one alone, the steep one would
// push it to the side by a fifth of its weight.
TEST(TouchSliding, NothingPushesACubeOnItsEdgeToTheSide) {
    constexpr double edge = 0.2, angle = 0.26;  // m, rad
    const auto cube = solidBox({edge, edge, edge}, slidingMaterial(), 0.1);
    for (const bool onSolid : {false, true}) {
        OnLayer cubeOn(cube, btPliantBodyInfo(), 0.5 * edge * (std::cos(angle) + std::sin(angle)),
                       btQuaternion(btVector3(0, 0, 1), btScalar(angle)), 1e6, 0.0, onSolid);
        cubeOn.body->setAngularFactor(btVector3(0, 0, 0));
        cubeOn.scene.step(240, 1.0 / 240.0);
        const btVector3 velocity = cubeOn.body->getLinearVelocity();
        EXPECT_LT(std::abs(static_cast<double>(velocity.y())), 0.02) << "it has come to rest";
        EXPECT_LT(std::abs(static_cast<double>(velocity.x())), 0.005 * 9.81) << onSolid << ", of one second";
    }
}

// Depths are those at the end of a step, and so are the arms of the forces that they give: with those of its start a
// ball that rolls lost g h / 1.4 R of its speed in a second, and one that spins in place g h / 0.4 R, R = 0.1 m.
TEST(TouchSliding, BallsRollAndSpinOn) {
    constexpr double radius = 0.1;  // m
    const auto ball = solidSphere(radius, slidingMaterial());
    for (const bool rolls : {true, false}) {
        btPliantBodyInfo info;
        const double speed = rolls ? 2.0 : 0.0, turn = -20.0;  // m/s, rad/s
        info.m_linearVelocity = btVector3(static_cast<btScalar>(speed), 0, 0);
        OnLayer ballOn(ball, info, radius - 0.002, btQuaternion::getIdentity(), 1e6, rolls ? 0.5 : 0.0, false);
        ballOn.body->setAngularVelocity(btVector3(0, 0, static_cast<btScalar>(turn)));
        ballOn.scene.step(120, 1.0 / 240.0);
        // What has sunk in by 8 mm rolls about less than its radius.
        const auto energy = [&](double v, double omega) { return v * v + 0.4 * radius * radius * omega * omega; };
        const double kept = energy(static_cast<double>(ballOn.body->getLinearVelocity().x()),
                                   static_cast<double>(ballOn.body->getAngularVelocity().z())) /
                            energy(speed, turn);
        EXPECT_GT(kept, 0.99) << rolls;
        EXPECT_LT(kept, 1.001) << rolls;
    }
}

}  // namespace
}  // namespace pliant::test
