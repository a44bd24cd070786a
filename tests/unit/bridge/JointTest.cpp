// SPDX-License-Identifier: Zlib
// Joints of reduced bodies against what mechanics says.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "BarPoints.h"
#include "DenseAlgebra.h"
#include "btPliant/btPliantJoints.h"
#include "btPliant/btPliantPointMotor.h"
#include "pliant/runtime/MaterialFrame.h"

namespace {

using pliant::test::BarOptions;
using pliant::test::dampedBar;
using pliant::test::doublePrecision;
using pliant::test::frameOnBar;
using pliant::test::makeBar;
using pliant::test::onBar;
using pliant::test::standardGravity;
using pliant::test::TestWorld;

BarOptions stiffBar() {
    BarOptions options;
    options.frequencies = {2000, 2000, 3000};
    return options;
}

BarOptions anchoredBar() {
    BarOptions options;
    options.anchored = true;
    return options;
}

/// Angle of a rigid pendulum after `seconds`, by the classical fourth-order method of Runge and Kutta.
double pendulum(double angle, double stiffness, double seconds) {
    double rate = 0;
    const int steps = 20000;
    const double h = seconds / steps;
    const auto slope = [stiffness](double a) { return -stiffness * std::sin(a); };
    for (int i = 0; i < steps; ++i) {
        const double k1 = rate, l1 = slope(angle), k2 = rate + h / 2 * l1, l2 = slope(angle + h / 2 * k1);
        const double k3 = rate + h / 2 * l2, l3 = slope(angle + h / 2 * k2), k4 = rate + h * l3,
                     l4 = slope(angle + h * k3);
        angle += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
    return angle;
}

TEST(Joint, PendulumSwingsAsARigidOne) {
    const auto model = makeBar(stiffBar());
    const double m = model->totalMass(), d = 0.5, I = model->inertia.principalInertia.z() + m * d * d;
    const double h = 1.0 / 480, start = 1.0;
    TestWorld scene;
    // Hangs from its end x = -1/2, turned by `start` from straight down.
    btPliantBody* bar =
        scene.addBar(model, btVector3(btScalar(d * std::sin(start)), btScalar(-d * std::cos(start)), 0),
                     btPliantBodyInfo(), btQuaternion(btVector3(0, 0, 1), btScalar(start - SIMD_HALF_PI)));
    btPliantPoint2PointConstraint pin(*bar, onBar(-0.5));
    scene.world.addConstraint(&pin);
    const auto energy = [&] {
        return bar->getKineticEnergy() + bar->getStrainEnergy() +
               m * standardGravity * double(bar->getCenterOfMassPosition().y());
    };
    const double before = energy(), swing = m * standardGravity * d * (1 - std::cos(start));
    double drift = 0, gain = 0;
    const int steps = 1200;
    for (int i = 0; i < steps; ++i) {
        scene.step(1, h);
        drift = std::max(drift, static_cast<double>(bar->getPointPosition(onBar(-0.5)).length()));
        gain = std::max(gain, std::abs(energy() - before));
    }
    const btVector3 centre = bar->getCenterOfMassPosition();
    const double angle = std::atan2(static_cast<double>(centre.x()), static_cast<double>(-centre.y()));
    EXPECT_NEAR(angle, pendulum(start, m * standardGravity * d / I, steps * h), 0.01);
    EXPECT_LT(drift, 1e-3) << "metres";
    EXPECT_LT(gain, 0.01 * swing);
    EXPECT_LT(std::abs(centre.z()), 1e-4);
    scene.world.removeConstraint(&pin);
}

/// Two soft bars that tumble, joined.
struct Pair {
    explicit Pair(pliant::Coupling coupling = pliant::Coupling::Full) {
        scene.world.setGravity(btVector3(0, 0, 0));
        const auto model = makeBar();
        btPliantBodyInfo info;
        info.m_coupling = coupling;
        info.m_linearVelocity = btVector3(btScalar(0.2), btScalar(-0.4), btScalar(0.3));
        info.m_angularVelocity = btVector3(btScalar(0.5), 1, btScalar(-0.7));
        a = scene.addBar(model, btVector3(btScalar(-0.5), 0, 0), info);
        info.m_angularVelocity = btVector3(btScalar(-2), btScalar(0.3), btScalar(1.5));
        info.m_linearVelocity = btVector3(0, btScalar(0.6), 0);
        b = scene.addBar(model, btVector3(btScalar(0.5), 0, 0), info);
    }
    btVector3 linear() const { return (a->getLinearVelocity() + b->getLinearVelocity()) / a->getInvMass(); }
    btVector3 angular() const {
        btVector3 sum(0, 0, 0);
        for (const btPliantBody* body : {a, b})
            sum += body->getAngularMomentum() +
                   body->getCenterOfMassPosition().cross(body->getLinearVelocity() / body->getInvMass());
        return sum;
    }
    /// Bars side by side collide; what they keep is the joint's business here.
    void addAndRun(btTypedConstraint& joint, int steps) {
        scene.world.addConstraint(&joint, true);
        before[0] = linear();
        before[1] = angular();
        scene.step(10);
        energyBefore = a->getKineticEnergy() + a->getStrainEnergy() + b->getKineticEnergy() + b->getStrainEnergy();
        scene.step(steps);
        energyAfter = a->getKineticEnergy() + a->getStrainEnergy() + b->getKineticEnergy() + b->getStrainEnergy();
        after[0] = linear();
        after[1] = angular();
        scene.world.removeConstraint(&joint);
    }
    TestWorld scene;
    double energyBefore = 0, energyAfter = 0;
    btPliantBody *a = nullptr, *b = nullptr;
    btVector3 before[2], after[2];
};

template <class Make>
void keepsMomenta(const char* name, const Make& make) {
    for (const pliant::Coupling coupling : {pliant::Coupling::Full, pliant::Coupling::Inertia}) {
        Pair pair(coupling);
        const std::unique_ptr<btTypedConstraint> joint(make(pair));
        pair.addAndRun(*joint, 240);
        const double tolerance = doublePrecision ? 1e-9 : 1e-4;
        EXPECT_LT((pair.after[0] - pair.before[0]).length(), tolerance * pair.before[0].length()) << name;
        EXPECT_LT((pair.after[1] - pair.before[1]).length(), tolerance * pair.before[1].length()) << name;
        EXPECT_GT(btPliantJoint::upcast(joint.get())->getLinearImpulse().length(), 0) << name;
        EXPECT_LT(pair.energyAfter, 1.001 * pair.energyBefore) << name;
        EXPECT_GT(pair.energyAfter, 0.93 * pair.energyBefore) << name << " (the slider meets its stops)";
        const btVector3 gap = btPliantJoint::upcast(joint.get())->getPivotPosition(0) -
                              btPliantJoint::upcast(joint.get())->getPivotPosition(1);
        EXPECT_LT(gap.length(), 0.2) << name;
    }
}

TEST(Joint, PairsKeepLinearAndAngularMomentum) {
    keepsMomenta("point to point",
                 [](Pair& p) { return new btPliantPoint2PointConstraint(*p.a, *p.b, onBar(0.5), onBar(-0.5)); });
    keepsMomenta("hinge",
                 [](Pair& p) { return new btPliantHingeConstraint(*p.a, *p.b, frameOnBar(0.5), frameOnBar(-0.5)); });
    keepsMomenta("fixed",
                 [](Pair& p) { return new btPliantFixedConstraint(*p.a, *p.b, frameOnBar(0.5), frameOnBar(-0.5)); });
    keepsMomenta("slider", [](Pair& p) {
        auto* slider = new btPliantSliderConstraint(*p.a, *p.b, frameOnBar(0.5), frameOnBar(-0.5));
        slider->setLowerLinLimit(btScalar(-0.1));
        slider->setUpperLinLimit(btScalar(0.1));
        return slider;
    });
    keepsMomenta("spring", [](Pair& p) {
        auto* spring = new btPliantSpringConstraint(*p.a, *p.b, frameOnBar(0.5), frameOnBar(-0.5));
        for (int axis = 0; axis < 6; ++axis) {
            spring->setLimit(axis, 1, -1);
            spring->enableSpring(axis, true);
            spring->setStiffness(axis, axis < 3 ? btScalar(3000) : btScalar(30));
            spring->setDamping(axis, axis < 3 ? btScalar(5) : btScalar(0.05));
        }
        return spring;
    });
}

// The bar that a joint holds keeps its place: all points that a fixed joint joins, and the way they face.
TEST(Joint, FixedFramesStayTogether) {
    Pair pair;
    btPliantFixedConstraint joint(*pair.a, *pair.b, frameOnBar(0.5), frameOnBar(-0.5));
    pair.addAndRun(joint, 240);
    pair.scene.world.addConstraint(&joint, true);
    pair.scene.step(1);
    EXPECT_LT((joint.getPivotPosition(0) - joint.getPivotPosition(1)).length(), 5e-3);
    const btMatrix3x3 turn =
        joint.getCalculatedTransformA().getBasis().transposeTimes(joint.getCalculatedTransformB().getBasis());
    btQuaternion q;
    turn.getRotation(q);
    EXPECT_LT(std::min(double(q.getAngle()), 2 * SIMD_PI - double(q.getAngle())), 0.03);
    pair.scene.world.removeConstraint(&joint);
}

TEST(Joint, WeightOnATipBendsAsStaticsSays) {
    const auto model = makeBar(anchoredBar());
    TestWorld scene;
    btPliantBody* bar = scene.addBar(model, btVector3(0, 1, 0), dampedBar(20));
    const double mass = 1.0;
    btRigidBody* ball =
        scene.addRigid(new btSphereShape(btScalar(0.05)), mass, btVector3(btScalar(0.5), btScalar(0.6), 0));
    ball->setDamping(btScalar(0.5), btScalar(0.5));
    ball->forceActivationState(DISABLE_DEACTIVATION);
    btPliantPoint2PointConstraint hook(*bar, *ball, onBar(0.5), btVector3(0, btScalar(0.4), 0));
    scene.world.addConstraint(&hook, true);
    scene.step(1200);
    const btPliantBody* held = bar;
    const pliant::MaterialPoint tip = held->locate(onBar(0.5));
    const pliant::MatrixX U = pliant::interpolateBasis({tip}, model->basis);
    const pliant::Vector3 down(0, -standardGravity, 0);
    const pliant::VectorX expected = pliant::test::solved(
        model->energy.linearStiffness, model->inertia.translation.transpose() * down + mass * U.transpose() * down);
    ASSERT_GT((mass * U.transpose() * down).norm(), 0.5 * (model->inertia.translation.transpose() * down).norm());
    EXPECT_LT((bar->getReducedCoordinates() - expected).norm(), 2e-3 * expected.norm());
    const double weight = mass * standardGravity / 120;
    EXPECT_NEAR(hook.getLinearImpulse().y(), -weight, 2e-3 * weight) << "on the bar";
    EXPECT_NEAR(hook.getAppliedImpulse(), weight, 2e-3 * weight);
    scene.world.removeConstraint(&hook);
}

// A bracket: the couple of an eccentric weight bends too.
TEST(Joint, EccentricWeightBendsAsStaticsSays) {
    BarOptions options = anchoredBar();
    options.frequencies = {200, 200, 400};  // small angles
    const auto model = makeBar(options);
    TestWorld scene;
    btPliantBody* bar = scene.addBar(model, btVector3(0, 1, 0), dampedBar(20));
    const double mass = 0.4, arm = 0.8;
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(0.05)), mass, btVector3(btScalar(0.5 + arm), 1, 0));
    ball->setDamping(btScalar(0.5), btScalar(0.5));
    ball->forceActivationState(DISABLE_DEACTIVATION);
    btPliantFixedConstraint bracket(*bar, *ball, frameOnBar(0.5),
                                    btTransform(btMatrix3x3::getIdentity(), btVector3(btScalar(-arm), 0, 0)));
    scene.world.addConstraint(&bracket, true);
    scene.step(1200);
    const pliant::Vector3 force(0, -mass * standardGravity, 0), couple(0, 0, -mass * standardGravity * arm),
        down(0, -standardGravity, 0);
    pliant::RigidTransform frame;
    frame.translation = pliant::Vector3(0.8, -0.2, 0.1);
    const pliant::MaterialFrame tip(*model, bar->locate(onBar(0.5)), frame);
    pliant::VectorX load = model->inertia.translation.transpose() * down, withoutCouple = load;
    tip.addGeneralised(force, couple, load.data());
    tip.addGeneralised(force, pliant::Vector3::Zero(), withoutCouple.data());
    ASSERT_GT((load - withoutCouple).norm(), 0.1 * load.norm());
    const pliant::VectorX expected = pliant::test::solved(model->energy.linearStiffness, load);
    EXPECT_LT((bar->getReducedCoordinates() - expected).norm(), 1e-2 * expected.norm());
    EXPECT_NEAR(bracket.getAngularImpulse().z(), -mass * standardGravity * arm / 120,
                0.01 * mass * standardGravity * arm / 120);
    scene.world.removeConstraint(&bracket);
}

