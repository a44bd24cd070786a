// SPDX-License-Identifier: Zlib
// What a hand of its own thread may do to bodies at most: where it stands still, is held up, or they are in no world.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <initializer_list>
#include <thread>
#include <vector>

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
    double energy = 0.0;     ///< The largest, as a multiple of that of the fall.
    double invariant = 0.0;  ///< The same of fallInvariant().
    double speed = 0.0;      ///< The largest one upwards, m/s.
};

/// Energy of a body's turning for its mass, J/kg.
double turningEnergy(const btRigidBody& body) {
    const btVector3 local = body.getWorldTransform().getBasis().transpose() * body.getAngularVelocity();
    double energy = 0.0;
    for (int k = 0; k < 3; ++k) {
        const auto inverse = static_cast<double>(body.getInvInertiaDiagLocal()[k]),
                   rate = static_cast<double>(local[k]);
        energy += 0.5 * rate * rate / inverse;
    }
    return energy * static_cast<double>(body.getInvMass());
}

/// V^2 / 2 + g z - g h V_z / 2 of a body, J/kg, and its turning: steps of a free fall leave it as it is.  @param height
/// above where it would touch, m
double fallInvariant(const btRigidBody& body, double height, double step) {
    const auto speed2 = static_cast<double>(body.getLinearVelocity().length2());
    const auto up = static_cast<double>(body.getLinearVelocity().z());
    return 0.5 * speed2 + turningEnergy(body) + kLimitGravity * (height - 0.5 * step * up);
}

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
    Fallen fallen;
    for (int i = 0; i < static_cast<int>(2.0 / step); ++i) {
        hand.beforeStep(step);
        scene.step(1, step);
        hand.afterStep(step);
        const auto height = static_cast<double>(box->getCenterOfMassPosition().z()) - kLimitHalf - kLimitBall;
        const auto speed2 = static_cast<double>(box->getLinearVelocity().length2());
        const auto up = static_cast<double>(box->getLinearVelocity().z());
        const double ofFall = kLimitGravity * drop;
        fallen.energy = std::max(fallen.energy, (0.5 * speed2 + kLimitGravity * height) / ofFall);
        fallen.invariant = std::max(fallen.invariant, fallInvariant(*box, height, step) / ofFall);
        fallen.speed = std::max(fallen.speed, up);
    }
    return fallen;
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

/// Digits of btScalar in two seconds of steps, of the energy of a fall.
constexpr double kFallDigits = doublePrecision ? 1e-9 : 1e-4;

void expectNoGain(std::initializer_list<double> limits, std::initializer_list<double> rates,
                  std::initializer_list<double> drops, std::initializer_list<double> masses) {
    for (const double limit : limits)
        for (const double hertz : rates)
            for (const double drop : drops)
                for (const double mass : masses) {
                    const Fallen fallen = fallOnAHand(1.0 / hertz, drop, mass, limit);
                    EXPECT_LE(fallen.invariant, 1.0 + kFallDigits)
                        << limit << " " << hertz << " " << drop << " " << mass;
                }
}

// With a higher limit the ledger of the hand decides, which has nothing but what the body has brought. Without it there
// are up to 53 times the energy of the fall at 10 m/s, and 3,246 times at 100.
TEST(HandBesideAWorldAtLimits, NothingThatFallsOnAFastHandGainsEnergy) {
    expectNoGain({10.0, 100.0}, {60.0, 240.0}, {0.1, 0.5}, {0.1, 3.0});
}

TEST(HandBesideAWorldAtLimits, NothingThatFallsOnAnyHandGainsEnergy) {
    expectNoGain({0.7, 1.0, 2.0, 5.0, 10.0, 100.0}, {60.0, 120.0, 240.0}, {0.1, 0.2, 0.5, 1.0}, {0.1, 0.5, 1.0, 3.0});
}

// What friction, damping or a body that is taken away have left behind is nobody's: a heavy box is stopped by a hand
// and vanishes, and a light one falls after it.
TEST(HandBesideAWorldAtLimits, WhatNobodyGetsBackIsForgotten) {
    const double step = 1.0 / 60, drop = 0.1;
    TestWorld scene;
    btRigidBody* heavy = addFalling(scene, 3.0, 0.5);
    HandSettings settings;
    settings.limits.speed = 100.0;
    const btSphereShape ball{btScalar(kLimitBall)};
    btPliantHandThread hand(ball, ToolPose(), std::make_shared<IdentityDevice>(ToolPose()), settings);
    hand.addBody(*heavy);
    hand.afterStep(step);
    const auto stepOnce = [&] {
        hand.beforeStep(step);
        scene.step(1, step);
        hand.afterStep(step);
    };
    double fastest = 0.0;
    for (int i = 0; i < 60 && heavy->getLinearVelocity().z() <= -0.9 * fastest; ++i) {
        fastest = std::max(fastest, -static_cast<double>(heavy->getLinearVelocity().z()));
        stepOnce();
    }
    const auto now = static_cast<double>(heavy->getLinearVelocity().z());
    EXPECT_GT(1.5 * (fastest * fastest - now * now), 3.0) << "J: the hand has stopped it, and not thrown it back yet";
    EXPECT_LT(now, -1.0) << "m/s";
    hand.removeBody(*heavy);
    scene.world.removeRigidBody(heavy);
    for (int i = 0; i < 30; ++i) stepOnce();
    btRigidBody* light = addFalling(scene, 0.1, drop);
    hand.addBody(*light);
    double most = 0.0;
    for (int i = 0; i < 120; ++i) {
        stepOnce();
        const auto z = static_cast<double>(light->getCenterOfMassPosition().z());
        most = std::max(most, fallInvariant(*light, z - kLimitHalf - kLimitBall, step));
    }
    EXPECT_LE(most, (1.0 + kFallDigits) * kLimitGravity * drop);
}

