// SPDX-License-Identifier: Zlib
// Bodies in a hand: known answers, energy, limits, broken devices, states.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "BarPoints.h"
#include "btPliant/btPliantTool.h"
#include "pliant/hand/VirtualCoupling.h"
#include "pliant/math/Error.h"

namespace pliant::test {
namespace {

/// A device of any strength, so that what it is sent is the whole coupling.
HandSettings strongDevice() {
    HandSettings settings;
    settings.limits.deviceForce = settings.limits.deviceTorque = 1e6;
    settings.limits.deviceDamping = 0;
    settings.limits.energyCredit = 1e6;
    return settings;
}

btTransform gripAt(const btVector3& at) {
    return btTransform(btMatrix3x3::getIdentity(), at);
}

btRigidBody* addBox(TestWorld& scene, double mass, const btVector3& at = btVector3(0, 0, 0)) {
    return scene.addRigid(new btBoxShape(btVector3(btScalar(0.05), btScalar(0.05), btScalar(0.05))), mass, at);
}

/// A tool in a world, taken out of it at the end.
struct Held {
    Held(TestWorld& world, btRigidBody& body, const btTransform& grip, const HandSettings& settings)
        : scene(world), tool(body, grip, settings), device(tool.getGripPose()) {
        scene.world.addConstraint(&tool);
    }
    ~Held() { scene.world.removeConstraint(&tool); }
    Wrench step(int count = 1, double h = 1.0 / 120.0) {
        Wrench felt;
        for (int i = 0; i < count; ++i) {
            tool.follow(&device, static_cast<btScalar>(h));
            scene.step(1, h);
            felt = tool.feel(static_cast<btScalar>(h));
        }
        return felt;
    }
    TestWorld& scene;
    btPliantTool tool;
    ToolPose device;
};

TEST(Tool, HoldsAWeightWithTheOffsetOfItsSpring) {
    for (const double k : {200.0, 800.0, 2e5})  // h^2 k / m: 0.02 to 17
        for (const bool soft : {false, true}) {
            TestWorld scene;
            btRigidBody* body = soft ? scene.addBar(makeBar(), btVector3(0, 0, 0), dampedBar(20)) : addBox(scene, 0.8);
            const double weight = standardGravity / static_cast<double>(body->getInvMass());
            HandSettings settings = strongDevice();
            settings.coupling.stiffness = k;
            settings.coupling.torqueStiffness = 500;
            Held held(scene, *body, soft ? frameOnBar(0) : gripAt(btVector3(0, 0, 0)), settings);
            const Wrench felt = held.step(1200);
            const Vector3 offset = held.tool.getGripPose().position - held.device.position;
            EXPECT_NEAR(offset.y(), -weight / k, 1e-3 * weight / k) << "k = " << k << ", soft: " << soft;
            EXPECT_NEAR(held.tool.getWrench(btScalar(1.0 / 120)).force.y(), weight, 1e-3 * weight);
            EXPECT_NEAR(felt.force.y(), -weight, 1e-3 * weight) << "k = " << k << ", soft: " << soft;
            EXPECT_LT(offset.head<1>().norm() + felt.torque.norm(), 1e-3 * weight);
        }
}

TEST(Tool, FeelsTheMomentOfWhatItHoldsAtAnEnd) {
    for (const bool soft : {false, true}) {
        TestWorld scene;
        btRigidBody* body = soft ? scene.addBar(makeBar(), btVector3(0, 0, 0), dampedBar(20)) : addBox(scene, 0.8);
        const double weight = standardGravity / static_cast<double>(body->getInvMass());
        HandSettings settings = strongDevice();
        settings.coupling.torqueStiffness = 300;
        Held held(scene, *body, soft ? frameOnBar(-0.5) : gripAt(btVector3(btScalar(-0.3), 0, 0)), settings);
        const Wrench felt = held.step(2400);
        // The frame of a bent bar is its average: its centre of mass is where its mass is.
        const double arm =
            static_cast<double>(body->getCenterOfMassPosition().x()) - held.tool.getGripPose().position.x();
        EXPECT_GT(arm, 0.25);
        EXPECT_NEAR(felt.torque.z(), -weight * arm, 2e-3 * weight * arm) << "soft: " << soft;
        EXPECT_NEAR(felt.force.y(), -weight, 2e-3 * weight) << "soft: " << soft;
        const double angle = 2.0 * std::asin(felt.torque.norm() / 300.0);
        EXPECT_NEAR(poseGap(held.device, held.tool.getGripPose()).tail<3>().norm(), angle, 1e-3 * angle);
    }
}

TEST(Tool, TurnsFreelyToTheDeviceNoFasterThanItsLimit) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btRigidBody* box = addBox(scene, 0.5);
    Held held(scene, *box, gripAt(btVector3(btScalar(0.02), 0, 0)), strongDevice());
    held.device.rotation = Rotation(Eigen::AngleAxisd(2.5, Vector3(1, 2, 2) / 3.0));
    const double most = 2.0 * 3.14159265358979323846;
    int steps = 0;
    while (poseGap(held.tool.getGripPose(), held.device).tail<3>().norm() > 0.01 && steps < 600) {
        held.step();
        EXPECT_LE(static_cast<double>(box->getAngularVelocity().length()), most * 1.01);
        ++steps;
    }
    EXPECT_GE(steps / 120.0, 2.5 / most) << "360 degrees a second";
    EXPECT_LT(steps, 240);
    held.step(240);
    EXPECT_LT(poseGap(held.tool.getGripPose(), held.device).norm(), doublePrecision ? 1e-6 : 1e-4);
}

TEST(Tool, PressesWithTheSaturatedForceAndNoMore) {
    for (const double behind : {0.01, 0.05, 0.5}) {  // m; the law is linear up to 0.0125
        TestWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        scene.addRigid(new btBoxShape(btVector3(btScalar(0.5), 1, 1)), 0, btVector3(btScalar(0.5505), 0, 0));
        btRigidBody* box = addBox(scene, 0.3);
        HandSettings settings = strongDevice();
        settings.coupling.stiffness = 400;
        settings.coupling.maxForce = 10;
        Held held(scene, *box, gripAt(btVector3(0, 0, 0)), settings);
        held.device.position.x() = behind;
        held.step(360);
        const double gap = (held.tool.getFollowedPose().position - held.tool.getGripPose().position).norm();
        EXPECT_GT(gap, 0.9 * behind - 0.001);
        const double force = held.tool.getWrench(btScalar(1.0 / 120)).force.x();
        EXPECT_NEAR(force, saturatedForce(400, 10, gap), 0.01) << behind;
        EXPECT_LE(force, 10.0);
        if (behind > 0.1) {
            EXPECT_NEAR(force, 10.0, 1e-3);
        }
    }
}

// Released from a wall with the device half a metre behind it.
TEST(Tool, DrivesNothingFasterThanItsLimits) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btRigidBody* box = addBox(scene, 0.05);
    HandSettings settings = strongDevice();
    settings.coupling.stiffness = 5000;
    Held held(scene, *box, gripAt(btVector3(0, 0, 0)), settings);
    held.device.position.x() = 0.5;
    box->setLinearFactor(btVector3(0, 1, 1));
    held.step(200);
    EXPECT_GT(held.tool.getFollowedPose().position.x(), 0.49);
    box->setLinearFactor(btVector3(1, 1, 1));
    double fastest = 0;
    for (int i = 0; i < 240; ++i) {
        held.step();
        fastest = std::max(fastest, static_cast<double>(box->getLinearVelocity().length()));
    }
    EXPECT_LE(fastest, 0.6 * 1.001);
    EXPECT_GT(fastest, 0.5);
    EXPECT_NEAR(held.tool.getGripPose().position.x(), 0.5, 1e-3);
}

