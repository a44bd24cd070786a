// SPDX-License-Identifier: Zlib
// What a hand of its own thread may do to bodies at most: where it stands still, is held up, or they are in no world.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "CubeModel.h"
#include "TestWorld.h"
#include "btPliant/btPliantHandThread.h"

namespace pliant::test {
namespace {

constexpr double kLimitBall = 0.03, kLimitHalf = 0.1;  // m: radius of the hand's ball, half the side of boxes
constexpr double kLimitGravity = 9.81;                 // m/s^2

btRigidBody* addFalling(TestWorld& scene, double mass, double drop) {
    scene.world.setGravity(btVector3(0, 0, btScalar(-kLimitGravity)));
    const btScalar half{btScalar(kLimitHalf)};
    return scene.addRigid(new btBoxShape(btVector3(half, half, half)), mass,
                          btVector3(0, 0, btScalar(kLimitHalf + kLimitBall + drop)));
}

/// What a fall onto a still hand has led to.
struct Fallen {
    double energy = 0.0;  ///< The largest, as a multiple of that of the fall.
    double speed = 0.0;   ///< The largest one upwards, m/s.
};

/// @param limit of the tool's speed, m/s
Fallen fallOnAHand(double step, double drop, double mass, double limit) {
    TestWorld scene;
    const btRigidBody* box = addFalling(scene, mass, drop);
    const btSphereShape ball{btScalar(kLimitBall)};
    HandSettings settings;
    settings.limits.speed = limit;
    btPliantHandThread hand(ball, ToolPose(), std::make_shared<IdentityDevice>(ToolPose()), settings);
    hand.addBody(const_cast<btRigidBody&>(*box));
    hand.afterStep(step);
    double most = 0.0, fastest = 0.0;
    for (int i = 0; i < static_cast<int>(2.0 / step); ++i) {
        hand.beforeStep(step);
        scene.step(1, step);
        hand.afterStep(step);
        const auto height = static_cast<double>(box->getCenterOfMassPosition().z()) - kLimitHalf - kLimitBall;
        const auto speed2 = static_cast<double>(box->getLinearVelocity().length2());
        most = std::max(most, 0.5 * speed2 + kLimitGravity * height);
        fastest = std::max(fastest, static_cast<double>(box->getLinearVelocity().z()));
    }
    return {most / (kLimitGravity * drop), fastest};
}

// Faster than limits.speed the tool cannot give way, and the surface alone is as stiff as stands no step of a world:
// without the limit they have up to 4,470 times the energy of their fall (0.5 kg from 0.5 m at 60 Hz).
TEST(HandBesideAWorldAtLimits, NothingThatFallsOnAStillHandGainsEnergy) {
    for (const double hertz : {60.0, 120.0, 240.0})
        for (const double drop : {0.1, 0.2, 0.5, 1.0})
            for (const double mass : {0.5, 1.0, 3.0}) {
                // Bullet's half step of gravity at the start of the fall is 0.5 g^2 h^2 of m g drop.
                const double halfStep = kLimitGravity / (hertz * hertz) / drop;
                EXPECT_LE(fallOnAHand(1.0 / hertz, drop, mass, HandLimits().speed).energy, 1.0 + halfStep)
                    << hertz << " " << drop << " " << mass;
            }
}

// With a higher limit a still hand may give energy, and nothing leaves it faster than the limit, or than it came.
TEST(HandBesideAWorldAtLimits, NothingLeavesAStillHandFasterThanItsLimit) {
    for (const double limit : {2.0, 10.0, 100.0})
        for (const double hertz : {60.0, 240.0})
            for (const double mass : {0.1, 3.0}) {
                const double drop = 0.1, came = std::sqrt(2.0 * kLimitGravity * drop) + kLimitGravity / hertz;
                EXPECT_LE(fallOnAHand(1.0 / hertz, drop, mass, limit).speed, 1.001 * std::max(limit, came))
                    << limit << " " << hertz << " " << mass;
            }
}

/// A reduced cube that comes onto a still hand in the void. @return how fast it leaves, m/s
double leavesWith(double speed, double step) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBodyInfo info;
    info.m_meshTransform.setOrigin(btVector3(0, 0, btScalar(0.5 * kCubeSize + kLimitBall + 0.01)));
    info.m_linearVelocity = btVector3(0, 0, btScalar(-speed));
    SolidMaterial material;
    material.young = 1e6;
    btPliantBody* cube = scene.system->createBody(solidBox({kCubeSize, kCubeSize, kCubeSize}, material, 0.1), info);
    scene.world.addRigidBody(cube);
    const btSphereShape ball{btScalar(kLimitBall)};
    btPliantHandThread hand(ball, ToolPose(), std::make_shared<IdentityDevice>(ToolPose()));
    hand.addBody(*cube);
    hand.afterStep(step);
    for (int i = 0; i < static_cast<int>(1.0 / step); ++i) {
        hand.beforeStep(step);
        scene.step(1, step);
        hand.afterStep(step);
    }
    return static_cast<double>(cube->getLinearVelocity().length());
}

TEST(HandBesideAWorldAtLimits, SolidsLeaveAStillHandNoFasterThanTheyCame) {
    EXPECT_LT(leavesWith(2.0, 1.0 / 60), 2.0);
    EXPECT_LT(leavesWith(2.0, 1.0 / 240), 2.0);
    EXPECT_LT(leavesWith(4.0, 1.0 / 240), 4.0);
}

/// A device that stops for a while in its reading.
class StallingDevice : public HandDevice {
public:
    StallingDevice(const ToolPose& aim, double from, double seconds) : m_aim(aim), m_from(from), m_seconds(seconds) {}
    bool read(double time, ToolPose& pose) override {
        if (time > m_from && !m_hasStalled) {
            m_hasStalled = true;
            std::this_thread::sleep_for(std::chrono::duration<double>(m_seconds));
        }
        pose = m_aim;
        return true;
    }
    void write(double, const Wrench&) override {}

private:
    ToolPose m_aim;
    double m_from, m_seconds;
    bool m_hasStalled = false;
};

// A thread that is held up for half a second while it presses: the forces of its last cycles act for one step more.
TEST(HandBesideAWorldAtLimits, AThreadThatIsHeldUpPushesForOneStepMore) {
    const double step = 1.0 / 120, mass = 20.0;
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    const btScalar half{btScalar(kLimitHalf)};
    btRigidBody* box = scene.addRigid(new btBoxShape(btVector3(half, half, half)), mass,
                                      btVector3(0, 0, btScalar(-kLimitHalf - kLimitBall)));
    ToolPose aim;
    aim.position.z() = -0.01;
    const btSphereShape ball{btScalar(kLimitBall)};
    btPliantHandThread hand(ball, ToolPose(), std::make_shared<StallingDevice>(aim, 0.05, 0.5));
    hand.addBody(*box);
    hand.afterStep(step);
    hand.getThread().start();
    double force = 0.0;
    for (int i = 0; i < 50; ++i) {
        hand.beforeStep(step);
        scene.step(1, step);
        hand.afterStep(step);
        force = std::max(force, hand.getThread().report().contact.force.norm());
        std::this_thread::sleep_for(std::chrono::duration<double>(step));
    }
    const Vector3 passed = hand.getThread().report().passed;
    hand.getThread().stop();
    EXPECT_GT(passed.norm(), 0.05) << "N s";
    // Within the half second, before the thread goes on: what it has passed, and one step of its force more.
    EXPECT_LT(mass * static_cast<double>(box->getLinearVelocity().length()), passed.norm() + 1.1 * step * force);
}

TEST(HandBesideAWorldAtLimits, WhatIsInNoWorldGetsAndKeepsNothing) {
    const double step = 1.0 / 120;
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    const btScalar half{btScalar(kLimitHalf)};
    btRigidBody* box = scene.addRigid(new btBoxShape(btVector3(half, half, half)), 1.0,
                                      btVector3(0, 0, btScalar(-kLimitHalf - kLimitBall + 0.005)));
    const btSphereShape ball{btScalar(kLimitBall)};
    btPliantHandThread hand(ball, ToolPose(), std::make_shared<IdentityDevice>(ToolPose()));
    hand.addBody(*box);
    hand.afterStep(step);
    scene.world.removeRigidBody(box);
    hand.beforeStep(step);
    EXPECT_EQ(box->getTotalForce().length(), 0) << "it is in no world";
    hand.afterStep(step);
    scene.world.addRigidBody(box);
    hand.beforeStep(0.2 / hand.getThread().rate());  // shorter than a cycle: what was owed before would act again
    EXPECT_EQ(box->getTotalForce().length(), 0) << "it has not been touched since it came";
}

}  // namespace
}  // namespace pliant::test
