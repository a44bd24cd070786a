// SPDX-License-Identifier: Zlib
// Motors on points and springs: strength, energy, frequency.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "BarPoints.h"
#include "btPliant/btPliantJoints.h"
#include "btPliant/btPliantPointMotor.h"

namespace pliant::test {
namespace {

// [HSO03]: a velocity constraint on a point. One mode, so its energy is all there is.
TEST(PointMotor, HeldModeNeverGainsEnergy) {
    for (const double omegaH : {0.1, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0})
        for (const double start : {0.0, 0.4}) {  // from rest shape, and bent
            const double h = 1.0 / 120.0;
            TestWorld scene;
            scene.world.setGravity(btVector3(0, 0, 0));
            btPliantBody* bar = scene.addBar(makeBar(anchoredBar({omegaH / h})), btVector3(0, 0, 0));
            VectorX one = VectorX::Ones(1), bent = (start * h / omegaH) * one;
            bar->setReducedCoordinates(bent);
            bar->setReducedVelocities(one);
            scene.step(3, h);  // in some phase of its motion
            btPliantPointMotor hand(*bar, onBar(0.5));
            hand.setTargetVelocity(btVector3(0, 0, 0));
            scene.world.addConstraint(&hand);
            double last = bar->getKineticEnergy() + bar->getStrainEnergy();
            const double before = last;
            for (int i = 0; i < 240; ++i) {
                scene.step(1, h);
                const double energy = bar->getKineticEnergy() + bar->getStrainEnergy();
                ASSERT_LE(energy, last + (doublePrecision ? 1e-9 : 1e-5) * before)
                    << "omega h = " << omegaH << ", step " << i;
                last = energy;
            }
            EXPECT_LT(bar->getPointVelocity(onBar(0.5)).length(), 1e-3) << "omega h = " << omegaH << ": it is held";
            scene.world.removeConstraint(&hand);
        }
}

TEST(PointMotor, MovesAPointAlongItsPath) {
    TestWorld scene;
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 0, 0), dampedBar(20));
    bar->btRigidBody::setDamping(btScalar(0.5), btScalar(0.5));
    btPliantPointMotor hand(*bar, onBar(0.5));
    scene.world.addConstraint(&hand);
    const btVector3 centre = hand.getPivotPosition(0);
    double worst = 0;
    for (int i = 1; i <= 480; ++i) {
        const double t = i / 120.0, radius = 0.2;
        const btVector3 where =
            centre + btVector3(0, btScalar(radius * std::sin(t)), btScalar(radius * (1 - std::cos(t))));
        hand.setTargetPosition(where, btVector3(0, btScalar(radius * std::cos(t)), btScalar(radius * std::sin(t))));
        scene.step();
        if (i > 60) worst = std::max(worst, static_cast<double>(bar->getPointPosition(onBar(0.5)).distance(where)));
    }
    EXPECT_LT(worst, 0.01);
    hand.setTargetVelocity(btVector3(btScalar(0.5), 0, 0));
    scene.step(2);
    EXPECT_LT((bar->getPointVelocity(onBar(0.5)) - btVector3(btScalar(0.5), 0, 0)).length(), 0.02);
    scene.world.removeConstraint(&hand);
}

