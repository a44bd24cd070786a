// SPDX-License-Identifier: Zlib
// The coupling's wrench and its slope, measured by differences, up to and beyond half a turn.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "PointSetContact.h"
#include "pliant/hand/VirtualCoupling.h"
#include "pliant/math/Error.h"

namespace pliant::test {
namespace {

ToolPose turned(const Vector3& axis, double degrees, const Vector3& position = Vector3::Zero()) {
    Vector6 step;
    step << position, axis.normalized() * degrees * pi / 180.0;
    return moved(ToolPose(), step);
}

Matrix6 slopeByDifferences(const std::function<Vector6(const ToolPose&)>& wrench, const ToolPose& tool) {
    constexpr double h = 1e-6;
    Matrix6 slope;
    for (int j = 0; j < 6; ++j) {
        const Vector6 step = h * Vector6::Unit(j);
        slope.col(j) = (wrench(moved(tool, step)) - wrench(moved(tool, -step))) / (2.0 * h);
    }
    return slope;
}

void expectSlope(const CouplingSettings& settings, const ToolPose& device, const ToolPose& tool) {
    const auto wrench = [&](const ToolPose& pose) { return couple(settings, device, pose).wrench.vector(); };
    const Matrix6 measured = slopeByDifferences(wrench, tool);
    EXPECT_LT((couple(settings, device, tool).slope - measured).norm(), 1e-6 * measured.norm());
}

TEST(Coupling, PullsTheShorterWayOnBothSidesOfHalfATurn) {
    const CouplingSettings settings;
    const Vector3 axis = Vector3(1, 2, -2) / 3.0;
    for (const double degrees : {1.0, 90.0, 179.0, 181.0, 359.0}) {
        const Vector3 torque = couple(settings, turned(axis, degrees), ToolPose()).wrench.torque;
        const double expected = settings.torqueStiffness * std::sin(degrees * pi / 360.0) * (degrees < 180.0 ? 1 : -1);
        EXPECT_NEAR(torque.dot(axis), expected, 1e-12) << degrees;
        EXPECT_LT(torque.cross(axis).norm(), 1e-12);
    }
}

TEST(Coupling, DoesNotDependOnTheSignOfQuaternions) {
    const CouplingSettings settings;
    ToolPose device = turned(Vector3(3, 1, 2), 130.0, Vector3(0.1, 0, 0));
    const Vector6 before = couple(settings, device, ToolPose()).wrench.vector();
    device.rotation.coeffs() *= -1.0;
    EXPECT_LT((couple(settings, device, ToolPose()).wrench.vector() - before).norm(), 1e-14);
}

/// Energy of the coupling from the device's pose to another one, by the wrench at the middle of many small ways.
double energyOfWay(const CouplingSettings& settings, const ToolPose& device, const ToolPose& far) {
    constexpr int parts = 2000;
    const Vector6 way = poseGap(device, far);
    double energy = 0.0;
    for (int i = 0; i < parts; ++i)
        energy -= couple(settings, device, moved(device, (i + 0.5) / parts * way)).wrench.vector().dot(way) / parts;
    return energy;
}

TEST(Coupling, SaysTheIntegralOfItsWrench) {
    CouplingSettings linear, saturating;
    saturating.maxForce = 4.0;
    saturating.maxTorque = 2.0;
    EXPECT_NEAR(mostCouplingEnergy(linear, {}, turned(Vector3::UnitX(), 0.0, Vector3(0, 0.03, 0.04))), 1.0, 1e-12)
        << "800 N/m * (0.05 m)^2 / 2";
    EXPECT_NEAR(mostCouplingEnergy(linear, {}, turned(Vector3::UnitX(), 120.0)), 8.0, 1e-12)
        << "2 * 8 N m * (1 - cos 60 degrees)";
    for (const double degrees : {0.0, 5.0, 40.0, 170.0})
        for (const double stretch : {0.0, 1e-3, 0.01, 0.1}) {
            const ToolPose tool = turned(Vector3(1, 2, -2), degrees, Vector3(0, stretch, 0));
            const double whole = energyOfWay(linear, {}, tool), cut = energyOfWay(saturating, {}, tool);
            EXPECT_NEAR(mostCouplingEnergy(linear, {}, tool), whole, 1e-6 * whole);
            EXPECT_NEAR(mostCouplingEnergy(saturating, {}, tool), cut, 1e-6 * cut) << degrees << " " << stretch;
        }
}

TEST(Coupling, HasTheSlopeOfDifferences) {
    CouplingSettings linear, saturating;
    saturating.maxForce = 4.0;
    saturating.maxTorque = 2.0;
    for (const CouplingSettings& settings : {linear, saturating})
        for (const double degrees : {0.0, 5.0, 60.0, 179.0, 181.0, 300.0})
            for (const double distance : {0.0, 1e-3, 0.0024, 0.0026, 0.02})
                expectSlope(settings, turned(Vector3(1, -1, 0.5), degrees, distance * Vector3(1, 2, 3).normalized()),
                            turned(Vector3(0, 1, 1), 20.0));
}

TEST(Coupling, SaturatesSmoothlyTowardsItsLimits) {
    CouplingSettings settings;
    settings.maxForce = 4.0;
    settings.maxTorque = 3.0;
    const auto force = [&](double x) {
        ToolPose device;
        device.position.x() = x;
        return couple(settings, device, ToolPose()).wrench.force.x();
    };
    EXPECT_DOUBLE_EQ(force(0.002), 1.6);     // linear: 800 N/m
    EXPECT_NEAR(force(0.0025), 2.0, 1e-12);  // half of the limit: where both pieces meet
    EXPECT_NEAR(force(0.0035), 4.0 * (1.0 - 0.5 * std::exp(2.0 * 800.0 * -0.001 / 4.0)), 1e-12);
    EXPECT_NEAR(force(1.0), 4.0, 1e-9);
    for (double x = 0.0; x < 0.02; x += 1e-4) EXPECT_GT(force(x + 1e-4), force(x));
    const double torque = couple(settings, turned(Vector3::UnitY(), 170.0), ToolPose()).wrench.torque.y();
    EXPECT_LT(torque, 3.0);
    EXPECT_GT(torque, 2.5);
}

TEST(Coupling, RendersTheUnsaturatedForceUpToTheDevicesLimit) {
    HandSettings settings;
    settings.coupling.maxForce = 4.0;
    ToolPose device;
    device.position.x() = -0.008;
    EXPECT_NEAR(renderedWrench(settings, device, ToolPose()).force.x(), 6.4, 1e-12);
    device.position.x() = -0.1;
    EXPECT_NEAR(renderedWrench(settings, device, ToolPose()).force.x(), settings.limits.deviceForce, 1e-12);
    device = turned(Vector3::UnitX(), 100.0);
    EXPECT_NEAR(renderedWrench(settings, device, ToolPose()).torque.x(), -settings.limits.deviceTorque, 1e-12);
}

TEST(Coupling, GapTakesOnePoseToTheOther) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    for (int i = 0; i < 100; ++i) {
        const auto any = [&] { return Vector3(normal(random), normal(random), normal(random)); };
        const ToolPose from = turned(any(), 200.0 * normal(random), any()), to = turned(any(), 90.0, any());
        const ToolPose reached = moved(from, poseGap(from, to));
        EXPECT_LT((reached.position - to.position).norm(), 1e-12);
        EXPECT_NEAR(std::abs(reached.rotation.dot(to.rotation)), 1.0, 1e-12);
        EXPECT_LE(poseGap(from, to).tail<3>().norm(), pi + 1e-12);
    }
}

TEST(PointSetContact, HasTheSlopeOfDifferences) {
    const std::vector<SurfaceSample> samples = {{{0.1, 0.02, -0.1}, Vector3(0.3, -0.2, 1).normalized(), 1e-4},
                                                {{-0.1, 0.05, -0.1}, Vector3(0, 0.4, 1).normalized(), 2e-4}};
    const Field ball = [](const Vector3& x, Vector3& gradient) {
        gradient = (x - Vector3(0, 0, -1)).normalized();
        return (x - Vector3(0, 0, -1)).norm() - 0.95;
    };
    const auto contact = [&](const ToolPose& pose) { return pointSetContact(samples, ball, 1e7, pose); };
    const ToolPose pose = turned(Vector3(1, 0, 1), 3.0);
    ASSERT_GT(contact(pose).wrench.force.norm(), 1.0);
    const Matrix6 measured = slopeByDifferences([&](const ToolPose& at) { return contact(at).wrench.vector(); }, pose);
    EXPECT_LT((contact(pose).slope - measured).norm(), 1e-6 * measured.norm());
}

TEST(HandSettings, TellsWhatIsWrongWithThem) {
    const auto message = [](const std::function<void(HandSettings&)>& spoil) {
        HandSettings settings;
        spoil(settings);
        try {
            checkHandSettings(settings, "scene.yaml:7");
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(message([](HandSettings&) {}), "");
    EXPECT_EQ(message([](HandSettings& s) { s.coupling.stiffness = 0.0; }),
              "scene.yaml:7: stiffness of the hand is 0 N/m; give a positive number");
    EXPECT_EQ(message([](HandSettings& s) { s.limits.speed = std::nan(""); }),
              "scene.yaml:7: speed limit of the hand is nan m/s; give a positive number");
    EXPECT_EQ(
        message([](HandSettings& s) { s.limits.deviceForce = -1.0; }),
        "scene.yaml:7: largest force of the device of the hand is -1 N; give a finite number that is not negative");
    EXPECT_EQ(message([](HandSettings& s) { s.staticDamping = 1.0; }),
              "scene.yaml:7: static damping of the hand is 1, with which a tool would never move; give a number from 0 "
              "to below 1");
}

}  // namespace
}  // namespace pliant::test
