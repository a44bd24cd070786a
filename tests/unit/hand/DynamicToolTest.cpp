// SPDX-License-Identifier: Zlib
// A tool with mass: convergence to the exact swing of its coupling, rest, and steps far too long for explicit ones.
#include <gtest/gtest.h>

#include <cmath>

#include "PointSetContact.h"
#include "pliant/hand/DynamicTool.h"

namespace pliant::test {
namespace {

HandSettings undamped() {
    HandSettings settings;
    settings.dampingRatio = 0.0;
    settings.limits.speed = settings.limits.angularSpeed = std::numeric_limits<double>::infinity();
    return settings;
}

/// Distance from where a free swing of 10 mm should be after a tenth of a second.
double swingError(double dt) {
    const HandSettings settings = undamped();
    ToolPose start;
    start.position.x() = 0.01;
    DynamicTool tool{settings, ToolMass(), start};
    for (int i = 0; i < std::lround(0.1 / dt); ++i) tool.step(ToolPose(), Vector6::Zero(), {}, dt);
    const double omega = std::sqrt(settings.coupling.stiffness / ToolMass().mass);
    return std::abs(tool.pose().position.x() - 0.01 * std::cos(0.1 * omega));
}

TEST(DynamicTool, ConvergesToTheSwingOfItsCoupling) {
    const double coarse = swingError(2e-5), fine = swingError(1e-5);
    EXPECT_LT(fine, 1e-4);
    EXPECT_NEAR(coarse / fine, 2.0, 0.1) << "of first order";
}

TEST(DynamicTool, ComesToTheDeviceAndStays) {
    DynamicTool tool{HandSettings(), ToolMass(), ToolPose()};
    Vector6 away;
    away << 0.01, 0.02, -0.01, 1.0, -1.0, 0.5;
    const ToolPose device = moved(ToolPose(), away);
    for (int i = 0; i < 2000; ++i) tool.step(device, Vector6::Zero(), {}, 1e-3);
    EXPECT_LT(poseGap(tool.pose(), device).norm(), 1e-6);
    EXPECT_LT(tool.velocity().norm(), 1e-6);
}

TEST(DynamicTool, RestsOnAStiffWallAtAKilohertz) {
    std::vector<SurfaceSample> plate;
    for (const double x : {-0.02, 0.02})
        for (const double y : {-0.02, 0.02}) plate.push_back({{x, y, 0.0}, Vector3::UnitZ(), 4e-4});
    const Field ground = [](const Vector3& x, Vector3& gradient) {
        gradient = Vector3::UnitZ();
        return x.z();
    };
    const ContactFunction contact = [&](const ToolPose& pose) {  // 16 MN/m at 100 g: omega h is 12.6
        return pointSetContact(plate, ground, 1e10, pose);
    };
    ToolPose device;
    device.position.z() = 0.002;
    DynamicTool tool{HandSettings(), ToolMass(), device};
    device.position.z() = -0.005;
    for (int i = 0; i < 2000; ++i) tool.step(device, Vector6::Zero(), contact, 1e-3);
    EXPECT_NEAR(tool.pose().position.z(), 0.0, 1e-6);
    EXPECT_NEAR(contact(tool.pose()).wrench.force.z(), 800.0 * 0.005, 0.01);
}

TEST(DynamicTool, KeepsToItsSpeed) {
    DynamicTool tool{HandSettings(), ToolMass(), ToolPose()};
    ToolPose device;
    device.position.x() = 10.0;
    for (int i = 0; i < 100; ++i) tool.step(device, Vector6::Zero(), {}, 1e-3);
    EXPECT_NEAR(tool.velocity().head<3>().norm(), 0.6, 1e-12);
}

// What turns freely keeps its angular momentum to the order of the step.
TEST(DynamicTool, TumblesWithItsGyroscopicTorque) {
    HandSettings settings = undamped();
    settings.coupling.torqueStiffness = 1e-12;
    ToolMass mass;
    mass.inertia.diagonal() << 1e-4, 2e-4, 3e-4;
    DynamicTool tool{settings, mass, ToolPose()};
    WrenchAndSlope push;
    push.wrench.torque = Vector3(0.02, 0.4, 0.05);
    for (int i = 0; i < 100; ++i)
        tool.step(
            tool.pose(), tool.velocity(), [&](const ToolPose&) { return push; }, 1e-5);
    const auto momentum = [&] {
        const Matrix3 turn = tool.pose().rotation.toRotationMatrix();
        return Vector3(turn * mass.inertia * turn.transpose() * tool.velocity().tail<3>());
    };
    const Vector3 before = momentum();
    EXPECT_LT((before - 1e-3 * push.wrench.torque).norm(), 0.02 * before.norm());
    for (int i = 0; i < 100000; ++i) tool.step(ToolPose{tool.pose()}, Vector6::Zero(), {}, 1e-5);
    EXPECT_LT((momentum() - before).norm(), 0.02 * before.norm());
}

}  // namespace
}  // namespace pliant::test
