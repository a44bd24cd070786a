// SPDX-License-Identifier: Zlib
// A pile in a Bullet world, by one worker and by four: the same bits. Under the thread sanitizer: no race in the
// iterations over coloured contacts, the passes over pairs, the steps of batches and the account of energies.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "../unit/bridge/TestWorld.h"

namespace pliant::test {
namespace {

std::uint64_t mix(std::uint64_t hash, double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    return (hash ^ bits) * 1099511628211ull;
}

struct PileRun {
    std::uint64_t hash = 14695981039346656037ull;
    int contacts = 0, workers = 0;
};

/// Bars of two models dropped crosswise, some of them removed and made anew on the way.
PileRun drop(int threads) {
    btPliantSystemInfo info;
    info.m_threads = threads;
    TestWorld scene(info);
    scene.world.getDispatchInfo().m_deterministicOverlappingPairs = true;
    scene.addGround();
    BarOptions options;
    options.segments = 6;
    const auto bar = makeBar(options);
    options.frequencies = {90, 80, 250, 300};
    const auto other = makeBar(options);
    btPliantBodyInfo body;
    body.m_damping.mass = 1.0;
    body.m_damping.stiffness = 1e-3;
    body.m_rollingFriction = btScalar(0.01);
    const auto add = [&](int i) {
        scene.addBar(i % 3 ? bar : other,
                     btVector3(btScalar(0.3 * (i % 20)), btScalar(0.15 + 0.12 * (i / 20)), btScalar(0.25 * (i % 3))),
                     body, btQuaternion(btVector3(0, 1, 0), btScalar(0.7 * i)));
    };
    // A long heap: enough for the bodies to be cut into partitions that are solved in parallel
    // (ConstraintColouring.cpp).
    for (int i = 0; i < 200; ++i) add(i);
    PileRun run;
    for (int step = 0; step < 90; ++step) {
        if (step % 50 == 30) {
            scene.system->destroyBody(scene.system->getBody(step % 7));
            add(199);
        }
        scene.step();
        run.contacts = std::max(run.contacts, scene.system->getStats().m_contacts);
        run.hash = mix(run.hash, scene.system->getStats().totalEnergy());
    }
    for (int i = 0; i < scene.system->getNumBodies(); ++i) {
        const btPliantBody& each = *scene.system->getBody(i);
        for (int k = 0; k < 3; ++k) run.hash = mix(run.hash, static_cast<double>(each.getCenterOfMassPosition()[k]));
        for (const double q : each.getReducedCoordinates()) run.hash = mix(run.hash, q);
        for (const double v : each.getReducedVelocities()) run.hash = mix(run.hash, v);
    }
    run.workers = scene.system->getWorkersObserved();
    return run;
}

TEST(WorldDeterminism, SameBitsForAnyNumberOfWorkers) {
    const PileRun one = drop(1), four = drop(4);
    EXPECT_EQ(one.workers, 1);
    EXPECT_GT(four.workers, 1);
    EXPECT_GT(one.contacts, 500) << "no pile";
    EXPECT_EQ(one.hash, four.hash);
}

}  // namespace
}  // namespace pliant::test
