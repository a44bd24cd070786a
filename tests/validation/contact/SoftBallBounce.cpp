// SPDX-License-Identifier: Zlib
// A soft ball dropped without damping: how fast it leaves the ground converges as the step shrinks.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "SolidBodies.h"
#include "TruthModels.h"
#include "unit/bridge/TestWorld.h"
#include "unit/reduce/InputMeshes.h"

namespace {

using pliant::Vector3;
using pliant::test::TestWorld;

constexpr double ballRadius = 0.2;

bool insideBall(int i, int j, int k) {
    return Vector3(i - 3.5, j - 3.5, k - 3.5).norm() < 4.2;
}

/// What `pliant reduce` makes of the surface of a ball; it collides where it is drawn.
std::shared_ptr<const pliant::ReducedModel> ballAsReduced() {
    pliant::test::SolidMaterial rubber;
    rubber.young = 2e4;
    rubber.modes = 14;
    rubber.dimension = 30;
    return pliant::test::solidSphere(ballRadius, rubber);
}

/// Bricks that fill a ball; small spheres under its surface collide.
std::shared_ptr<const pliant::ReducedModel> ballLaidByHand() {
    pliant::VolumeMesh mesh = pliant::test::bricks(8, 8, 8, Vector3::Constant(2.0 * ballRadius / 8.0), insideBall);
    mesh.materials = {pliant::ElasticMaterial{"rubber", 500.0, 2e4, 0.3}};
    pliant::ReduceOptions options;
    options.modes = 14;
    options.dimension = 30;
    auto model = pliant::test::reduceMesh(mesh, options);
    const int count = 400;
    const double small = 0.01;
    pliant::Points centres(3, count);
    std::vector<std::array<int, 2>> segments;
    const Vector3 middle = model->meshFromBody.translation;
    for (int i = 0; i < count; ++i) {  // golden spiral, one point straight below
        const double z = -1.0 + 2.0 * i / (count - 1.0), across = std::sqrt(std::max(0.0, 1.0 - z * z));
        const double turn = 2.399963229728653 * i;
        centres.col(i) = middle + (ballRadius - small) * Vector3(across * std::cos(turn), across * std::sin(turn), z);
        segments.push_back({i, i});
    }
    pliant::test::setSkeleton(*model, centres, small, segments);
    return model;
}

/// Velocity of the ball's centre of mass when it has left the ground, m/s.
double rebound(const std::shared_ptr<const pliant::ReducedModel>& model, double h, double speed, double& energyLeft) {
    btPliantSystemInfo settings = TestWorld::oneThread();
    settings.m_settings.doublePrecision = true;
    settings.m_maxContactsPerPair = 64;
    TestWorld scene(settings);
    scene.world.setGravity(btVector3(0, 0, 0));
    scene.addRigid(new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0, btVector3(0, 0, 0));
    btPliantBodyInfo info;
    info.m_friction = 0;
    info.m_newmark.iterations = 3;
    // The lowest point starts 2 cm above the ground.
    const double lowest = ballRadius - model->meshFromBody.translation.z();
    info.m_meshTransform.setOrigin(btVector3(0, 0, static_cast<btScalar>(0.02 + lowest)));
    info.m_linearVelocity = btVector3(0, 0, static_cast<btScalar>(-speed));
    btPliantBody* ball = scene.system->createBody(model, info);
    scene.world.addRigidBody(ball);
    const double start = ball->getKineticEnergy();
    for (int i = 0; i * h < 0.35; ++i) scene.step(1, h);
    energyLeft = (ball->getKineticEnergy() + ball->getStrainEnergy()) / start;
    EXPECT_GT(ball->getCenterOfMassPosition().z(), ballRadius) << "it has not left the ground";
    return static_cast<double>(ball->getLinearVelocity().z());
}

/// The share of its speed that a ball rebounds with, for steps from 1/240 s on, each half of the one before.
std::vector<double> rebounds(const std::shared_ptr<const pliant::ReducedModel>& model) {
    const double speed = 1.5;
    std::vector<double> shares;
    for (const double h : {1.0 / 240, 1.0 / 480, 1.0 / 960, 1.0 / 1920, 1.0 / 3840}) {
        double energy = 0.0;
        shares.push_back(rebound(model, h, speed, energy) / speed);
        std::printf("step 1/%.0f s: rebound %.4f of the speed, %.4f of the energy\n", 1.0 / h, shares.back(), energy);
        EXPECT_LE(energy, 1.001);
    }
    return shares;
}

const std::vector<double>& reboundsLaidByHand() {
    static const std::vector<double> shares = rebounds(ballLaidByHand());
    return shares;
}

TEST(SoftBall, FirstReboundConvergesAsTheStepShrinks) {
    const std::vector<double>& shares = reboundsLaidByHand();
    const std::size_t last = shares.size() - 1;
    EXPECT_GT(shares[last], 0.5);
    EXPECT_LT(std::abs(shares[last] - shares[last - 1]), 0.01);
    // An error of first order would make it a seventh; the choice of contact points adds some noise: 0.30 to 0.51 in
    // sixteen runs, for impacts in eight phases of the coarsest step and both of Bullet's precisions.
    EXPECT_LT(std::abs(shares[last] - shares[last - 1]), 0.6 * std::abs(shares[last] - shares[last - 3]));
}

// What is left for vibrations is the ball's, not the contact's: what `pliant reduce` makes of its surface should leave
// as the other line does. A known defect (docs/validation.md): its flattened patch is carried by a few chosen points,
// and the choice changes from step to step. Its share rises by 0.026 with the first half of the step, by 0.005 to 0.009
// with each one after that (0.036 and 0.006 to 0.011 while contacts acted on the nearest surface point, when the gaps
// below were found), and has no limit yet at 1/3840 s, while the other line stays. `largestGaps` are how much
// faster than that line, at the same step, it leaves at most in sixteen runs (impacts in eight phases of the coarsest
// step, both of Bullet's precisions; any phase of the one row against any of the other). The phase alone moves its
// share by 0.008, which the bounds leave beside the gaps. It is slower at the coarsest step only, by at most 0.004.
TEST(SoftBall, AsReducedItReboundsLikeTheOneLaidByHand) {
    const auto model = ballAsReduced();
    EXPECT_TRUE(model->contactSurface.exists());
    constexpr std::array<double, 5> largestGaps = {0.020, 0.025, 0.031, 0.027, 0.043};
    constexpr double phase = 0.008, slower = 0.004;
    const std::vector<double>& byHand = reboundsLaidByHand();
    const std::vector<double> asReduced = rebounds(model);
    ASSERT_EQ(asReduced.size(), largestGaps.size());
    ASSERT_EQ(byHand.size(), largestGaps.size());
    for (std::size_t k = 0; k < largestGaps.size(); ++k) {
        EXPECT_LT(asReduced[k], byHand[k] + largestGaps[k] + phase) << k;
        EXPECT_GT(asReduced[k], byHand[k] - slower - phase) << k;
    }
}

}  // namespace