TEST(Joint, BreaksAtItsThreshold) {
    const auto model = makeBar();
    const double weight = model->totalMass() * standardGravity / 120;
    TestWorld scene;
    // Straight down, so that nothing but its weight is on the joint.
    btPliantBody* bar = scene.addBar(model, btVector3(0, btScalar(-0.5), 0), dampedBar(20),
                                     btQuaternion(btVector3(0, 0, 1), btScalar(-SIMD_HALF_PI)));
    bar->forceActivationState(DISABLE_DEACTIVATION);
    btPliantPoint2PointConstraint hook(*bar, onBar(-0.5));
    scene.world.addConstraint(&hook);
    scene.step(360);
    EXPECT_NEAR(hook.getAppliedImpulse(), weight, 1e-3 * weight);
    hook.setBreakingImpulseThreshold(static_cast<btScalar>(1.02 * weight));
    scene.step(60);
    EXPECT_TRUE(hook.isEnabled());
    const double held = static_cast<double>(bar->getCenterOfMassPosition().y());
    EXPECT_NEAR(held, -0.5, 0.01);
    hook.setBreakingImpulseThreshold(static_cast<btScalar>(0.98 * weight));
    scene.step(1);
    EXPECT_FALSE(hook.isEnabled());
    EXPECT_NEAR(hook.getAppliedImpulse(), 0.98 * weight, 1e-3 * weight) << "cut off at the threshold";
    scene.step(60);
    EXPECT_NEAR(held - static_cast<double>(bar->getCenterOfMassPosition().y()), 0.5 * standardGravity * 0.25, 0.03);
    scene.world.removeConstraint(&hook);
}

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
