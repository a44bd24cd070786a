// SPDX-License-Identifier: Zlib
// How many directions contact leaves free, and what becomes of steps in them.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "PointSetContact.h"
#include "pliant/hand/ScaledSolve.h"

namespace pliant::test {
namespace {

constexpr double radius = 0.02;

Field boxHole() {  // |x|, |y| <= radius, along z
    return [](const Vector3& x, Vector3& gradient) {
        const int axis = std::abs(x.x()) > std::abs(x.y()) ? 0 : 1;
        gradient = -std::copysign(1.0, x[axis]) * Vector3::Unit(axis);
        return radius - std::abs(x[axis]);
    };
}

Field roundHole() {
    return [](const Vector3& x, Vector3& gradient) {
        const Vector3 out(x.x(), x.y(), 0.0);
        gradient = -out.normalized();
        return radius - out.norm();
    };
}

Field ballHole() {
    return [](const Vector3& x, Vector3& gradient) {
        gradient = -x.normalized();
        return radius - x.norm();
    };
}

Field ground() {
    return [](const Vector3& x, Vector3& gradient) {
        gradient = Vector3::UnitZ();
        return x.z();
    };
}

std::vector<SurfaceSample> squareShaft() {
    std::vector<SurfaceSample> samples;
    for (const double z : {-0.03, -0.01, 0.01, 0.03})
        for (const double t : {-0.9, 0.0, 0.9})
            for (const double side : {-1.0, 1.0}) {
                samples.push_back({radius * Vector3(side, t, z / radius), -side * Vector3::UnitX(), 1e-5});
                samples.push_back({radius * Vector3(t, side, z / radius), -side * Vector3::UnitY(), 1e-5});
            }
    return samples;
}

std::vector<SurfaceSample> roundShaft() {
    std::vector<SurfaceSample> samples;
    for (const double z : {-0.03, 0.0, 0.03})
        for (int i = 0; i < 24; ++i) {
            const Vector3 out(std::cos(i * pi / 12), std::sin(i * pi / 12), 0.0);
            samples.push_back({radius * out + z * Vector3::UnitZ(), -out, 1e-5});
        }
    return samples;
}

std::vector<SurfaceSample> ball() {
    std::vector<SurfaceSample> samples;
    for (int i = 0; i < 24; ++i)
        for (int j = 0; j <= 12; ++j) {
            const double polar = j * pi / 12;
            const Vector3 out(std::sin(polar) * std::cos(i * pi / 12), std::sin(polar) * std::sin(i * pi / 12),
                              std::cos(polar));
            samples.push_back({radius * out, -out, 1e-5});
        }
    return samples;
}

std::vector<SurfaceSample> plate() {
    std::vector<SurfaceSample> samples;
    for (const double x : {-0.03, 0.0, 0.03})
        for (const double y : {-0.03, 0.0, 0.03}) samples.push_back({{x, y, 0.0}, Vector3::UnitZ(), 1e-5});
    return samples;
}

int freeCount(const std::vector<SurfaceSample>& samples, const Field& field, const ToolPose& pose = {}) {
    const WrenchAndSlope contact = pointSetContact(samples, field, 1e9, pose, 1e-9);
    return solveScaled(contact.slope, Vector6::Zero(), 0.02, 1.0).freeCount;
}

TEST(NullSpaces, HaveTheirDimensions) {
    EXPECT_EQ(freeCount(squareShaft(), boxHole()), 1);
    EXPECT_EQ(freeCount(plate(), ground()), 3);
    EXPECT_EQ(freeCount(roundShaft(), roundHole()), 2);
    EXPECT_EQ(freeCount(ball(), ballHole()), 3);
    EXPECT_EQ(freeCount(ball(), roundHole()), 4);
    EXPECT_EQ(freeCount({}, ground()), 6);
}

TEST(NullSpaces, DoNotDependOnTheUnitOfLength) {
    // In millimetres entries of rotations are a million times as large against those of translations.
    Matrix6 slope = pointSetContact(squareShaft(), boxHole(), 1e9, {}, 1e-9).slope;
    slope.rightCols<3>() *= 1e3;
    slope.bottomRows<3>() *= 1e3;
    EXPECT_EQ(solveScaled(slope, Vector6::Zero(), 20.0, 1.0).freeCount, 1);
}

TEST(NullSpaces, AreFollowedAndHeldDirectionsAreNot) {
    const WrenchAndSlope contact = pointSetContact(squareShaft(), boxHole(), 1e9, {}, 1e-9);
    const ScaledStep solved = solveScaled(contact.slope, Vector6::Zero(), 0.02, 1.0);
    Vector6 gap;
    gap << 0.001, 0.002, 0.003, 0.1, 0.2, 0.3;
    Vector6 along = Vector6::Zero();
    along[2] = 0.003;
    EXPECT_LT((freePart(solved, gap, 0.02) - along).norm(), 1e-12);
}

Matrix6 randomSlope(std::mt19937& random) {
    std::normal_distribution<double> normal;
    Matrix6 a;
    for (int i = 0; i < 36; ++i) a(i) = normal(random);
    return a;
}

TEST(ScaledSolve, SolvesWellPosedSystems) {
    std::mt19937 random(3);
    for (int i = 0; i < 200; ++i) {
        const Matrix6 slope = randomSlope(random);
        const Vector6 wrench = randomSlope(random).col(0);
        const ScaledStep solved = solveScaled(slope, wrench, 1.0, 1e-3);
        if (solved.freeCount > 0) continue;
        EXPECT_LT((slope * solved.step + wrench).norm(), 1e-9);
    }
}

// The threshold is the same, whichever of both ways is taken.
TEST(ScaledSolve, CountsAsFreeWhatIsBelowItsThreshold) {
    std::mt19937 random(5);
    for (const double least : {3e-3, 1.2e-3, 0.9e-3, 1e-6, 0.0}) {
        const Eigen::Matrix<double, 6, 6> u =
            Eigen::Matrix<double, 6, 6>(randomSlope(random)).householderQr().householderQ();
        const Eigen::Matrix<double, 6, 6> v =
            Eigen::Matrix<double, 6, 6>(randomSlope(random)).householderQr().householderQ();
        Vector6 sigma;
        sigma << 1.0, 0.5, 0.25, 0.1, 0.05, least;
        const ScaledStep solved =
            solveScaled(Matrix6(u * sigma.asDiagonal() * v.transpose()), Vector6::Ones(), 1.0, 1e-3);
        EXPECT_EQ(solved.freeCount, least < 1e-3 ? 1 : 0) << least;
        if (solved.freeCount == 1) {
            EXPECT_LT(std::abs(solved.step.dot(v.col(5))), 1e-9);
        }
    }
}

}  // namespace
}  // namespace pliant::test
