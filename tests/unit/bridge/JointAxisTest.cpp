// SPDX-License-Identifier: Zlib
// The axis that a hinge or a slider leaves free: its stops, its motor, its rail.
#include <gtest/gtest.h>

#include <cmath>

#include "BarPoints.h"
#include "btPliant/btPliantJoints.h"

namespace pliant::test {
namespace {

TEST(Joint, HingeStopsAtItsLimit) {
    TestWorld scene;
    btPliantBodyInfo info;
    info.m_damping.stiffness = 1e-3;
    btPliantBody* bar = scene.addBar(makeBar(stiffBar()), btVector3(0, 0, 0), info);
    bar->forceActivationState(DISABLE_DEACTIVATION);
    btPliantHingeConstraint hinge(*bar, onBar(-0.5), btVector3(0, 0, 1));
    hinge.setLimit(btScalar(-0.3), btScalar(1.0), btScalar(0.9), btScalar(0.3), btScalar(0));
    scene.world.addConstraint(&hinge);
    scene.step(30);
    const double early = static_cast<double>(bar->getCenterOfMassPosition().y());
    EXPECT_LT(early, -0.05) << "it falls";
    scene.step(600);
    const btVector3 centre = bar->getCenterOfMassPosition() - btVector3(btScalar(-0.5), 0, 0);
    EXPECT_NEAR(std::atan2(double(centre.y()), double(centre.x())), -0.3, 0.02);
    EXPECT_NEAR(std::abs(double(hinge.getHingeAngle())), 0.3, 0.02);
    // The stop's couple carries the weight; the bar trembles on it, so the mean does.
    double mean = 0;
    for (int i = 0; i < 240; ++i) {
        scene.step();
        mean += static_cast<double>(hinge.getAngularImpulse().z()) / 240;
    }
    const double moment = bar->getModel().totalMass() * standardGravity * static_cast<double>(centre.x()) / 120;
    EXPECT_NEAR(mean, moment, 0.02 * moment);
    scene.world.removeConstraint(&hinge);
}

TEST(Joint, HingeMotorTurnsWithItsTorque) {
    const auto model = makeBar(stiffBar());
    const double m = model->totalMass(), I = model->inertia.principalInertia.z() + m * 0.25;
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBody* bar = scene.addBar(model, btVector3(0, 0, 0), dampedBar(5));
    bar->forceActivationState(DISABLE_DEACTIVATION);
    btPliantHingeConstraint hinge(*bar, onBar(-0.5), btVector3(0, 0, 1));
    const double impulse = 0.02;  // N m s a step
    hinge.enableAngularMotor(true, 2, static_cast<btScalar>(impulse));
    scene.world.addConstraint(&hinge);
    scene.step(20);
    EXPECT_NEAR(double(bar->getAngularVelocity().z()), 20 * impulse / I, 0.03 * 20 * impulse / I);
    scene.step(240);
    EXPECT_NEAR(double(bar->getAngularVelocity().z()), 2.0, 0.02);
    EXPECT_LT(bar->getPointPosition(onBar(-0.5)).distance(btVector3(btScalar(-0.5), 0, 0)), 0.01);
    scene.world.removeConstraint(&hinge);
}

TEST(Joint, SliderSlidesDownItsRail) {
    const double slope = 0.5;
    TestWorld scene;
    btPliantBody* bar =
        scene.addBar(makeBar(), btVector3(0, 0, 0), dampedBar(5), btQuaternion(btVector3(0, 0, 1), btScalar(-slope)));
    bar->forceActivationState(DISABLE_DEACTIVATION);
    btPliantSliderConstraint rail(*bar, frameOnBar(0.0));
    rail.setLowerLinLimit(-10);
    rail.setUpperLinLimit(10);
    scene.world.addConstraint(&rail);
    const int steps = 120;
    scene.step(steps);
    const double seconds = steps / 120.0,
                 expected = 0.5 * standardGravity * std::sin(slope) * seconds * (seconds + 1.0 / 120);
    const btVector3 centre = bar->getCenterOfMassPosition();
    EXPECT_NEAR(double(centre.length()), expected, 0.01 * expected);
    EXPECT_NEAR(std::atan2(-double(centre.y()), double(centre.x())), slope, 0.01);
    EXPECT_LT(bar->getAngularVelocity().length(), 0.05);
    scene.world.removeConstraint(&rail);
}

}  // namespace
}  // namespace pliant::test