// What one body brings is given once, however many ask for it.
TEST(HandBesideAWorldAtLimits, SeveralBodiesShareWhatTheyBring) {
    const double step = 1.0 / 240, drop = 0.1, thick = 0.03, mass = 3.0;
    TestWorld scene;
    std::vector<const btRigidBody*> boxes;
    HandSettings settings;
    settings.limits.speed = 100.0;
    settings.coupling.torqueStiffness = 1000.0;
    const btBoxShape board{btVector3(btScalar(0.4), btScalar(0.1), btScalar(thick))};
    btPliantHandThread hand(board, ToolPose(), std::make_shared<IdentityDevice>(ToolPose()), settings);
    for (const double x : {-0.25, 0.0, 0.25}) {
        btRigidBody* box = addFalling(scene, mass, drop);
        box->setWorldTransform(
            btTransform(btQuaternion::getIdentity(), btVector3(btScalar(x), 0, btScalar(kLimitHalf + thick + drop))));
        hand.addBody(*box);
        boxes.push_back(box);
    }
    hand.afterStep(step);
    for (int i = 0; i < 240; ++i) {
        hand.beforeStep(step);
        scene.step(1, step);
        hand.afterStep(step);
        double all = 0.0;
        for (const btRigidBody* box : boxes)
            all +=
                fallInvariant(*box, static_cast<double>(box->getCenterOfMassPosition().z()) - kLimitHalf - thick, step);
        EXPECT_LE(all, 3.0 * (1.0 + kFallDigits) * kLimitGravity * drop) << i;
    }
}

// With a higher limit nothing leaves a still hand faster than the limit, or than it came.
TEST(HandBesideAWorldAtLimits, NothingLeavesAStillHandFasterThanItsLimit) {
    for (const double limit : {2.0, 10.0, 100.0})
        for (const double hertz : {60.0, 240.0})
            for (const double mass : {0.1, 3.0}) {
                const double drop = 0.1, came = std::sqrt(2.0 * kLimitGravity * drop) + kLimitGravity / hertz;
                EXPECT_LE(fallOnAHand(1.0 / hertz, drop, mass, limit).speed, 1.001 * std::max(limit, came))
                    << limit << " " << hertz << " " << mass;
            }
}

/// Goes upwards with a steady velocity.
class RisingDevice : public HandDevice {
public:
    explicit RisingDevice(double speed) : m_speed(speed) {}
    bool read(double time, ToolPose& pose) override {
        pose = ToolPose();
        pose.position.z() = m_speed * time;
        return true;
    }
    void write(double, const Wrench&) override {}

private:
    double m_speed;
};

// What the device puts in is passed on: a tool without mass on a spring, whose other end goes with the velocity V, lets
// go of a body with 2 V after half a period, and the device has done 2 M V^2 of work until then. A hand that was held
// to the default limit would leave it 0.6 m/s.
TEST(HandBesideAWorldAtLimits, AFastHandThrowsABodyByTheWorkOfItsDevice) {
    const double step = 1.0 / 240, mass = 30.0, speed = 2.0;
    TestWorld scene;
    btRigidBody* box = addFalling(scene, mass, 0.0);
    box->setGravity(btVector3(0, 0, 0));
    HandSettings settings;
    settings.limits.speed = 10.0;
    const btSphereShape ball{btScalar(kLimitBall)};
    btPliantHandThread hand(ball, ToolPose(), std::make_shared<RisingDevice>(speed), settings);
    hand.addBody(*box);
    hand.afterStep(step);
    double work = 0.0, energy = 0.0;
    for (int i = 0; i < 200; ++i) {
        hand.beforeStep(step);
        scene.step(1, step);
        hand.afterStep(step);
        const auto now = static_cast<double>(box->getLinearVelocity().z());
        work = std::max(work, hand.getThread().report().work);
        energy = std::max(energy, 0.5 * mass * now * now);
        EXPECT_LE(energy, (1.0 + 1e-4) * work) << "in no step there is more than was put in";
    }
    EXPECT_NEAR(static_cast<double>(box->getLinearVelocity().z()), 2.0 * speed, 0.05 * 2.0 * speed);
    EXPECT_NEAR(work, 2.0 * mass * speed * speed, 0.1 * 2.0 * mass * speed * speed);
}

/// A reduced cube that comes onto a still hand in the void. @return how fast it leaves, m/s
double leavesWith(double speed, double step, double limit = HandLimits().speed) {
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
    HandSettings settings;
    settings.limits.speed = limit;
    btPliantHandThread hand(ball, ToolPose(), std::make_shared<IdentityDevice>(ToolPose()), settings);
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
    for (const double limit : {10.0, 100.0})
        for (const double hertz : {60.0, 240.0})
            for (const double speed : {1.0, 2.0, 4.0})
                EXPECT_LE(leavesWith(speed, 1.0 / hertz, limit), 1.00001 * speed)
                    << limit << " " << hertz << " " << speed;
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
