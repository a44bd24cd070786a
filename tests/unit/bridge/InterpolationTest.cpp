// SPDX-License-Identifier: Zlib
// What pictures between two substeps show: place, deformation and bones at the time that Bullet's motion states are
// told of, a substep behind the world's.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "TestWorld.h"

namespace {

using pliant::VectorX;
using pliant::test::makeBar;
using pliant::test::TestWorld;

constexpr double kSubstep = 1.0 / 64;  // has few digits, so that times are exact

/// A bar that flies, turns and rings, without gravity.
btPliantBody* addFlyingBar(TestWorld& scene) {
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(1, 2, 3));
    bar->setLinearVelocity(btVector3(btScalar(0.5), -1, 2));
    bar->setAngularVelocity(btVector3(1, btScalar(0.5), -1));
    VectorX rates = VectorX::Zero(bar->getReducedCoordinates().size());
    rates[0] = 0.3;
    rates[1] = -0.2;
    bar->setReducedVelocities(rates);
    return bar;
}

struct Moment {
    btTransform mesh;
    btVector3 angularVelocity;
    VectorX q;
};

Moment momentOf(const btPliantBody& bar) {
    return {bar.getMeshTransform(), bar.getAngularVelocity(), bar.getReducedCoordinates()};
}

/// Moments at the ends of 0, 1, 2, ... substeps.
std::vector<Moment> wholeSubsteps(int count) {
    TestWorld scene;
    const btPliantBody* bar = addFlyingBar(scene);
    std::vector<Moment> moments{momentOf(*bar)};
    for (int i = 0; i < count; ++i) {
        scene.step(1, kSubstep);
        moments.push_back(momentOf(*bar));
    }
    return moments;
}

TEST(Interpolation, GoesFromOneSubstepToTheNext) {
    const std::vector<Moment> moments = wholeSubsteps(12);
    TestWorld scene;
    const btPliantBody* bar = addFlyingBar(scene);
    const double few = pliant::test::doublePrecision ? 1e-9 : 2e-5;
    double left = 0.0;
    int done = 0, between = 0;
    for (int frame = 0; frame < 27; ++frame) {
        constexpr double dt = 0.375 * kSubstep;
        scene.world.stepSimulation(btScalar(dt), 10, btScalar(kSubstep));
        left += dt;
        for (; left >= kSubstep; left -= kSubstep) ++done;
        if (done == 0) continue;
        const Moment &from = moments[static_cast<std::size_t>(done - 1)], &to = moments[static_cast<std::size_t>(done)];
        const double share = left / kSubstep;
        VectorX q;
        bar->getInterpolatedReducedCoordinates(q);
        const VectorX expected = from.q + share * (to.q - from.q);
        EXPECT_LT((q - expected).norm(), few * (to.q.norm() + from.q.norm())) << frame;
        // Bullet turns the axes back from the end of the substep by the velocity there, which is not that of the way.
        const btTransform shown = bar->getInterpolatedMeshTransform();
        const btQuaternion turned = from.mesh.getRotation().slerp(to.mesh.getRotation(), btScalar(share));
        const double change = static_cast<double>((to.angularVelocity - from.angularVelocity).length());
        EXPECT_LT(static_cast<double>(std::abs(shown.getRotation().angleShortestPath(turned))),
                  (1 - share) * kSubstep * change + 50 * few)
            << frame;
        between += share > 0.0 && share < 1.0 ? 1 : 0;
    }
    EXPECT_GT(between, 10);
}

TEST(Interpolation, IsTheLastMomentWhereNobodyInterpolates) {
    TestWorld scene;
    const btPliantBody* bar = addFlyingBar(scene);
    scene.step(5, kSubstep);  // steps of the caller's own length leave no time over
    VectorX q;
    bar->getInterpolatedReducedCoordinates(q);
    EXPECT_EQ(q, VectorX(bar->getReducedCoordinates()));
    EXPECT_LT((bar->getInterpolatedMeshTransform().getOrigin() - bar->getMeshTransform().getOrigin()).length(),
              btScalar(1e-5));
}

/// Height of a stiff bar's centre, and how fast it rises, after steps from 4 mm deep in the ground.
struct Recovery {
    double fastest = 0.0;  ///< m/s, upwards
    double highest = 0.0;  ///< m above the height at which it touches
    double end = 0.0;      ///< the same after a second
};

Recovery recover(bool splitImpulse, double depth) {
    TestWorld scene;
    scene.addGround();
    scene.world.getSolverInfo().m_splitImpulse = splitImpulse ? 1 : 0;
    const auto model = makeBar();
    TestWorld probe;  // where it rests
    probe.addGround();
    btPliantBodyInfo info;
    info.m_damping.stiffness = 2e-3;
    btPliantBody* rests = probe.addBar(model, btVector3(0, btScalar(0.051), 0), info);
    probe.step(240);
    const double level = static_cast<double>(rests->getCenterOfMassPosition().y());
    btPliantBody* bar = scene.addBar(model, btVector3(0, btScalar(level - depth), 0), info);
    bar->forceActivationState(DISABLE_DEACTIVATION);
    Recovery result;
    for (int i = 0; i < 240; ++i) {
        scene.step(1);
        result.fastest = std::max(result.fastest, static_cast<double>(bar->getLinearVelocity().y()));
        result.highest = std::max(result.highest, static_cast<double>(bar->getCenterOfMassPosition().y()) - level);
    }
    result.end = static_cast<double>(bar->getCenterOfMassPosition().y()) - level;
    return result;
}

// Baumgarte's term asks for the velocity erp depth / h, which the body keeps and flies by; split impulses move it by as
// much and leave its velocity alone.
TEST(Penetration, SplitImpulsesLiftAndBaumgarteThrows) {
    constexpr double depth = 0.01;
    const Recovery split = recover(true, depth), baumgarte = recover(false, depth);
    const double asked = static_cast<double>(btPliantSystemInfo().m_penetrationRecovery) * depth * 120.0;
    EXPECT_LT(split.fastest, 0.05 * asked);
    EXPECT_LT(split.highest, 1e-3);
    EXPECT_GT(baumgarte.fastest, 0.5 * asked);
    EXPECT_LT(baumgarte.fastest, 1.2 * asked);
    // Both end at the depth that is left alone, a share of the radius of the bar's segment.
    const double left = static_cast<double>(btPliantSystemInfo().m_penetrationSlop) * 0.05;
    EXPECT_NEAR(split.end, -left, 2e-4);
    EXPECT_NEAR(baumgarte.end, -left, 2e-4);
}

}  // namespace