// A pull of 2,400 N at an arm of 2 cm: the moment changes by 40 I / h^2 a radian as the arm turns.
TEST(Tool, PullsStiffArmsStraight) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btRigidBody* box = addBox(scene, 0.05);
    HandSettings settings = strongDevice();
    settings.coupling.stiffness = 5000;
    Held held(scene, *box, gripAt(btVector3(0, btScalar(0.02), 0)), settings);
    held.device.position.x() = 0.5;
    box->setLinearFactor(btVector3(0, 0, 0));
    held.step(600);
    EXPECT_LT(box->getAngularVelocity().length(), 0.01) << "it swings";
    const Vector3 arm = held.tool.getGripPose().position;
    EXPECT_GT(arm.normalized().x(), 0.95);
}

/// Energy of the coupling's two springs at its present gap, J: the integral of the law.
double springEnergy(const btPliantTool& tool) {
    const CouplingSettings& coupling = tool.getSettings().coupling;
    const Vector6 gap = poseGap(tool.getGripPose(), tool.getFollowedPose());
    const double way = gap.head<3>().norm(), angle = gap.tail<3>().norm();
    double sum = 0;
    constexpr int parts = 2000;
    for (int i = 0; i < parts; ++i) {
        const double share = (i + 0.5) / parts;
        sum += saturatedForce(coupling.stiffness, coupling.maxForce, share * way) * way / parts;
        sum +=
            saturatedForce(coupling.torqueStiffness, coupling.maxTorque, std::sin(0.5 * share * angle)) * angle / parts;
    }
    return sum;
}

