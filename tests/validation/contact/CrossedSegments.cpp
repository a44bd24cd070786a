// SPDX-License-Identifier: Zlib
// Baskets that fall into each other: no segment passes through another one, and what an impact takes through comes
// back.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "ReducedOnce.h"
#include "StrandCrossings.h"
#include "btPliant/btPliantBody.h"
#include "unit/bridge/TestWorld.h"

namespace pliant::test {
namespace {

std::shared_ptr<const ReducedModel> basket() {
    static const std::shared_ptr<const ReducedModel> model = [] {
        ReduceOptions options;
        options.modes = 8;
        options.dimension = 12;
        options.youngsModulus = 1.0e7;
        options.density = 400;
        options.solid = false;
        return reducedOnce(PLIANT_MEDIA_DIR "/basket/basket.obj", options);
    }();
    return model;
}

/// Crossings while four layers of 16 baskets fall onto the ground and each other.
int crossingsOfADrop(double stepsPerSecond, double seconds, unsigned seed, int contactsPerPair) {
    btPliantSystemInfo info;
    info.m_threads = 2;
    info.m_maxContactsPerPair = contactsPerPair;
    TestWorld scene(info);
    scene.addGround();
    scene.world.getSolverInfo().m_numIterations = 14;
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const auto some = [&](double size) { return static_cast<btScalar>(size * uniform(random)); };
    btPliantBodyInfo body;
    body.m_damping.mass = 0.2;
    body.m_damping.stiffness = 0.002;
    const btQuaternion upright(btVector3(1, 0, 0), -SIMD_HALF_PI);  // z of the basket, y of this world
    for (int i = 0; i < 64; ++i) {
        const btVector3 place(btScalar(0.48 * (i % 4)) + some(0.04), btScalar(0.3 + 0.48 * (i / 16)) + some(0.02),
                              btScalar(0.48 * (i / 4 % 4)) + some(0.04));
        const btQuaternion turn(btVector3(some(1), some(1), btScalar(1.2)).normalized(), some(0.5));
        scene.addBar(basket(), place, body, turn * upright);
    }
    StrandCrossings segments(*scene.system);
    int crossings = 0;
    for (int step = 0; step < static_cast<int>(seconds * stepsPerSecond); ++step) {
        scene.world.stepSimulation(static_cast<btScalar>(1.0 / stepsPerSecond), 0);
        crossings += segments.look();
    }
    EXPECT_GT(scene.system->getStats().m_contacts, 100) << "no heap";
    return crossings;
}

// The paths are chaotic, and other processors take other ones: several drops, of which each has other bits everywhere.
class CrossedSegmentsOf : public testing::TestWithParam<unsigned> {};

TEST_P(CrossedSegmentsOf, ADropOfBasketsAreNone) {
    EXPECT_EQ(crossingsOfADrop(240, 1.0, GetParam(), btPliantSystemInfo().m_maxContactsPerPair), 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CrossedSegmentsOf, testing::Values(1U, 2U, 3U));

// In steps twice as long one drop of 28 had crossings, with the energy guard shortening steps and without. At that rate
// two of eight are one chance in thirty.
TEST(CrossedSegments, InOneDropOfEightAtMostInStepsTwiceAsLong) {
    const int most = btPliantSystemInfo().m_maxContactsPerPair;
    int drops = 0;
    for (unsigned seed = 1; seed <= 8; ++seed) {
        const int crossings = crossingsOfADrop(120, 1.2, seed, most);
        EXPECT_LT(crossings, 20) << seed;
        drops += crossings > 0 ? 1 : 0;
    }
    EXPECT_LE(drops, 1);
}

/// Baskets of the main scene, the lowest of them at 20 m, seen from just before they land. @param side of their grid
struct FallFromFarUp {
    FallFromFarUp(int side, unsigned seed, double seconds) : scene(threads()) {
        ReduceOptions options;
        options.modes = 20;
        options.dimension = 40;
        options.youngsModulus = 1.0e7;
        options.density = 400;
        options.solid = false;
        scene.addGround()->setFriction(btScalar(0.8));
        scene.world.getSolverInfo().m_numIterations = 14;
        const auto model = reducedOnce(PLIANT_MEDIA_DIR "/basket/basket.obj", options);
        btPliantBodyInfo body;
        body.m_damping.mass = 0.2;
        body.m_damping.stiffness = 0.002;
        body.m_coupling = Coupling::Inertia;
        body.m_rollingFriction = btScalar(0.01);
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> uniform(-1.0, 1.0);
        const auto some = [&](double size) { return static_cast<btScalar>(size * uniform(random)); };
        const btQuaternion upright(btVector3(1, 0, 0), -SIMD_HALF_PI);
        for (int i = 0; i < side * side * side; ++i) {
            const btVector3 place(btScalar(0.5 * (i % side)) + some(0.02), btScalar(20 + 0.5 * (i / side / side)),
                                  btScalar(0.5 * (i / side % side)) + some(0.02));
            const btQuaternion turn(btVector3(some(1), some(1), some(1)).normalized(), some(0.5));
            scene.addBar(model, place, body, turn * upright);
        }
        scene.step(470, 1.0 / 240.0);
        crossings = std::make_unique<StrandCrossings>(*scene.system);
        for (int step = 470; step < static_cast<int>(240 * seconds); ++step) {
            scene.step(1, 1.0 / 240.0);
            passes += crossings->look();
        }
    }
    static btPliantSystemInfo threads() {
        btPliantSystemInfo info;
        info.m_threads = 2;
        return info;
    }

    TestWorld scene;
    std::unique_ptr<StrandCrossings> crossings;
    int passes = 0;
};

/// Pairs of strands that are hooked at the end of a fall, which the test's result tells.
int hookedAfter(int side, unsigned seed, double seconds) {
    const FallFromFarUp fall(side, seed, seconds);
    EXPECT_GT(fall.passes, 0) << "the impacts are too soft for the test";
    const int hooked = fall.crossings->hookedPairs();
    testing::Test::RecordProperty("hooked_" + std::to_string(seed), std::to_string(hooked));
    testing::Test::RecordProperty("passes_" + std::to_string(seed), std::to_string(fall.passes));
    return hooked;
}

// Of 125 baskets from 20 m strands go through each other in the impacts, which take 83 mm in a step, and come back.
// Without the way that they have really come fifteen pairs of strands stay hooked in these four drops, five
// with it.
TEST(CrossedSegments, OfBasketsFromFarUpMostlyComeBack) {
    int hooked = 0;
    for (const unsigned seed : {1U, 2U, 3U, 4U}) hooked += hookedAfter(5, seed, 4.0);
    EXPECT_LE(hooked, 8);
}

TEST(CrossedSegments, Of512BasketsFromFarUpMostlyComeBack) {
    EXPECT_LE(hookedAfter(8, 512, 5.5), 8);
}

TEST(CrossedSegments, AreSeenWhereContactsAreTooFew) {
    EXPECT_GT(crossingsOfADrop(60, 0.45, 1, 4), 10);
}

}  // namespace
}  // namespace pliant::test
