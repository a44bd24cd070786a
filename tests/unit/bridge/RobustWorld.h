// SPDX-License-Identifier: Zlib
// A world for tests of trouble: bars with a little damping, and what has to hold of them in every step.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "TestWorld.h"

namespace pliant::test {

/// Damped by `mass`, 1/s, and by a thousandth of a second of its stiffness.
inline btPliantBodyInfo lightlyDamped(double mass = 1.0) {
    btPliantBodyInfo info;
    info.m_damping.mass = mass;
    info.m_damping.stiffness = 1e-3;
    return info;
}

/// Expects that bodies are finite and slower than `speed`, m/s, with an energy of the world below `energy`, J.
inline void expectSane(TestWorld& scene, double speed, double energy, int step) {
    const btPliantStats& stats = scene.system->getStats();
    ASSERT_TRUE(std::isfinite(stats.totalEnergy())) << step;
    ASSERT_LT(stats.totalEnergy(), energy) << step;
    ASSERT_EQ(stats.m_restoredBodies, 0) << step;
    for (int i = 0; i < scene.system->getNumBodies(); ++i) {
        const btPliantBody& body = *scene.system->getBody(i);
        ASSERT_TRUE(body.getReducedCoordinates().allFinite()) << step;
        ASSERT_LT(body.getLinearVelocity().length(), speed) << "body " << i << ", step " << step;
    }
}

/// Drops bars upon each other onto the ground.
inline void heap(TestWorld& scene, int count) {
    scene.addGround();
    const auto model = makeBar();
    for (int i = 0; i < count; ++i)
        scene.addBar(model, btVector3(btScalar(0.05 * (i % 3)), btScalar(0.06 + 0.105 * i), 0), lightlyDamped(),
                     btQuaternion(btVector3(0, 1, 0), btScalar(i % 2 ? 1.5 : 0.1)));
}

/// What happened while steps were watched: bodies put back, and the highest speed, m/s.
struct Seen {
    int restored = 0;
    double fastest = 0;
};

/// Steps the world, and expects that everything stays a number.
inline Seen watch(TestWorld& scene, int steps) {
    Seen seen;
    for (int i = 0; i < steps; ++i) {
        scene.step();
        seen.restored += scene.system->getStats().m_restoredBodies;
        for (int b = 0; b < scene.system->getNumBodies(); ++b) {
            const btPliantBody& body = *scene.system->getBody(b);
            EXPECT_TRUE(body.getReducedCoordinates().allFinite()) << i;
            EXPECT_TRUE(body.getReducedVelocities().allFinite()) << i;
            EXPECT_TRUE(std::isfinite(body.getCenterOfMassPosition().length2())) << i;
            EXPECT_TRUE(std::isfinite(body.getAngularVelocity().length2())) << i;
            seen.fastest = std::max(seen.fastest, static_cast<double>(body.getLinearVelocity().length()));
        }
    }
    return seen;
}

}  // namespace pliant::test
