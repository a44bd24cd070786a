// SPDX-License-Identifier: Zlib
// Joined bodies in motion: what mechanics says, and what they keep.
#include <gtest/gtest.h>

#include <cmath>

#include "BarPoints.h"
#include "btPliant/btPliantJoints.h"

namespace pliant::test {
namespace {

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
    explicit Pair(Coupling coupling = Coupling::Full) {
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
    /// Bars side by side collide; what they keep is the joint's business here.
    void addAndRun(btTypedConstraint& joint, int steps) {
        scene.world.addConstraint(&joint, true);
        measure(before);
        scene.step(10);
        kineticEnergyBefore =
            a->getKineticEnergy() + a->getStrainEnergy() + b->getKineticEnergy() + b->getStrainEnergy();
        scene.step(steps);
        energyAfter = a->getKineticEnergy() + a->getStrainEnergy() + b->getKineticEnergy() + b->getStrainEnergy();
        measure(after);
        scene.world.removeConstraint(&joint);
    }
    void measure(btVector3* momenta) const {
        momenta[0] = linearMomentum(*a) + linearMomentum(*b);
        momenta[1] = totalAngularMomentum(scene);
    }
    TestWorld scene;
    double kineticEnergyBefore = 0, energyAfter = 0;
    btPliantBody *a = nullptr, *b = nullptr;
    btVector3 before[2], after[2];
};

template <class Make>
void keepsMomenta(const char* name, const Make& make) {
    for (const Coupling coupling : {Coupling::Full, Coupling::Inertia}) {
        Pair pair(coupling);
        const std::unique_ptr<btTypedConstraint> joint(make(pair));
        pair.addAndRun(*joint, 240);
        const double tolerance = doublePrecision ? 1e-9 : 1e-4;
        EXPECT_LT((pair.after[0] - pair.before[0]).length(), tolerance * pair.before[0].length()) << name;
        EXPECT_LT((pair.after[1] - pair.before[1]).length(), tolerance * pair.before[1].length()) << name;
        EXPECT_GT(btPliantJoint::upcast(joint.get())->getLinearImpulse().length(), 0) << name;
        EXPECT_LT(pair.energyAfter, 1.001 * pair.kineticEnergyBefore) << name;
        EXPECT_GT(pair.energyAfter, 0.93 * pair.kineticEnergyBefore) << name << " (the slider meets its stops)";
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

}  // namespace
}  // namespace pliant::test