double energyOf(const btRigidBody& body) {
    if (const btPliantBody* soft = btPliantBody::upcast(&body))
        return soft->getKineticEnergy() + soft->getStrainEnergy();
    const btVector3 &v = body.getLinearVelocity(), &w = body.getAngularVelocity();
    const btVector3 momentum = body.getInvInertiaTensorWorld().inverse() * w;
    return 0.5 * static_cast<double>(v.length2() / body.getInvMass() + w.dot(momentum));
}

// Any step, stiffness and saturation, with and without damping; what turns is slow, because frames turn by h w.
TEST(Tool, AStillHandNeverGivesEnergy) {
    for (const bool soft : {false, true})
        for (const double h : {1.0 / 1000, 1.0 / 120, 1.0 / 30})
            for (const double k : {50.0, 5e3, 5e6})
                for (const double limit : {2.0, std::numeric_limits<double>::infinity()})
                    for (const double damping : {0.0, 1.0}) {
                        TestWorld scene;
                        scene.world.setGravity(btVector3(0, 0, 0));
                        btRigidBody* body = soft ? scene.addBar(makeBar(), btVector3(0, 0, 0)) : addBox(scene, 0.4);
                        HandSettings settings = strongDevice();
                        settings.coupling.stiffness = k;
                        settings.coupling.torqueStiffness = 0.01 * k;
                        settings.coupling.maxForce = limit;
                        settings.coupling.maxTorque = 0.1 * limit;
                        settings.dampingRatio = damping;
                        Held held(scene, *body, soft ? frameOnBar(0.3) : gripAt(btVector3(btScalar(0.03), 0, 0)),
                                  settings);
                        body->setLinearVelocity(btVector3(btScalar(0.3), btScalar(-0.2), btScalar(0.1)));
                        body->setAngularVelocity(btVector3(btScalar(0.05), btScalar(0.1), btScalar(-0.05)));
                        double last = energyOf(*body) + springEnergy(held.tool);
                        const double before = last;
                        for (int i = 0; i < 150; ++i) {
                            held.step(1, h);
                            const double energy = energyOf(*body) + springEnergy(held.tool);
                            ASSERT_LE(energy, last + (doublePrecision ? 1e-12 : 1e-6) * before)
                                << "soft " << soft << " h " << h << " k " << k << " limit " << limit << " damping "
                                << damping << " step " << i;
                            last = energy;
                        }
                        EXPECT_LT(last, before);
                    }
}

