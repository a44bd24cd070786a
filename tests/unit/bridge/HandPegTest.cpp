// SPDX-License-Identifier: Zlib
// The square peg of tests/unit/hand/PegTest.cpp with the contact that users have: a box in a hand beside the world, and
// a hole of four walls that are boxes of Bullet's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "TestWorld.h"
#include "btPliant/btPliantHandThread.h"

namespace pliant::test {
namespace {

constexpr double kPegHalf = 0.01, kPegLength = 0.06;  // m
constexpr double kPegClearance = 0.2e-3;              // m, on each side
constexpr double kPegCycle = 1e-3;                    // s
constexpr double kPegInset = 0.45e-3;                 // m, of its outermost points: half a piece of its sides
constexpr int kPegCycles = 2000;

/// A hand that leans on the walls while it pushes the peg through, and trembles by 0.1 mm at 9 Hz.
class LeaningHand : public HandDevice {
public:
    bool read(double time, ToolPose& pose) override {
        const double tremor = 1e-4, t = time;
        const auto turns = [t](double hertz) { return std::sin(2.0 * SIMD_PI * hertz * t); };
        Vector6 step;
        step << 1e-3 * turns(0.7) + tremor * turns(9.0), 1e-3 * turns(0.5) + tremor * turns(9.3), 0.01 * t,
            0.01 * turns(0.4), 0.01 * turns(0.6), 0.02 * turns(0.3);
        pose = moved(ToolPose(), step);
        return true;
    }
    void write(double, const Wrench&) override {}
};

/// Greatest depth of a peg in the walls, m: they are plane, so that its corners are deepest. @param inset m, of what
/// counts as a corner from the ends of its edges
double depthInWalls(const ToolPose& pose, double inset) {
    double depth = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
        const double along = (corner & 4 ? 1 : -1) * (kPegLength / 2 - inset);
        const double across = (corner & 2 ? 1 : -1) * (kPegHalf - inset), side = corner & 1 ? kPegHalf : -kPegHalf;
        for (const Vector3& x : {pose.point(Vector3(side, across, along)), pose.point(Vector3(across, side, along))})
            depth = std::max(depth, x.head<2>().cwiseAbs().maxCoeff() - kPegHalf - kPegClearance);
    }
    return depth;
}

struct PegInWalls {
    double depth = 0.0;       ///< greatest, m, of its corners
    double pointDepth = 0.0;  ///< the same of its outermost points
    double roughness = 0.0;   ///< rms of the force's second differences as a share of its own rms
    double force = 0.0;       ///< its rms, N
    double slide = 0.0;       ///< where the peg got to along the hole, m
};

PegInWalls pushThroughWalls(double stiffness, double friction) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    constexpr double thick = 0.05;
    const double away = kPegHalf + kPegClearance + thick;
    btBoxShape peg{btVector3(btScalar(kPegHalf), btScalar(kPegHalf), btScalar(kPegLength / 2))};
    HandSettings settings;
    settings.gyrationRadius = 0.02;
    btPliantHandThread hand(peg, ToolPose(), std::make_shared<LeaningHand>(), settings, 1.0 / kPegCycle);
    btPliantTouchSettings touch;
    touch.m_stiffness = stiffness;
    touch.m_friction = static_cast<btScalar>(friction);
    touch.m_points = 6000;  // some 5,100 of them on the sides
    for (int wall = 0; wall < 4; ++wall) {
        const bool isX = wall < 2;
        const double side = wall % 2 == 0 ? away : -away;
        btRigidBody* box = scene.addRigid(
            new btBoxShape(btVector3(btScalar(isX ? thick : 0.2), btScalar(isX ? 0.2 : thick), btScalar(0.2))), 0,
            btVector3(btScalar(isX ? side : 0), btScalar(isX ? 0 : side), 0));
        hand.addBody(*box, touch);
    }
    hand.afterStep(kPegCycle);
    PegInWalls run;
    std::vector<Vector3> forces;
    for (int i = 0; i < kPegCycles; ++i) {
        hand.beforeStep(kPegCycle);
        scene.step(1, kPegCycle);
        hand.afterStep(kPegCycle);
        const HandReport report = hand.getThread().report();
        forces.push_back(report.coupling.force);
        run.depth = std::max(run.depth, depthInWalls(report.tool, 0.0));
        run.pointDepth = std::max(run.pointDepth, depthInWalls(report.tool, kPegInset));
        run.slide = report.tool.position.z();
    }
    double jumps = 0.0, squares = 0.0;
    for (std::size_t i = 500; i + 1 < forces.size(); ++i) {
        jumps += (forces[i + 1] - 2.0 * forces[i] + forces[i - 1]).squaredNorm();
        squares += forces[i].squaredNorm();
    }
    run.roughness = std::sqrt(jumps / squares);
    run.force = std::sqrt(squares / (kPegCycles - 501));
    return run;
}

// Its outermost points stand half a piece beside the edges, so that a corner of the peg, which leans by 0.01 rad in the
// hole, is deeper by up to 0.45 mm times 0.01 on each of its two ways. At 3e9 Pa/m the points are shallow and the
// corners are not; stiffer, the corners are, too. Friction changes little of both.
TEST(HandPeg, StaysShallowAndSmoothBetweenWallsOfTheWorld) {
    struct {
        double stiffness, corner;  ///< Pa/m, and how deep a corner comes at most, mm
    } const cases[] = {{3e9, 0.045}, {4e9, 0.04}, {5e9, 0.0375}, {8e9, 0.032}};
    for (const auto& one : cases)
        for (const double friction : {0.0, 0.2}) {
            SCOPED_TRACE(::testing::Message() << one.stiffness << " Pa/m, friction " << friction);
            const PegInWalls run = pushThroughWalls(one.stiffness, friction);
            EXPECT_LT(run.pointDepth, 0.04e-3);
            EXPECT_LT(run.depth, 1e-3 * one.corner);
            EXPECT_LT(run.depth - run.pointDepth, 2 * kPegInset * 0.01);
            EXPECT_LT(run.roughness, 0.0015);
            EXPECT_GT(run.force, 0.5) << "it leans on the walls";
            EXPECT_NEAR(run.slide, 0.02, 1e-3) << "nothing holds the peg along the hole";
        }
}

}  // namespace
}  // namespace pliant::test
