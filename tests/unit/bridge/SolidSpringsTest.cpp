// SPDX-License-Identifier: Zlib
// Penalty contact of solids: springs by area, which give back what they have taken.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "BarPoints.h"
#include "CubeModel.h"

namespace pliant::test {
namespace {

constexpr double kSpeed = 0.5;   // m/s
constexpr double kRadius = 0.1;  // m, of the sphere
const SolidMaterial kStiff{2e7, 500, 6, 10, 8};

std::shared_ptr<const ReducedModel> fineCube() {
    static const auto model = solidBox({kCubeSize, kCubeSize, kCubeSize}, kStiff, kCubeSize / 24);
    return model;
}

std::shared_ptr<const ReducedModel> sphere() {
    static const auto model = solidSphere(kRadius, kStiff);
    return model;
}

double energyOf(const btPliantBody& body) {
    return body.getKineticEnergy() + body.getStrainEnergy();
}

struct Rebound {
    double speed = 0;        // m/s, upwards
    double largestGain = 0;  // of all steps, of the energy that it came with, without the springs'
};

/// Without gravity, onto the ground, until it has gone.
Rebound bounce(const std::shared_ptr<const ReducedModel>& model, double stiffness, double h, double tilt = 0.0) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    scene.addGround();
    btPliantBodyInfo info;
    info.m_linearVelocity = btVector3(0, btScalar(-kSpeed), 0);
    const double low = tilt > 0.0 ? std::sqrt(3.0) * 0.1 : 0.1;
    btPliantBody* body = scene.addBar(model, btVector3(0, btScalar(low + 0.003), 0), info,
                                      btQuaternion(btVector3(btScalar(0.6), 0, btScalar(0.8)), btScalar(tilt)));
    body->setContactStiffnessAndDamping(static_cast<btScalar>(stiffness), 0);
    body->forceActivationState(DISABLE_DEACTIVATION);
    const double start = energyOf(*body);
    Rebound rebound;
    const double contact = SIMD_PI * std::sqrt(model->totalMass() / stiffness);
    for (int i = 0; i < static_cast<int>((0.2 + 3 * contact) / h) + 4; ++i) {
        scene.step(1, h);
        rebound.largestGain = std::max(rebound.largestGain, energyOf(*body) / start - 1.0);
    }
    rebound.speed = static_cast<double>(body->getLinearVelocity().y());
    return rebound;
}

/// Undamped: all of it is given back, whatever the step is against the spring (omega h from 0.016 to 2.6), and without
/// the springs' own there is never more energy than there was.
void expectFullRebound(const std::shared_ptr<const ReducedModel>& model, double stiffness, double h) {
    const Rebound rebound = bounce(model, stiffness, h);
    EXPECT_NEAR(rebound.speed, kSpeed, 0.02 * kSpeed) << stiffness << " N/m, " << h << " s";
    EXPECT_LT(rebound.largestGain, 1e-3) << stiffness << " N/m, " << h << " s";
}

TEST(SolidSprings, ACubeLeavesWithTheSpeedItCameWith) {
    for (const double stiffness : {1e3, 1e5})
        for (const double h : {1.0 / 60.0, 1.0 / 240.0, 1.0 / 960.0}) expectFullRebound(cube(), stiffness, h);
    expectFullRebound(fineCube(), 1e4, 1.0 / 120.0);
}

TEST(SolidSprings, ASphereLeavesWithTheSpeedItCameWith) {
    for (const double stiffness : {1e3, 1e5})
        for (const double h : {1.0 / 60.0, 1.0 / 240.0, 1.0 / 960.0}) expectFullRebound(sphere(), stiffness, h);
}

// A corner first: it turns, and other points come in on the way.
TEST(SolidSprings, ATumblingCubeGainsNothing) {
    for (const double stiffness : {1e3, 1e5})
        for (const double h : {1.0 / 60.0, 1.0 / 240.0, 1.0 / 960.0}) {
            const Rebound rebound = bounce(cube(), stiffness, h, 0.7);
            EXPECT_LT(rebound.largestGain, 1e-3) << stiffness << ' ' << h;
            EXPECT_GT(rebound.speed, 0.02) << stiffness << ' ' << h;
        }
}

/// m, that a body lies under where it would touch the ground.
double restingDepth(const std::shared_ptr<const ReducedModel>& model, double stiffness, double h) {
    TestWorld scene;
    scene.addGround();
    btPliantBody* body = scene.addBar(model, btVector3(0, btScalar(0.1), 0), dampedCube());
    body->setContactStiffnessAndDamping(static_cast<btScalar>(stiffness),
                                        static_cast<btScalar>(std::sqrt(model->totalMass() * stiffness)));
    body->forceActivationState(DISABLE_DEACTIVATION);
    scene.step(static_cast<int>(3.0 / h), h);
    EXPECT_LT(std::abs(body->getLinearVelocity().y()), 1e-4);
    return 0.1 - static_cast<double>(body->getCenterOfMassPosition().y());
}

TEST(SolidSprings, ACubeSinksInByWeightOverStiffness) {
    const auto expect = [](const std::shared_ptr<const ReducedModel>& model, double stiffness, double h) {
        const double depth = model->totalMass() * standardGravity / stiffness;
        EXPECT_NEAR(restingDepth(model, stiffness, h), depth, 0.02 * depth) << stiffness << " N/m, " << h << " s";
    };
    for (const double stiffness : {4e3, 1e5})
        for (const double h : {1.0 / 60.0, 1.0 / 240.0}) expect(cube(), stiffness, h);
    expect(fineCube(), 4e3, 1.0 / 60.0);
}

// F = k / (pi R^2) * pi D^2 (R - D/3), the volume of the cap over the sphere's shadow.
TEST(SolidSprings, ASphereSinksInByTheVolumeOfItsCap) {
    const double weight = sphere()->totalMass() * standardGravity;
    for (const double stiffness : {2e3, 1e4}) {
        double depth = 0.01;
        for (int i = 0; i < 40; ++i)
            depth = std::sqrt(weight * kRadius * kRadius / (stiffness * (kRadius - depth / 3)));
        EXPECT_NEAR(restingDepth(sphere(), stiffness, 1.0 / 240.0), depth, 0.04 * depth) << stiffness;
    }
}

// Each of two equal cubes has half of the springs, and together they are as stiff as the one on the ground.
TEST(SolidSprings, OfTwoSolidsAreAsStiffAsOfOne) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    const double stiffness = 1e4;
    btPliantBody* bodies[2];
    for (int i = 0; i < 2; ++i) {
        btPliantBodyInfo info;
        info.m_linearVelocity = btVector3(0, btScalar(i == 0 ? kSpeed : -kSpeed), 0);
        bodies[i] = scene.addBar(cube(), btVector3(0, btScalar(i * (kCubeSize + 0.004)), 0), info);
    }
    bodies[0]->setContactStiffnessAndDamping(static_cast<btScalar>(stiffness), 0);
    const double h = 1.0 / 240.0;
    double nearest = 1.0;
    for (int i = 0; i < 120; ++i) {
        scene.step(1, h);
        nearest = std::min(nearest, static_cast<double>(bodies[1]->getCenterOfMassPosition().y() -
                                                        bodies[0]->getCenterOfMassPosition().y()));
    }
    for (int i = 0; i < 2; ++i)
        EXPECT_NEAR(bodies[i]->getLinearVelocity().y(), (i == 0 ? -1 : 1) * kSpeed, 0.02 * kSpeed);
    // Half of a cube's mass at twice its speed: k D^2 = m v^2. Points nearer to the edge of the other cube than they
    // are deep find their way out to its side: at most a rim as wide as the depth is missing around both faces.
    const double depth = 2 * kSpeed * std::sqrt(0.5 * cube()->totalMass() / stiffness);
    EXPECT_GT(kCubeSize - nearest, 0.98 * depth);
    EXPECT_LT(kCubeSize - nearest, 1.02 * depth / (1 - 2 * depth / kCubeSize));
}

