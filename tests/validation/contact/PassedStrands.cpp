// SPDX-License-Identifier: Zlib
// Strands that have gone through each other all the same: free motion keeps them apart, and a blow of the same step
// sends one through the other, so that no contact knows from where.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "unit/bridge/TestWorld.h"

namespace {

using pliant::test::BarOptions;
using pliant::test::makeBar;
using pliant::test::stiffBar;
using pliant::test::TestWorld;

constexpr double kStep = 1.0 / 120.0;  // s
constexpr double kRadius = 0.01;       // m

/// A bar lies below another one across it, and two heavy boxes come from below, beside the other one's way.
struct StruckFromBelow {
    explicit StruckFromBelow(double speed, double gap, int threads = 1) : scene(settings(threads)) {
        scene.world.setGravity(btVector3(0, 0, 0));
        BarOptions thin = stiffBar();
        thin.halfThickness = kRadius;
        const auto model = makeBar(thin);
        lower = scene.addBar(model, btVector3(0, 0, 0));
        upper = scene.addBar(model, btVector3(0, btScalar(2 * kRadius + gap), 0), {},
                             btQuaternion(btVector3(0, 1, 0), SIMD_HALF_PI));
        const double early = 3.5 * kStep * speed;  // the bars have lain still by then
        for (const double side : {-0.35, 0.35}) {
            btRigidBody* box = scene.addRigid(new btBoxShape(btVector3(btScalar(0.05), btScalar(0.2), btScalar(0.05))),
                                              1000, btVector3(btScalar(side), btScalar(-0.2 - kRadius - early), 0));
            box->setLinearVelocity(btVector3(0, btScalar(speed), 0));
        }
    }
    static btPliantSystemInfo settings(int threads) {
        btPliantSystemInfo info;
        info.m_threads = threads;
        return info;
    }
    /// How far the middle of the upper bar is above that of the lower one, m.
    double above() const {
        return static_cast<double>(upper->getCenterOfMassPosition().y() - lower->getCenterOfMassPosition().y());
    }

    TestWorld scene;
    btPliantBody *lower = nullptr, *upper = nullptr;
};

TEST(PassedStrands, AreBroughtBackToTheSideThatTheyCameFrom) {
    for (const double speed : {8.0, 9.0, 10.0, 11.0}) {
        SCOPED_TRACE(speed);
        StruckFromBelow bars(speed, 0.01);
        double lowest = 1.0;
        for (int i = 0; i < 60; ++i) {
            bars.scene.step(1, kStep);
            lowest = std::min(lowest, bars.above());
        }
        EXPECT_LT(lowest, 0.0) << "the blow does not take it through";
        EXPECT_GT(bars.above(), 1.8 * kRadius) << "it has stayed behind the other";
    }
}

TEST(PassedStrands, AreLeftAloneOnceTheyAreBack) {
    StruckFromBelow bars(9.0, 0.01);
    bars.scene.step(120, kStep);
    const double before = bars.above();
    bars.scene.step(120, kStep);
    EXPECT_GE(bars.above(), before - 1e-3) << "they part, and nothing draws them together";
}

/// Saved in every step of the blow, so also while it is through: what has passed is in the state.
TEST(PassedStrands, HaveTheSameBitsForAnyNumberOfWorkersAndAfterRestoring) {
    StruckFromBelow one(9.0, 0.01, 1), four(9.0, 0.01, 4);
    std::vector<std::vector<std::byte>> saved;
    int behind = 0;
    for (int i = 0; i < 30; ++i) {
        one.scene.step(1, kStep);
        four.scene.step(1, kStep);
        ASSERT_EQ(one.above(), four.above()) << i;
        behind += one.above() < 0.0 ? 1 : 0;
        one.scene.system->saveState(saved.emplace_back());
    }
    EXPECT_GT(behind, 0) << "the blow does not take it through";
    const double end = one.above();
    for (std::size_t i = 0; i < saved.size(); i += 3) {
        ASSERT_EQ(one.scene.system->restoreState(saved[i].data(), saved[i].size()), pliant::StateStatus::Ok);
        one.scene.step(static_cast<int>(saved.size() - 1 - i), kStep);
        EXPECT_EQ(one.above(), end) << i;
    }
}

}  // namespace
