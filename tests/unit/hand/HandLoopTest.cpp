// SPDX-License-Identifier: Zlib
// Whole cycles of a hand: energy that comes back, devices that fail.
#include <gtest/gtest.h>

#include <cmath>

#include "PointSetContact.h"
#include "pliant/hand/HandLoop.h"

namespace pliant::test {
namespace {

constexpr double cycle = 1e-3;

/// Holds the tool where it began, in place and direction.
WrenchAndSlope holdFast(const ToolPose& pose) {
    const Matrix6 slope = -1e12 * Matrix6::Identity();
    const Vector6 wrench = slope * poseGap(ToolPose(), pose);
    return {{wrench.head<3>(), wrench.tail<3>()}, slope};
}

// Work of the device on the coupling while a wall holds the tool: that of the spring, which comes back on the way back.
TEST(HandLoop, TellsTheWorkOfItsDevice) {
    HandSettings settings;
    HandLoop loop(settings, ToolPose());
    double work = 0.0;
    const auto go = [&](const ToolPose& device) {
        for (int i = 0; i < 200; ++i) work += loop.step(&device, holdFast, cycle).work;
    };
    Vector6 way;
    way << 0.01, 0, 0, 0, 0.2, 0;
    go(moved(ToolPose(), way));
    EXPECT_NEAR(work, 0.5 * 800.0 * 1e-4 + 16.0 * (1.0 - std::cos(0.1)), 1e-5) << "J";
    go(ToolPose());
    EXPECT_NEAR(work, 0.0, 1e-7);
}

// Out with a leap beyond saturation, back in small steps: what comes back is what was put in, whatever the speed.
TEST(HandLoop, TellsNoWorkOfASaturatingRoundTrip) {
    HandSettings settings;
    settings.limits.speed = 10.0;
    settings.limits.angularSpeed = 100.0;
    settings.coupling.maxForce = 2.0;
    settings.coupling.maxTorque = 0.5;
    HandLoop loop(settings, ToolPose());
    double work = 0.0;
    const auto go = [&](const Vector6& way) {
        const ToolPose device = moved(ToolPose(), way);
        work += loop.step(&device, holdFast, cycle).work;
    };
    Vector6 way;
    way << 0.01, 0, 0, 0, 0, 0;
    go(way);
    go(2.0 * way);
    // L^2 / 8k + L (x - L / 2k) - L^2 / 4k (1 - exp(1 - 2 k x / L)), L = 2 N, k = 800 N/m, x = 0.02 m.
    EXPECT_NEAR(work, 0.036875 + 0.00125 * std::exp(-15.0), 1e-9) << "J";
    way << 0.02, 0, 0, 0, 0.09, 0;
    go(way);
    for (int i = 200; i >= 0; --i) go(i / 200.0 * way);
    EXPECT_NEAR(work, 0.0, 1e-9) << "J";
}

/// Energy that a hand of fixed motion gets out of a wall which pushes harder on the way out than on the way in.
double energyOfActiveWall(PassivityObserver& observer) {
    double given = 0.0, last = 0.0;
    for (int i = 1; i <= 2000; ++i) {
        const double x = 1e-3 * std::sin(0.05 * i), way = x - last;
        Vector6 motion = Vector6::Zero();
        motion.x() = way;
        Wrench wall;
        wall.force.x() = (way > 0.0 ? 2.0 : 0.5) * (1.0 + 500.0 * x);
        given += observer.step(wall, motion, cycle).force.x() * way;
        last = x;
    }
    return given;
}

TEST(PassivityObserver, LetsAnActiveWallGiveNoEnergy) {
    HandSettings damped, free;
    free.limits.deviceDamping = 0.0;
    damped.limits.deviceDamping = 1e3;
    PassivityObserver without(free), with(damped);
    EXPECT_GT(energyOfActiveWall(without), 0.04);
    EXPECT_LT(without.energy(), -0.04);
    EXPECT_LT(energyOfActiveWall(with), 1e-12);
    EXPECT_GT(with.energy(), -1e-12);
}

TEST(PassivityObserver, DampsNoSpringThatGivesBackWhatItGot) {
    PassivityObserver observer{HandSettings()};
    for (int i = 1; i <= 1000; ++i) {
        // The middle of the way: what a spring takes and gives back, without the error of a step.
        const double before = 0.005 * (1.0 - std::cos(0.01 * (i - 1))), x = 0.005 * (1.0 - std::cos(0.01 * i));
        Wrench spring;
        spring.force.y() = -400.0 * (before + x);
        Vector6 motion = Vector6::Zero();
        motion.y() = x - before;
        EXPECT_NEAR(observer.step(spring, motion, cycle).force.y(), spring.force.y(), 1e-9);
    }
}

// A force of 2 N that draws the hand along at 5 cm/s is damped; the hand that then goes against it pays for what it
// got, and is not hit by the damping's end: at once that would be 1.5 N.
TEST(PassivityObserver, LetsItsDampingGoGradually) {
    PassivityObserver observer{HandSettings()};
    const double most = HandSettings().limits.deviceDamping;
    const Wrench wrench{Vector3(2, 0, 0), Vector3::Zero()};
    Vector6 motion = Vector6::Zero();
    motion[0] = 5e-5;
    for (int i = 0; i < 100; ++i) observer.step(wrench, motion, 1e-3);
    ASSERT_DOUBLE_EQ(observer.damping(), most);
    double last = observer.step(wrench, -motion, 1e-3).force.x(), largest = 0.0;
    for (int i = 0; i < 400; ++i) {
        const double next = observer.step(wrench, -motion, 1e-3).force.x();
        largest = std::max(largest, std::abs(next - last));
        last = next;
    }
    EXPECT_LE(largest, 1.001 * most * 0.05 * 1e-3 / PassivityObserver::kRelease);
    EXPECT_EQ(observer.damping(), 0.0);
    EXPECT_EQ(last, 2.0);
}

// What a device of other limits has left behind is damping of none of this one's.
TEST(PassivityObserver, KeepsADampingThatItGoesOnFromWithinItsLimits) {
    const Wrench wrench{Vector3(-2, 0, 0), Vector3::Zero()};
    Vector6 motion = Vector6::Zero();
    motion[0] = 5e-5;
    for (const double most : {0.0, 30.0}) {
        HandSettings settings;
        settings.limits.deviceDamping = most;
        PassivityObserver observer(settings);
        observer.setDamping(1e200);
        observer.step(wrench, motion, 1e-3);
        EXPECT_LE(observer.damping(), most);
        for (int i = 0; i < 60; ++i) observer.step(wrench, motion, 1e-3);
        EXPECT_EQ(observer.damping(), 0.0) << "it goes within 50 ms";
    }
}

TEST(PassivityObserver, KeepsToTheLimitsOfDeviceAndDamping) {
    HandSettings settings;
    settings.limits.deviceDamping = 5.0;  // less than would do
    PassivityObserver observer(settings);
    Vector6 motion;
    motion << 1e-3, 0, 0, 0.02, 0, 0;
    Wrench wrench;
    wrench.force.x() = 100.0;
    wrench.torque.x() = 100.0;
    for (int i = 0; i < 10; ++i) {
        const Wrench sent = observer.step(wrench, motion, cycle);
        EXPECT_LE(sent.force.norm(), settings.limits.deviceForce * (1.0 + 1e-12));
        EXPECT_LE(sent.torque.norm(), settings.limits.deviceTorque * (1.0 + 1e-12));
        EXPECT_LE(observer.damping(), settings.limits.deviceDamping);
    }
    EXPECT_EQ(observer.damping(), settings.limits.deviceDamping);
}

/// A wall below z = 0 that pushes with 20 kN/m.
WrenchAndSlope wall(const ToolPose& pose) {
    WrenchAndSlope contact;
    if (pose.position.z() >= 0.0) return contact;
    contact.wrench.force.z() = -2e4 * pose.position.z();
    contact.slope(2, 2) = -2e4;
    return contact;
}

/// A hand that presses against the wall from 5 mm inside.
HandLoop pressing(ToolPose& device) {
    HandLoop loop{HandSettings(), ToolPose()};
    for (int i = 1; i <= 100; ++i) {
        device.position.z() = -5e-5 * i;
        loop.step(&device, wall, cycle);
    }
    return loop;
}

struct Failure {
    DeviceStatus status;
    bool sendsNaN;
};

class FailingDevice : public ::testing::TestWithParam<Failure> {};

TEST_P(FailingDevice, IsLetGoSoftlyAndTakenAgain) {
    ToolPose device, bad;
    bad.position.x() = std::nan("");
    HandLoop loop = pressing(device);
    const ToolPose* reading = GetParam().sendsNaN ? &bad : nullptr;
    HandCycle last = loop.step(&device, wall, cycle);
    ASSERT_GT(last.felt.force.z(), 3.5);
    double largestJump = 0.0;
    for (int i = 0; i < 400; ++i) {
        const HandCycle next = loop.step(reading, wall, cycle);
        ASSERT_TRUE(next.felt.vector().allFinite());
        ASSERT_TRUE(isFinite(loop.toolPose()));
        largestJump = std::max(largestJump, (next.felt.force - last.felt.force).norm());
        last = next;
    }
    EXPECT_EQ(last.status, GetParam().status);
    EXPECT_EQ(last.felt.vector().norm(), 0.0);
    EXPECT_LT(last.tool.coupling.force.norm(), 0.02);
    EXPECT_NEAR(loop.toolPose().position.z(), 0.0, 1e-4) << "the tool stays";
    device.position.z() = -0.01;
    for (int i = 0; i < 1000; ++i) {
        const HandCycle next = loop.step(&device, wall, cycle);
        largestJump = std::max(largestJump, (next.felt.force - last.felt.force).norm());
        last = next;
    }
    EXPECT_EQ(last.status, DeviceStatus::Ready);
    EXPECT_NEAR(last.felt.force.z(), 800.0 * 0.01 / (1.0 + 800.0 / 2e4), 1e-6);
    EXPECT_LT(largestJump, 0.2) << "N in a millisecond";
}

INSTANTIATE_TEST_SUITE_P(All, FailingDevice,
                         ::testing::Values(Failure{DeviceStatus::Vanished, false},
                                           Failure{DeviceStatus::NotFinite, true}));

TEST(DeviceGuard, SaysThatADeviceStutters) {
    DeviceGuard guard{HandLimits(), ToolPose()};
    const ToolPose pose;
    for (int i = 0; i < 20; ++i) guard.step(nullptr, cycle);
    EXPECT_EQ(guard.status(), DeviceStatus::Ready) << "slow devices are no broken ones";
    for (int i = 0; i < 20; ++i) guard.step(nullptr, cycle);
    EXPECT_EQ(guard.status(), DeviceStatus::Stuttering);
    EXPECT_EQ(guard.hold(), 1.0);
    guard.step(&pose, cycle);
    EXPECT_EQ(guard.status(), DeviceStatus::Ready);
    EXPECT_STREQ(nameOf(DeviceStatus::Stuttering), "stutters");
}

}  // namespace
}  // namespace pliant::test
