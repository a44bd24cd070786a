// SPDX-License-Identifier: Zlib
// The energy that a hand of its own thread may give to bodies, where others than they and its device meddle.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "CubeModel.h"
#include "TestWorld.h"
#include "btPliant/beside/PushLimit.h"
#include "btPliant/btPliantHandThread.h"

namespace pliant::test {
namespace {

constexpr double kLedgerBall = 0.03, kLedgerHalf = 0.1, kLedgerGravity = 9.81;  // m, m, m/s^2
/// Digits of btScalar in two seconds of steps, of the energy of a fall.
constexpr double kLedgerDigits = doublePrecision ? 1e-9 : 1e-4;

HandSettings fastSettings() {
    HandSettings settings;
    settings.limits.speed = 100.0;  // m/s: without a ledger bodies leave such a hand with 3,246 times their energy
    return settings;
}

/// A ball in a fast hand, beside a world without gravity but for what falls on it.
struct LedgerScene {
    explicit LedgerScene(double length,
                         std::shared_ptr<HandDevice> device = std::make_shared<IdentityDevice>(ToolPose()))
        : step(length), hand(ball, ToolPose(), std::move(device), fastSettings()) {
        scene.world.setGravity(btVector3(0, 0, 0));
    }
    btRigidBody* addBox(double mass, double height) {
        const auto half = btScalar(kLedgerHalf);
        return scene.addRigid(new btBoxShape(btVector3(half, half, half)), mass, btVector3(0, 0, btScalar(height)));
    }
    btRigidBody* addFalling(double mass, double drop) {
        btRigidBody* box = addBox(mass, kLedgerHalf + kLedgerBall + drop);
        box->setGravity(btVector3(0, 0, btScalar(-kLedgerGravity)));
        hand.addBody(*box);
        return box;
    }
    /// @param between is called when the world has made its step
    void go(int steps, const std::function<void()>& between = {}) {
        for (int i = 0; i < steps; ++i) {
            hand.beforeStep(step);
            scene.step(1, step);
            if (between) between();
            hand.afterStep(step);
        }
    }
    /// V^2 / 2 + g z - g h V_z / 2, J/kg, which a free fall keeps; z is above where it would touch the resting ball.
    double invariantOf(const btRigidBody& box) const {
        const auto up = static_cast<double>(box.getLinearVelocity().z());
        const double height = static_cast<double>(box.getCenterOfMassPosition().z()) - kLedgerHalf - kLedgerBall;
        return 0.5 * static_cast<double>(box.getLinearVelocity().length2()) +
               kLedgerGravity * (height - 0.5 * step * up);
    }

