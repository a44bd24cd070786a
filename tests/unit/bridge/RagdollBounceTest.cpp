// SPDX-License-Identifier: Zlib
// Restitution of contacts of ragdolls: Newton's law for the material points that strike, limbs and flesh together.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "RagdollWorld.h"
#include "btPliant/body/Ragdolls.h"

namespace pliant::test {
namespace {

constexpr double kSpeed = 6.0;  // m/s, of the ball
constexpr double kBallMass = 5.0;
constexpr double kStrikeStep = 1e-4;

struct Strike {
    double impulse = 0.0;  ///< that the ball got, N s
    double loss = 0.0;     ///< of all energy, J
};

/// One step, without gravity and friction, of a ball above the middle of a bone of the bar at rest.
Strike strike(double restitution, double gap) {
    RagdollWorld w;
    w.world.setGravity(btVector3(0, 0, 0));
    btPliantCharacterInfo info = standing();
    info.m_base = RestShape::Skin;
    info.m_friction = 0;
    info.m_restitution = static_cast<btScalar>(restitution);
    btPliantCharacter* bar = w.add(info);
    EXPECT_EQ(bar->startRagdoll(), "");
    btRigidBody* ball =
        w.addBall(0.1, kBallMass, btVector3(btScalar(0.25), static_cast<btScalar>(halfWidth + 0.1 + gap), 0));
    ball->setFriction(0);
    ball->setRestitution(1);
    ball->setLinearVelocity(btVector3(0, static_cast<btScalar>(-kSpeed), 0));
    const auto energy = [&] {
        return RagdollWorld::energy(*bar) + 0.5 * kBallMass * static_cast<double>(ball->getLinearVelocity().length2());
    };
    const double before = energy();
    w.step(1, kStrikeStep);
    EXPECT_GT(w.system->getStats().m_contacts, 0);
    return {kBallMass * (static_cast<double>(ball->getLinearVelocity().y()) + kSpeed), before - energy()};
}

// One row: u_1 = - e u_0, so that its impulse is 1 + e times that of e = 0, and all impulses together do the work
// - (1 - e) P |u_0| / 2. Flesh and limbs lose next to nothing by their own motion in so short a step.
TEST(RagdollBounce, IsNewtonsLawForTheMaterialPoint) {
    const Strike dull = strike(0.0, 0.0);
    ASSERT_GT(dull.impulse, 0.1);
    EXPECT_NEAR(dull.loss, 0.5 * dull.impulse * kSpeed, 1e-3 * dull.loss);
    for (const double e : {0.3, 0.6, 1.0}) {
        const Strike s = strike(e, 0.0);
        EXPECT_NEAR(s.impulse / dull.impulse, 1.0 + e, 1e-4) << e;
        EXPECT_NEAR(s.loss, 0.5 * (1.0 - e) * s.impulse * kSpeed, 1e-3 * dull.loss) << e;
    }
}

// It is near enough for a contact, and comes closer than its distance in the second step.
TEST(RagdollBounce, WaitsForTheTouch) {
    EXPECT_EQ(strike(1.0, 1.5 * kSpeed * kStrikeStep).impulse, 0.0);
    EXPECT_GT(strike(1.0, 0.5 * kSpeed * kStrikeStep).impulse, 0.1);
}

struct BouncingFall {
    double gain = 0.0;     ///< largest of a step, gravity's work taken off, J
    double rebound = 0.0;  ///< largest momentum upwards, N s
    bool sleeps = false;
};

/// The bar from half a metre onto the plane.
BouncingFall fall(double restitution, double h, int iterations, double damping, double seconds) {
    RagdollWorld w;
    btRigidBody* ground = w.addGround();
    ground->setFriction(btScalar(0.5));
    ground->setRestitution(1);
    w.world.getSolverInfo().m_numIterations = iterations;
    btPliantCharacter* bar = w.addNodding(btVector3(0, btScalar(0.7), 0), 0.4, damping);
    bar->setRestitution(static_cast<btScalar>(restitution));
    EXPECT_EQ(bar->startRagdoll(), "");
    const auto upwards = [&] {
        Vector3 linear, angular;
        btPliantInternal::momentaOf(btPliantInternal::dataOf(*bar), Vector3::Zero(), linear, angular);
        return linear.y();
    };
    BouncingFall f;
    double last = RagdollWorld::energy(*bar);
    for (int i = 0; i < std::lround(seconds / h); ++i) {
        const double before = upwards();
        w.step(1, h);
        const double now = RagdollWorld::energy(*bar), after = upwards();
        if (bar->isActive()) f.gain = std::max(f.gain, now - last + 0.5 * h * 9.81 * (before + after));
        last = now;
        f.rebound = std::max(f.rebound, after);
    }
    f.sleeps = !bar->isActive();
    return f;
}

// A target of at most - u_0 does no work, whatever flesh and joints do: 196 J to begin with.
TEST(RagdollBounce, GainsNothing) {
    for (const double h : {1.0 / 30.0, 1.0 / 120.0})
        for (const int iterations : {10, 100}) {
            const BouncingFall dull = fall(0.0, h, iterations, 0.0, 1.5), bounces = fall(1.0, h, iterations, 0.0, 1.5);
            EXPECT_LT(bounces.gain, (doublePrecision ? 1e-10 : 1e-4) * 196.0) << 1.0 / h << " " << iterations;
            EXPECT_GT(bounces.rebound, dull.rebound) << 1.0 / h << " " << iterations;
        }
}

TEST(RagdollBounce, ComesToRest) {
    const BouncingFall f = fall(0.6, 1.0 / 120.0, 10, 0.003, 10.0);
    EXPECT_TRUE(f.sleeps);
    EXPECT_LT(f.gain, (doublePrecision ? 1e-10 : 1e-4) * 196.0);
}

}  // namespace
}  // namespace pliant::test
