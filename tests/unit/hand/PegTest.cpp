// SPDX-License-Identifier: Zlib
// A square peg in a square hole, 0.2 mm of clearance, pushed about by a hand with a tremor. The pressure is one of
// those at which a single Newton step a cycle follows the contact; docs/hand.md says where it does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "PointSetContact.h"

namespace pliant::test {
namespace {

constexpr double half = 0.01;         // half the width of the peg, m
constexpr double clearance = 0.2e-3;  // on each side, m

/// The faces of a peg, 60 mm long, sampled every millimetre.
std::vector<SurfaceSample> peg() {
    std::vector<SurfaceSample> samples;
    for (double z = -0.03; z < 0.0301; z += 1e-3)
        for (double t = -half; t < half + 1e-6; t += 1e-3)
            for (const double side : {-1.0, 1.0}) {
                samples.push_back({{side * half, t, z}, -side * Vector3::UnitX(), 1e-6});
                samples.push_back({{t, side * half, z}, -side * Vector3::UnitY(), 1e-6});
            }
    return samples;
}

double hole(const Vector3& x, Vector3& gradient) {
    const int axis = std::abs(x.x()) > std::abs(x.y()) ? 0 : 1;
    gradient = -std::copysign(1.0, x[axis]) * Vector3::Unit(axis);
    return half + clearance - std::abs(x[axis]);
}

/// What a hand does that leans on the walls while it pushes the peg through, and trembles by 0.1 mm at 9 Hz.
ToolPose handAt(double t) {
    const double tremor = 1e-4;
    Vector6 step;
    step << 1e-3 * std::sin(2.0 * pi * 0.7 * t) + tremor * std::sin(2.0 * pi * 9.0 * t),
        1e-3 * std::sin(2.0 * pi * 0.5 * t) + tremor * std::sin(2.0 * pi * 9.3 * t), 0.01 * t,
        0.01 * std::sin(2.0 * pi * 0.4 * t), 0.01 * std::sin(2.0 * pi * 0.6 * t), 0.02 * std::sin(2.0 * pi * 0.3 * t);
    return moved(ToolPose(), step);
}

struct PegRun {
    double depth = 0.0;      // greatest penetration, m
    double roughness = 0.0;  // rms of the force's second differences as a share of its own rms
    double slide = 0.0;      // where the peg got to along the hole, m
};

PegRun pushPeg(double stiffness) {
    const std::vector<SurfaceSample> samples = peg();
    const Field field = hole;
    HandSettings settings;
    settings.gyrationRadius = 0.02;
    StaticTool tool{settings, ToolPose()};
    const ContactFunction contact = [&](const ToolPose& pose) {
        return pointSetContact(samples, field, stiffness, pose);
    };
    PegRun run;
    std::vector<Vector3> forces;
    ToolPose followed;
    for (int i = 0; i < 2000; ++i) {
        followed = followedPose(settings.limits, followed, handAt(1e-3 * i), 1e-3);
        forces.push_back(tool.step(followed, contact, 1e-3).coupling.force);
        Vector3 gradient;
        for (const SurfaceSample& sample : samples)
            run.depth = std::max(run.depth, -hole(tool.pose().point(sample.position), gradient));
    }
    double jumps = 0.0, squares = 0.0;
    for (size_t i = 500; i + 1 < forces.size(); ++i) {
        jumps += (forces[i + 1] - 2.0 * forces[i] + forces[i - 1]).squaredNorm();
        squares += forces[i].squaredNorm();
    }
    run.roughness = std::sqrt(jumps / squares);
    run.slide = tool.pose().position.z();
    return run;
}

TEST(Peg, StaysShallowAndSmooth) {
    const PegRun run = pushPeg(3e9);
    EXPECT_LT(run.depth, 0.04e-3);
    EXPECT_LT(run.roughness, 0.0015);
    EXPECT_NEAR(run.slide, 0.02, 1e-3) << "nothing holds the peg along the hole";
}

// A mirror across x turns the force's x and the torque's y and z about. Places of up to 0.05 m, of the peg and of its
// points, are rounded to 7e-18 m a few times, at 3e3 N/m each: 1e-13 N of a point at most, 5e-10 N of 5,124 whose
// errors all agree. The hole has no end and its walls are along z, so that an upright peg feels nothing along it, not
// even by rounding.
TEST(Peg, AMirrorImageIsPushedByTheMirrorImage) {
    const std::vector<SurfaceSample> samples = peg();
    const Field field = hole;
    double axial = 0.0, largest = 0.0;
    const double precision = 5e-10;  // N, and N m at arms below 0.04 m
    for (int i = 0; i < 40; ++i) {
        Vector6 step;
        step << 3e-4 * std::sin(1.3 * i), 3e-4 * std::cos(0.9 * i), 1e-3 * i, 0.01 * std::sin(0.7 * i),
            0.01 * std::cos(1.1 * i), 0.02 * std::sin(0.5 * i);
        Vector6 mirrored = step;
        for (const int k : {0, 4, 5}) mirrored[k] = -step[k];
        const Wrench one = pointSetContact(samples, field, 3e9, moved(ToolPose(), step)).wrench;
        const Wrench other = pointSetContact(samples, field, 3e9, moved(ToolPose(), mirrored)).wrench;
        EXPECT_LT((Vector3(-1, 1, 1).cwiseProduct(other.force) - one.force).norm(), precision) << i;
        EXPECT_LT((Vector3(1, -1, -1).cwiseProduct(other.torque) - one.torque).norm(), precision) << i;
        largest = std::max(largest, one.force.norm());
        step.tail<3>().setZero();
        axial =
            std::max(axial, std::abs(pointSetContact(samples, field, 3e9, moved(ToolPose(), step)).wrench.force.z()));
    }
    EXPECT_GT(largest, 1.0) << "N";
    EXPECT_EQ(axial, 0.0);
}

}  // namespace
}  // namespace pliant::test