TEST(Tool, LetsGoSoftlyOfAWeightWhenItsDeviceFails) {
    for (const bool sendsNaN : {false, true}) {
        TestWorld scene;
        btRigidBody* box = addBox(scene, 0.4);
        HandSettings settings = strongDevice();
        settings.limits.silence = 0.046;
        Held held(scene, *box, gripAt(btVector3(0, 0, 0)), settings);
        held.step(240);
        const double weight = 0.4 * standardGravity;
        ToolPose bad;
        bad.position.setConstant(std::numeric_limits<double>::quiet_NaN());
        double last = held.tool.getWrench(btScalar(1.0 / 120)).force.norm(), hardest = 0;
        EXPECT_NEAR(last, weight, 1e-3);
        for (int i = 0; i < 60; ++i) {
            held.tool.follow(sendsNaN ? &bad : nullptr, btScalar(1.0 / 120));
            scene.step();
            const Wrench felt = held.tool.feel(btScalar(1.0 / 120));
            const double force = held.tool.getWrench(btScalar(1.0 / 120)).force.norm();
            EXPECT_TRUE(felt.vector().allFinite());
            hardest = std::max(hardest, std::abs(force - last));
            last = force;
        }
        EXPECT_EQ(held.tool.getDeviceStatus(), sendsNaN ? DeviceStatus::NotFinite : DeviceStatus::Vanished);
        EXPECT_EQ(held.tool.getHold(), 0.0);
        EXPECT_EQ(last, 0.0);
        EXPECT_LT(hardest, 0.3 * weight) << "no jump";
        EXPECT_LT(box->getLinearVelocity().y(), -1.0) << "it falls";
        held.step(600);  // the device is back, and what it did is still told
        EXPECT_EQ(held.tool.getDeviceStatus(), DeviceStatus::Ready);
        // 240 good steps, and the sixth without a pose is the first after 0.046 s.
        EXPECT_EQ(held.tool.getDeviceMessage(),
                  sendsNaN ? "sent what is no number, or nothing after it, at 2.05 s, and the hand let go until it was "
                             "back; mend the program that sends, or its calibration"
                           : "sent nothing for 0.046 s at 2.05 s, and the hand let go until it was back; see that it "
                             "is plugged in and that its program runs from the start");
        EXPECT_NEAR(held.tool.getGripPose().position.y(), held.device.position.y() - weight / 800, 1e-3);
    }
}

TEST(Tool, HoldsOnWhileItsDeviceStuttersAndTellsIt) {
    TestWorld scene;
    btRigidBody* box = addBox(scene, 0.4);
    HandSettings settings = strongDevice();
    settings.limits.silence = 0.046;
    Held held(scene, *box, gripAt(btVector3(0, 0, 0)), settings);
    held.step(240);
    EXPECT_EQ(held.tool.getDeviceMessage(), "");
    const double weight = 0.4 * standardGravity;
    for (int i = 0; i < 60; ++i) {  // a pose in five steps: 0.033 s without
        held.tool.follow(i % 5 == 4 ? &held.device : nullptr, btScalar(1.0 / 120));
        scene.step();
        held.tool.feel(btScalar(1.0 / 120));
        EXPECT_NEAR(held.tool.getWrench(btScalar(1.0 / 120)).force.norm(), weight, 1e-3);
        EXPECT_EQ(held.tool.getHold(), 1.0);
    }
    EXPECT_EQ(held.tool.getDeviceMessage(),
              "sent no pose for 0.023 s 12 times, first at 2.025 s, and the hand nearly let go; leave its program and "
              "its network more room, and see that what it sends are numbers");
}

TEST(Tool, TwoHandsShareABody) {
    TestWorld scene;
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 0, 0), dampedBar(20));
    const double weight = standardGravity / static_cast<double>(bar->getInvMass());
    Held left(scene, *bar, frameOnBar(-0.4), strongDevice()), right(scene, *bar, frameOnBar(0.4), strongDevice());
    for (int i = 0; i < 1200; ++i) {
        left.tool.follow(&left.device, btScalar(1.0 / 120));
        right.tool.follow(&right.device, btScalar(1.0 / 120));
        scene.step();
    }
    EXPECT_NEAR(left.tool.getWrench(btScalar(1.0 / 120)).force.y(), 0.5 * weight, 1e-2 * weight);
    EXPECT_NEAR(right.tool.getWrench(btScalar(1.0 / 120)).force.y(), 0.5 * weight, 1e-2 * weight);
}