/// Largest gain of a body that falls, on springs of that h^2 k / m, of its energy without theirs. Frames are taken half
/// a step back, where what they do to their height is the mean of their velocities, as it is of a parabola.
double largestGainOfAFall(const std::shared_ptr<const ReducedModel>& model, double tilt, double share) {
    constexpr double h = 1.0 / 120.0;
    TestWorld scene;
    scene.addGround();
    btPliantBody* body = scene.addBar(model, btVector3(0, btScalar(0.3), 0), btPliantBodyInfo(),
                                      btQuaternion(btVector3(btScalar(0.6), 0, btScalar(0.8)), btScalar(tilt)));
    body->setContactStiffnessAndDamping(static_cast<btScalar>(share * model->totalMass() / (h * h)), 0);
    const auto energy = [&] {
        const auto height =
            static_cast<double>(body->getCenterOfMassPosition().y() - btScalar(h / 2) * body->getLinearVelocity().y());
        return energyOf(*body) + model->totalMass() * standardGravity * height;
    };
    const double start = energy();
    double gain = 0.0;
    for (int i = 0; i < 360; ++i) {
        scene.step(1, h);
        gain = std::max(gain, energy() / start - 1.0);
    }
    return gain;
}

// Corners come out by more than the rows of a step have said, which stiff springs would make much of: 47 times the
// energy of the plate.
TEST(SolidSprings, GainNothingHoweverStiffTheyAre) {
    const auto plate = solidBox({0.3, 0.004, 0.2}, {1e9, 1000, 6, 10, 0});
    for (const double share : {1e-1, 1e1, 1e2, 1e4, 1e6}) {
        EXPECT_LT(largestGainOfAFall(cube(), 0.7, share), 1e-3) << share;
        EXPECT_LT(largestGainOfAFall(plate, 0.2, share), 1e-3) << share;
    }
}

// A cube that is put halfway into the ground comes out.
TEST(SolidSprings, PushOutWhatIsPutInside) {
    TestWorld scene;
    scene.addGround();
    btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(0.05), 0), dampedCube());
    body->setContactStiffnessAndDamping(btScalar(1e4), btScalar(200));
    scene.step(360, 1.0 / 120.0);
    const double depth = cube()->totalMass() * standardGravity / 1e4;
    EXPECT_NEAR(body->getCenterOfMassPosition().y(), 0.1 - depth, 0.1 * depth);
}

// 0.3 rad is less than the friction of 0.5 holds.
TEST(SolidSprings, HoldACubeOnASlope) {
    TestWorld scene;
    scene.world.setGravity(btVector3(btScalar(9.81 * std::sin(0.3)), btScalar(-9.81 * std::cos(0.3)), 0));
    scene.addGround()->setFriction(1);
    btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(0.1), 0), dampedCube());
    body->setFriction(btScalar(0.5));
    body->setContactStiffnessAndDamping(btScalar(1e4), btScalar(200));
    body->forceActivationState(DISABLE_DEACTIVATION);
    scene.step(240, 1.0 / 120.0);
    const btScalar before = body->getCenterOfMassPosition().x();
    scene.step(600, 1.0 / 120.0);
    EXPECT_NEAR(body->getCenterOfMassPosition().x(), before, 1e-4);
}

}  // namespace
}  // namespace pliant::test