TEST(PointMotor, IsAsStrongAsItsForce) {
    const auto model = makeBar();
    const double weight = model->totalMass() * standardGravity;
    for (const double share : {0.8, 1.3}) {
        TestWorld scene;
        btPliantBody* bar = scene.addBar(model, btVector3(0, 0, 0), dampedBar(20),
                                         btQuaternion(btVector3(0, 0, 1), btScalar(-SIMD_HALF_PI)));
        bar->forceActivationState(DISABLE_DEACTIVATION);
        btPliantPointMotor hand(*bar, onBar(-0.5), static_cast<btScalar>(share * weight));
        scene.world.addConstraint(&hand);
        const double h = 1.0 / 120;
        double speed = 0, way = 0;  // of a point of the bar's mass under the impulses that the motor tells
        int weakSteps = 0;
        for (int i = 0; i < 120; ++i) {
            scene.step(1, h);
            const double impulse = static_cast<double>(hand.getAppliedImpulse());
            speed += standardGravity * h - impulse / model->totalMass();
            way += h * speed;
            weakSteps += impulse < 0.999 * share * weight * h ? 1 : 0;
        }
        const double fallen = -static_cast<double>(bar->getCenterOfMassPosition().y());
        EXPECT_NEAR(fallen, way, 1e-5);
        if (share < 1) {
            EXPECT_LE(weakSteps, 1) << "the bar stretches in the first; from then on the motor gives all it has";
            EXPECT_NEAR(hand.getAppliedImpulse(), share * weight / 120, 1e-3 * weight / 120);
        } else {
            EXPECT_LT(std::abs(fallen), 0.02);
            EXPECT_NEAR(hand.getAppliedImpulse(), weight / 120, 0.05 * weight / 120);
        }
        scene.world.removeConstraint(&hand);
    }
}

btPliantSpringConstraint* verticalSpring(btPliantBody& bar, double stiffness) {
    auto* spring = new btPliantSpringConstraint(bar, frameOnBar(0));
    for (const int axis : {0, 1, 2, 3, 4, 5}) spring->setLimit(axis, 0, 0);
    spring->setLimit(1, 1, -1);
    spring->enableSpring(1, true);
    spring->setStiffness(1, static_cast<btScalar>(stiffness), false);
    return spring;
}

TEST(Spring, StretchesByWeightOverStiffness) {
    const auto model = makeBar();
    const double weight = model->totalMass() * standardGravity;
    for (const double stiffness : {300.0, 1e4, 1e8}) {  // h^2 k / m: 0.005 to 1700
        TestWorld scene;
        btPliantBody* bar = scene.addBar(model, btVector3(0, 0, 0), dampedBar(20));
        bar->forceActivationState(DISABLE_DEACTIVATION);
        bar->btRigidBody::setDamping(btScalar(0.98), 0);
        const std::unique_ptr<btPliantSpringConstraint> spring(verticalSpring(*bar, stiffness));
        const btVector3 anchor = spring->getPivotPosition(1);
        scene.world.addConstraint(spring.get());
        scene.step(1200);
        const double extension = static_cast<double>((anchor - spring->getPivotPosition(1)).y());
        EXPECT_NEAR(extension, weight / stiffness, 2e-3 * weight / stiffness + 2e-6) << stiffness;
        EXPECT_NEAR(spring->getAppliedImpulse(), weight / 120, 2e-3 * weight / 120) << stiffness;
        scene.world.removeConstraint(spring.get());
    }
}

TEST(Spring, SwingsWithItsFrequencyAndKeepsItsEnergy) {
    BarOptions options;
    options.frequencies = {1000, 1000, 2000};
    const auto model = makeBar(options);
    const double m = model->totalMass(), stiffness = 400, omega = std::sqrt(stiffness / m), h = 1.0 / 480;
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBody* bar = scene.addBar(model, btVector3(0, 0, 0));
    const std::unique_ptr<btPliantSpringConstraint> spring(verticalSpring(*bar, stiffness));
    scene.world.addConstraint(spring.get());
    bar->setLinearVelocity(btVector3(0, 1, 0));
    double largest = 0;
    const int periods = 10, steps = static_cast<int>(std::lround(periods * 2 * SIMD_PI / omega / h));
    for (int i = 0; i < steps; ++i) {
        scene.step(1, h);
        if (i > steps - steps / periods)
            largest = std::max(largest, static_cast<double>(bar->getCenterOfMassPosition().y()));
    }
    const double phase = omega * steps * h;
    EXPECT_NEAR(bar->getCenterOfMassPosition().y(), std::sin(phase) / omega, 0.05 / omega);
    EXPECT_NEAR(largest, 1 / omega, 0.02 / omega) << "not damped";
    scene.world.removeConstraint(spring.get());
}

}  // namespace
}  // namespace pliant::test