/// A bar in one hand stirs among bars, a box in the other presses on them.
struct Stirring {
    explicit Stirring(int threads) : scene(info(threads)) {
        scene.world.getDispatchInfo().m_deterministicOverlappingPairs = true;
        scene.addGround();
        const auto model = makeBar();
        for (int i = 0; i < 6; ++i)
            bars.push_back(scene.addBar(model, btVector3(0, btScalar(0.1 + 0.12 * i), btScalar(0.02 * i)), dampedBar(1),
                                        btQuaternion(btVector3(0, 1, 0), btScalar(0.7 * i))));
        bars.push_back(scene.addBar(model, btVector3(btScalar(0.2), btScalar(0.9), 0), dampedBar(1)));
        box = addBox(scene, 0.5, btVector3(btScalar(-0.3), btScalar(1.2), 0));
        HandSettings settings = strongDevice();
        settings.coupling.maxForce = 40;
        spoon = std::make_unique<Held>(scene, *bars.back(), frameOnBar(0.4), settings);
        fist = std::make_unique<Held>(scene, *box, gripAt(btVector3(0, btScalar(0.05), 0)), settings);
        start[0] = spoon->device;
        start[1] = fist->device;
    }
    static btPliantSystemInfo info(int threads) {
        btPliantSystemInfo info;
        info.m_threads = threads;
        return info;
    }
    void step(int i) {
        const double t = i / 120.0;
        spoon->device.position = start[0].position + Vector3(0.2 * std::sin(3 * t), -0.4 * t, 0.2 * std::sin(2 * t));
        fist->device.position = start[1].position + Vector3(0, -0.5 * t, 0);
        for (Held* held : {spoon.get(), fist.get()}) held->tool.follow(&held->device, btScalar(1.0 / 120));
        scene.step();
        for (Held* held : {spoon.get(), fist.get()}) felt = held->tool.feel(btScalar(1.0 / 120));
    }
    std::vector<double> bits() const {
        std::vector<double> all;
        for (const btPliantBody* bar : bars) {
            for (const double q : bar->getReducedCoordinates()) all.push_back(q);
            for (int k = 0; k < 3; ++k) all.push_back(static_cast<double>(bar->getCenterOfMassPosition()[k]));
        }
        for (int k = 0; k < 3; ++k) all.push_back(static_cast<double>(box->getCenterOfMassPosition()[k]));
        for (int k = 0; k < 6; ++k) all.push_back(felt.vector()[k]);
        return all;
    }
    TestWorld scene;
    std::vector<btPliantBody*> bars;
    btRigidBody* box;
    std::unique_ptr<Held> spoon, fist;
    ToolPose start[2];
    Wrench felt;
};

TEST(Tool, HasTheSameBitsForAnyNumberOfWorkers) {
    std::vector<double> first;
    for (const int threads : {1, 2, 3}) {
        Stirring world(threads);
        for (int i = 0; i < 200; ++i) world.step(i);
        EXPECT_GT(world.scene.system->getStats().m_contacts, 10);
        EXPECT_GT(world.felt.force.norm(), 1.0) << "nothing is pressed";
        if (first.empty()) first = world.bits();
        EXPECT_TRUE(world.bits() == first) << threads << " threads";
    }
}

TEST(Tool, GoesOnWithTheSameBitsFromASavedWorld) {
    Stirring world(1);
    std::vector<std::byte> blob;
    for (int i = 0; i < 260; ++i) {
        if (i == 130) world.scene.system->saveState(blob);
        world.step(i);
    }
    const std::vector<double> expected = world.bits();
    ASSERT_EQ(world.scene.system->restoreState(blob.data(), blob.size()), StateStatus::Ok);
    for (int i = 130; i < 260; ++i) world.step(i);
    EXPECT_TRUE(world.bits() == expected) << "in its own world";
    Stirring fresh(1);
    for (int i = 0; i < 11; ++i) fresh.step(i);
    ASSERT_EQ(fresh.scene.system->restoreState(blob.data(), blob.size()), StateStatus::Ok);
    for (int i = 130; i < 260; ++i) fresh.step(i);
    EXPECT_TRUE(fresh.bits() == expected) << "in a new world";
}

TEST(Tool, RefusesWhatItCannotHold) {
    TestWorld scene;
    btRigidBody* wall = addBox(scene, 0);
    EXPECT_THROW(btPliantTool(*wall, btTransform::getIdentity()), Error);
    btRigidBody* box = addBox(scene, 1);
    HandSettings settings;
    settings.coupling.stiffness = -1;
    EXPECT_THROW(btPliantTool(*box, btTransform::getIdentity(), settings), Error);
}

}  // namespace
}  // namespace pliant::test