    double step;
    btSphereShape ball{btScalar(kLedgerBall)};
    TestWorld scene;
    btPliantHandThread hand;
};

/// What has fallen on a hand.
struct Rebound {
    double energy =
        -std::numeric_limits<double>::infinity();  ///< Largest invariant, as a multiple of that of the fall.
    double speed = 0.0;                            ///< Largest one upwards, m/s.
};

Rebound reboundOf(LedgerScene& scene, double mass, double drop) {
    const btRigidBody* box = scene.addFalling(mass, drop);
    Rebound rebound;
    for (int i = 0; i < static_cast<int>(1.0 / scene.step); ++i) {
        scene.go(1);
        rebound.energy = std::max(rebound.energy, scene.invariantOf(*box) / (kLedgerGravity * drop));
        rebound.speed = std::max(rebound.speed, static_cast<double>(box->getLinearVelocity().z()));
    }
    return rebound;
}

// A body comes with 1 m/s and has no numbers as soon as it has been pushed, spoiled by its user: it is neither booked
// nor felt; what falls beside it bounces, and gains nothing.
TEST(HandLedger, ABodyWithoutNumbersDoesNotOpenIt) {
    LedgerScene scene(1.0 / 60);
    btRigidBody* spoiled = scene.addBox(1.0, -kLedgerHalf - kLedgerBall - 0.005);
    spoiled->setLinearVelocity(btVector3(0, 0, 1));
    scene.hand.addBody(*spoiled);
    scene.hand.afterStep(scene.step);
    const auto nan = std::numeric_limits<btScalar>::quiet_NaN();
    bool isPushed = false;
    const auto spoil = [&] {
        isPushed = isPushed || spoiled->getLinearVelocity().z() < btScalar(0.99);
        if (isPushed) spoiled->setLinearVelocity(btVector3(nan, nan, nan));
    };
    const btRigidBody* box = scene.addFalling(0.1, 0.1);
    double most = 0.0, fastest = 0.0;
    for (int i = 0; i < 60; ++i) {
        scene.go(1, spoil);
        if (isPushed) spoiled->setLinearVelocity(btVector3(0, 0, 0));  // the world itself is not to meet it
        most = std::max(most, scene.invariantOf(*box));
        fastest = std::max(fastest, static_cast<double>(box->getLinearVelocity().z()));
    }
    EXPECT_TRUE(isPushed);
    EXPECT_LE(most, (1.0 + kLedgerDigits) * kLedgerGravity * 0.1);
    EXPECT_GT(fastest, 0.3) << "m/s: the hand feels what is sound";
}

/// A solid that comes up to the hand with 1 m/s, and its user spoils as soon as it has been pushed.
struct SpoiledSolid {
    explicit SpoiledSolid(LedgerScene& scene) {
        btPliantBodyInfo info = dampedCube();
        info.m_meshTransform.setOrigin(btVector3(0, 0, btScalar(-0.5 * kCubeSize - kLedgerBall - 0.005)));
        info.m_linearVelocity = btVector3(0, 0, 1);
        body = scene.scene.system->createBody(cube(), info);
        scene.scene.world.addRigidBody(body);
        scene.hand.addBody(*body, btPliantTouchSettings());
    }
    /// Between the world's step and afterStep(): the hand meets what is no number, the world does not.
    void spoil(bool isPlace) {
        const bool wasPushed = isPushed;
        isPushed = isPushed || body->getLinearVelocity().z() < btScalar(0.99);
        if (!isPushed) return;
        if (!wasPushed)
            given = 0.5 * (1.0 - static_cast<double>(body->getLinearVelocity().length2())) /
                    static_cast<double>(body->getInvMass());
        const auto nan = std::numeric_limits<btScalar>::quiet_NaN();
        place = body->getWorldTransform();
        if (!isPlace) body->setLinearVelocity(btVector3(nan, nan, nan));
        if (isPlace) body->setWorldTransform(btTransform(place.getBasis(), btVector3(nan, nan, nan)));
    }
    void mend() {
        if (!isPushed) return;
        body->setWorldTransform(place);
        body->setLinearVelocity(btVector3(0, 0, 0));
    }

