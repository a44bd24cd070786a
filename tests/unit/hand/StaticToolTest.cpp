// SPDX-License-Identifier: Zlib
// A tool without mass: where it comes to rest, how stiff it feels, how fast it may go.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "PointSetContact.h"

namespace pliant::test {
namespace {

/// A spring of six degrees of freedom at the origin, of translations and small rotations.
ContactFunction linearContact(const Matrix6& stiffness) {
    return [stiffness](const ToolPose& pose) {
        const Vector6 wrench = -stiffness * poseGap(ToolPose(), pose);
        WrenchAndSlope contact;
        contact.wrench = {wrench.head<3>(), wrench.tail<3>()};
        contact.slope = -stiffness;
        return contact;
    };
}

HandSettings unlimited() {
    HandSettings settings;
    settings.limits.speed = settings.limits.angularSpeed = std::numeric_limits<double>::infinity();
    settings.limits.deviceForce = settings.limits.deviceTorque = 1e9;
    return settings;
}

Matrix3 randomStiffness(std::mt19937& random) {
    std::normal_distribution<double> normal;
    Matrix3 a;
    for (int i = 0; i < 9; ++i) a(i) = normal(random);
    return 1e4 * a * a.transpose();
}

// [B07, (4.31)]: no direction feels stiffer than contact and coupling in a row.
TEST(StaticTool, IsNoStifferThanTheBound) {
    std::mt19937 random(11);
    const HandSettings settings = unlimited();
    for (int i = 0; i < 50; ++i) {
        Matrix6 stiffness = Matrix6::Zero();
        stiffness.topLeftCorner<3, 3>() = randomStiffness(random);
        Matrix3 rendered;
        for (int j = 0; j < 3; ++j) {
            StaticTool tool{settings, ToolPose()};
            ToolPose device;
            device.position[j] = 1e-3;
            for (int k = 0; k < 3; ++k) tool.step(device, linearContact(stiffness), 1e-3);
            rendered.col(j) = -renderedWrench(settings, device, tool.pose()).force / 1e-3;
        }
        const double contact = Matrix3(stiffness.topLeftCorner<3, 3>()).operatorNorm();
        const double bound = 1.0 / (1.0 / contact + 1.0 / settings.coupling.stiffness);
        EXPECT_NEAR(rendered.operatorNorm() / bound, 1.0, 1e-9);  // reached along the stiffest direction
    }
}

TEST(StaticTool, ComesToRestWhereWrenchesCancel) {
    Matrix6 stiffness = Matrix6::Zero();
    stiffness.diagonal() << 1e4, 2e4, 500.0, 3.0, 40.0, 1.0;
    StaticTool tool{unlimited(), ToolPose()};
    ToolPose device;
    device.position = Vector3(0.01, -0.02, 0.005);
    Vector6 turn = Vector6::Zero();
    turn.tail<3>() = Vector3(0.05, 0.1, -0.02);
    device = moved(device, turn);
    ToolStep step;
    for (int i = 0; i < 30; ++i) step = tool.step(device, linearContact(stiffness), 1e-3);
    step.contact = linearContact(stiffness)(tool.pose()).wrench;
    EXPECT_LT((step.contact.vector() + step.coupling.vector()).norm(), 1e-6);
}

TEST(StaticTool, FollowsTheDeviceWhereNothingHoldsIt) {
    HandSettings settings;
    settings.coupling.maxForce = 1.0;  // saturated: the slope along the pull vanishes
    StaticTool tool{settings, ToolPose()};
    ToolPose device;
    device.position.x() = 0.3;
    for (int i = 0; i < 499; ++i) tool.step(device, {}, 1e-3);
    EXPECT_NEAR(tool.pose().position.x(), 0.2994, 1e-9) << "0.6 m/s";
    for (int i = 0; i < 3; ++i) tool.step(device, {}, 1e-3);
    EXPECT_NEAR(tool.pose().position.x(), 0.3, 1e-9);
}

TEST(StaticTool, TurnsFromEverySideOfHalfATurn) {
    for (const double degrees : {170.0, 179.9, 180.0, 180.1, 190.0}) {
        StaticTool tool{HandSettings(), ToolPose()};
        Vector6 turn = Vector6::Zero();
        turn.tail<3>() = Vector3(0.6, 0.8, 0.0) * degrees * pi / 180.0;
        const ToolPose device = moved(ToolPose(), turn);
        for (int i = 0; i < 600; ++i) tool.step(device, {}, 1e-3);
        EXPECT_LT(poseGap(tool.pose(), device).norm(), 1e-9) << degrees;
    }
}

TEST(StaticTool, KeepsToItsSpeedAndToItsPlaceWhenContactIsNoNumber) {
    StaticTool tool{HandSettings(), ToolPose()};
    Vector6 far;
    far << 5.0, 0.0, 0.0, 0.0, 2.0, 0.0;
    const ToolPose device = moved(ToolPose(), far);
    tool.step(device, {}, 1e-3);
    const Vector6 step = poseGap(ToolPose(), tool.pose());
    EXPECT_LE(step.head<3>().norm(), 0.6e-3 + 1e-15);
    EXPECT_LE(step.tail<3>().norm(), 0.36 * pi / 180.0 + 1e-15);
    const ToolPose before = tool.pose();
    tool.step(
        device,
        [](const ToolPose&) {
            WrenchAndSlope contact;
            contact.wrench.force.x() = std::nan("");
            return contact;
        },
        1e-3);
    EXPECT_LT(poseGap(before, tool.pose()).norm(), 1e-15);
}

TEST(StaticTool, DampingLeavesOutItsShare) {
    HandSettings settings = unlimited();
    settings.staticDamping = 0.5;
    StaticTool tool{settings, ToolPose()};
    ToolPose device;
    device.position.y() = 1e-3;
    tool.step(device, {}, 1e-3);
    EXPECT_NEAR(tool.pose().position.y(), 0.5e-3, 1e-15);
}

TEST(FollowedPose, GoesNoFasterThanTheLimits) {
    HandLimits limits;
    ToolPose aim;
    aim.position.z() = 0.0009;
    EXPECT_NEAR(followedPose(limits, ToolPose(), aim, 1e-3).position.z(), 0.0006, 1e-15);
    EXPECT_NEAR(followedPose(limits, ToolPose(), aim, 2e-3).position.z(), 0.0009, 1e-15);
}

}  // namespace
}  // namespace pliant::test