    btPliantBody* body = nullptr;
    btTransform place = btTransform::getIdentity();
    bool isPushed = false;
    double given = 0.0;  ///< What it had lost of its 1 m/s when it was spoiled, J; from then on it starts from rest.
};

// The same of a solid, whose points are felt one by one, and of its place: points that are nowhere touch nothing.
TEST(HandLedger, ASolidWithoutNumbersDoesNotOpenIt) {
    for (const bool isPlace : {false, true}) {
        LedgerScene scene(1.0 / 60);
        SpoiledSolid solid(scene);
        scene.hand.afterStep(scene.step);
        const btRigidBody* box = scene.addFalling(0.1, 0.1);
        double most = 0.0, fastest = 0.0;
        for (int i = 0; i < 60; ++i) {
            scene.go(1, [&] { solid.spoil(isPlace); });
            solid.mend();
            most = std::max(most, scene.invariantOf(*box));
            fastest = std::max(fastest, static_cast<double>(box->getLinearVelocity().z()));
            const HandReport report = scene.hand.getThread().report();
            ASSERT_TRUE(report.tool.position.allFinite() && report.felt.vector().allFinite() &&
                        report.contact.vector().allFinite() && report.passed.allFinite() && std::isfinite(report.work))
                << isPlace << " " << i;
        }
        EXPECT_TRUE(solid.isPushed) << isPlace;
        EXPECT_GT(solid.given, 0.0) << isPlace;
        // A solid whose place is no number is booked by its velocity, and only what that has lost may come back, J/kg
        // of the box. Afterwards it is at rest before each push, and what it gets then the hand has to have.
        const double brought = isPlace ? solid.given / 0.1 : 0.0;
        EXPECT_LE(most, (1.0 + kLedgerDigits) * kLedgerGravity * 0.1 + brought) << isPlace;
        EXPECT_GT(fastest, 0.3) << "m/s: the hand feels what is sound " << isPlace;
    }
}

// One body without numbers is left out by itself: what the others take in the same step is booked.
TEST(HandLedger, WorkAndSharesThatAreNoNumberAreNone) {
    btPliantInternal::GivenPush push;
    push.force = Vector3(0, 0, 5);
    EXPECT_DOUBLE_EQ(push.work(Vector3(0, 0, 2), Vector3::Zero(), 0.1), 0.5);
    for (const double none : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        EXPECT_EQ(push.work(Vector3(0, 0, none), Vector3::Zero(), 0.1), 0.0);
        btPliantInternal::PushBounds bounds;
        bounds.rate = none;
        EXPECT_EQ(bounds.asked(), 0.0);
        EXPECT_EQ(bounds.shareIn(btPliantInternal::PushStep()), 0.0);
    }
}

// A kinematic body stands 2 cm in the hand and is driven away with 1 m/s: it takes work that nobody has put in. That is
// its drive's, and no debt of what comes next, which leaves the hand as from one that nothing has touched before.
TEST(HandLedger, WhatADriveHasTakenIsNotOwedByTheNext) {
    LedgerScene fresh(1.0 / 240), used(1.0 / 240);
    btRigidBody* driven = used.addBox(0.0, kLedgerHalf + kLedgerBall - 0.02);
    driven->setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
    driven->setActivationState(DISABLE_DEACTIVATION);
    used.hand.addBody(*driven);
    used.hand.afterStep(used.step);
    double force = 0.0;
    for (int i = 0; i < 120; ++i) {
        btTransform at = driven->getWorldTransform();
        at.getOrigin().setZ(btScalar(kLedgerHalf + kLedgerBall - 0.02 + 1.0 * i * used.step));
        driven->setWorldTransform(at);
        if (driven->getMotionState()) driven->getMotionState()->setWorldTransform(at);
        used.go(1);
        force = std::max(force, used.hand.getThread().report().contact.force.norm());
    }
    EXPECT_GT(force, 5.0) << "N";
    used.hand.removeBody(*driven);
    used.scene.world.removeRigidBody(driven);
    fresh.hand.afterStep(fresh.step);
    const Rebound expected = reboundOf(fresh, 0.1, 0.02), found = reboundOf(used, 0.1, 0.02);
    EXPECT_GT(expected.speed, 0.3) << "m/s, of the 0.63 that it comes with";
    EXPECT_NEAR(found.speed, expected.speed, 0.02 * expected.speed);
    EXPECT_LE(found.energy, 1.0 + kLedgerDigits);
}

/// Presses downwards by 2 cm, rubs to and fro for two seconds, and stands then.
class RubbingDevice : public HandDevice {
public:
    bool read(double time, ToolPose& pose) override {
        pose = ToolPose();
        pose.position.z() = -0.02;
        pose.position.x() = time < 2.0 ? 0.06 * std::sin(12.0 * time) : 0.0;
        return true;
    }
    void write(double, const Wrench&) override {}
};

// What friction has taken of a hand that rubs on a table is not there for a body that falls on it later, while it still
// presses: that gains no more than coupling and surface hold, whose force is the same.
TEST(HandLedger, WhatWasRubbedAwayIsNotGiven) {
    LedgerScene scene(1.0 / 60, std::make_shared<RubbingDevice>());
    btRigidBody* table = scene.addBox(0.0, -kLedgerHalf - kLedgerBall);
    btPliantTouchSettings touch;
    touch.m_friction = 1;
    scene.hand.addBody(*table, touch);
    scene.hand.afterStep(scene.step);
    scene.go(180);
    const HandReport report = scene.hand.getThread().report();
    EXPECT_GT(report.work, 2.0) << "J";
    EXPECT_GT(report.contact.force.z(), 5.0) << "N: it still presses";
    const double mass = 0.1, drop = 0.1;
    const double stored = mostCouplingEnergy(fastSettings().coupling, report.followed, report.tool) +
                          report.contact.force.norm() * (kLedgerBall - report.tool.position.z() - kLedgerBall);
    const Rebound rebound = reboundOf(scene, mass, drop);
    EXPECT_LE(rebound.energy, 1.0 + kLedgerDigits + stored / (mass * kLedgerGravity * drop));
}

// A body is taken away and given back before the end of a step is told, before the world has made it or after: the hand
// has given it what it has given it. Without that each step gives the same energy again.
TEST(HandLedger, WhatIsTakenAwayWithinAStepHasGotItsWork) {
    for (const double mass : {0.1, 3.0})
        for (const bool isMade : {false, true}) {
            LedgerScene scene(1.0 / 60);
            scene.hand.afterStep(scene.step);
            btRigidBody* box = scene.addFalling(mass, 0.1);
            double most = 0.0, fastest = 0.0;
            for (int i = 0; i < 60; ++i) {
                scene.hand.beforeStep(scene.step);
                if (isMade) scene.scene.step(1, scene.step);
                if (box->getLinearVelocity().z() > btScalar(-0.5)) {
                    scene.hand.removeBody(*box);
                    scene.hand.addBody(*box);
                }
                if (!isMade) scene.scene.step(1, scene.step);
                scene.hand.afterStep(scene.step);
                most = std::max(most, scene.invariantOf(*box));
                fastest = std::max(fastest, static_cast<double>(box->getLinearVelocity().z()));
            }
            EXPECT_LE(most, (1.0 + kLedgerDigits) * kLedgerGravity * 0.1) << mass << " " << isMade;
            EXPECT_GT(fastest, 0.1) << mass << " " << isMade;
        }
}

// The same of a step whose end is not told: the next one begins.
TEST(HandLedger, AStepWhoseEndIsNotToldIsBooked) {
    for (const double mass : {0.1, 3.0}) {
        LedgerScene scene(1.0 / 60);
        scene.hand.afterStep(scene.step);
        const btRigidBody* box = scene.addFalling(mass, 0.1);
        double most = 0.0, fastest = 0.0;
        for (int i = 0; i < 60; ++i) {
            scene.hand.beforeStep(scene.step);
            scene.scene.step(1, scene.step);
            const auto up = static_cast<double>(box->getLinearVelocity().z());
            if (up < -0.5 || i % 2 == 0) scene.hand.afterStep(scene.step);
            most = std::max(most, scene.invariantOf(*box));
            fastest = std::max(fastest, up);
        }
        EXPECT_LE(most, (1.0 + kLedgerDigits) * kLedgerGravity * 0.1) << mass;
        EXPECT_GT(fastest, 0.1) << mass;
    }
}

// Two steps are begun for each that the world makes: bodies are pushed twice in it, and gain nothing by that either.
TEST(HandLedger, TwoBeginningsOfAStepAreTwoPushesOfIt) {
    for (const double mass : {0.1, 3.0})
        for (const double step : {1.0 / 60, 1.0 / 240}) {
            LedgerScene scene(step);
            scene.hand.afterStep(scene.step);
            const btRigidBody* box = scene.addFalling(mass, 0.1);
            double most = 0.0, fastest = 0.0;
            for (int i = 0; i < static_cast<int>(1.0 / step); ++i) {
                scene.hand.beforeStep(scene.step);
                scene.go(1);
                most = std::max(most, scene.invariantOf(*box));
                fastest = std::max(fastest, static_cast<double>(box->getLinearVelocity().z()));
            }
            EXPECT_LE(most, (1.0 + kLedgerDigits) * kLedgerGravity * 0.1) << mass << " " << step;
            EXPECT_GT(fastest, 0.05) << mass << " " << step;
        }
}

}  // namespace
}  // namespace pliant::test
