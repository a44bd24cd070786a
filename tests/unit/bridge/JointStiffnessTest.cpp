// SPDX-License-Identifier: Zlib
// Light bodies on joints under heavy loads: the geometric stiffness of joints, and joints that are solved together.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "BarPoints.h"
#include "btPliant/btPliantJoints.h"
#include "btPliant/joints/FrameSwing.h"
#include "btPliant/joints/GeometricRows.h"

namespace pliant::test {
namespace {

btPliantBodyInfo steelBar() {
    btPliantBodyInfo info;
    info.m_damping.stiffness = 0.002;
    return info;
}

/// Bars of 1 m and 4 kg that hang from each other and carry a ball by its centre.
struct LoadedChain {
    LoadedChain(int bars, double load, int iterations) {
        const auto model = makeBar(stiffBar());
        scene.world.getSolverInfo().m_numIterations = iterations;
        const btQuaternion down(btVector3(0, 0, 1), btScalar(-SIMD_HALF_PI));
        for (int i = 0; i < bars; ++i) {
            btPliantBody* bar = scene.addBar(model, btVector3(0, btScalar(-0.5 - i), 0), steelBar(), down);
            bar->forceActivationState(DISABLE_DEACTIVATION);
            if (chain.empty())
                hold(std::make_unique<btPliantPoint2PointConstraint>(*bar, onBar(-0.5)));
            else
                hold(std::make_unique<btPliantPoint2PointConstraint>(*chain.back(), *bar, onBar(0.5), onBar(-0.5)));
            chain.push_back(bar);
        }
        ball = scene.addRigid(new btSphereShape(btScalar(0.4)), load, btVector3(0, btScalar(-bars), 0));
        ball->forceActivationState(DISABLE_DEACTIVATION);
        hold(std::make_unique<btPliantPoint2PointConstraint>(*chain.back(), *ball, onBar(0.5), btVector3(0, 0, 0)));
    }
    ~LoadedChain() {
        for (const auto& joint : joints) scene.world.removeConstraint(joint.get());
    }
    void hold(std::unique_ptr<btPliantPoint2PointConstraint> joint) {
        scene.world.addConstraint(joint.get(), true);
        joints.push_back(std::move(joint));
    }
    /// As a pendulum, by w rad/s.
    void kick(double w) {
        const auto speed = [w](const btRigidBody& body) {
            return btVector3(btScalar(-w) * body.getCenterOfMassPosition().y(), 0, 0);
        };
        for (btPliantBody* bar : chain) {
            bar->setAngularVelocity(btVector3(0, 0, btScalar(w)));
            bar->setLinearVelocity(speed(*bar));
        }
        ball->setLinearVelocity(speed(*ball));
    }
    /// Without that of the strain, J.
    double energy() const {
        const auto ofFrame = [](const btRigidBody& body) {
            return (9.81 * static_cast<double>(body.getCenterOfMassPosition().y()) +
                    0.5 * static_cast<double>(body.getLinearVelocity().length2())) /
                   static_cast<double>(body.getInvMass());
        };
        double sum = ofFrame(*ball);
        for (btPliantBody* bar : chain)
            sum += ofFrame(*bar) + 0.5 * static_cast<double>(bar->getAngularVelocity().dot(bar->getAngularMomentum()));
        return sum;
    }
    double largestGap() const {
        btScalar gap = 0;
        for (const auto& joint : joints)
            gap = btMax(gap, (joint->getPivotPosition(0) - joint->getPivotPosition(1)).length());
        return static_cast<double>(gap);
    }

    TestWorld scene;
    std::vector<std::unique_ptr<btPliantPoint2PointConstraint>> joints;
    std::vector<btPliantBody*> chain;
    btRigidBody* ball = nullptr;
};

// 500 times the mass of a bar. Joints hold their places in the middle of the step: at its end, where they are read,
// they are apart by up to h / 2 times the change of the material's velocity in a step, which under a load that hangs
// itself on an unloaded chain is g h for both bodies.
TEST(JointStiffness, FourLightBarsSwingUnderTwoTonsAsAPendulum) {
    for (const int rate : {60, 120}) {
        LoadedChain chain(4, 2000, 10);
        const double start = chain.energy(), h = 1.0 / rate;
        chain.kick(0.2);
        const double kicked = chain.energy(), kick = kicked - start;
        double gap = 0, most = kicked, before = 0, first = 0, last = 0, height = 0;
        int crossings = 0;
        for (int i = 0; i < 10 * rate; ++i) {
            chain.scene.step(1, h);
            gap = std::max(gap, chain.largestGap());
            most = std::max(most, chain.energy());
            height += static_cast<double>(chain.ball->getCenterOfMassPosition().y()) / (10 * rate);
            const auto x = static_cast<double>(chain.ball->getCenterOfMassPosition().x());
            if (i > 0 && before * x < 0) {
                last = (i - x / (x - before)) * h;
                if (crossings++ == 0) first = last;
            }
            before = x;
        }
        EXPECT_LT(gap, 9.81 * h * h) << rate;
        EXPECT_LT(most - kicked, 1e-3 * kick) << rate;
        // Physical pendulum: light bars and a ball that turns as it likes; they are longer by what the load stretches.
        const double m = 16, M = 2000, L = -height;
        const double slow = std::sqrt(9.81 * (M * L + m * L / 2) / (M * L * L + m * L * L / 3));
        const double angle = 0.2 / slow, expected = slow * (1 - angle * angle / 16);
        ASSERT_GE(crossings, 4) << rate;
        EXPECT_NEAR(static_cast<double>(SIMD_PI) * (crossings - 1) / (last - first), expected, 3e-3 * expected) << rate;
    }
}

// Ten iterations had left a tenth of a metre of ten bars under 400 kg, and lost them at longer steps.
TEST(JointStiffness, TenBarsHoldWithTenIterations) {
    LoadedChain chain(10, 400, 10);
    chain.kick(0.2);
    double gap = 0;
    for (int i = 0; i < 300; ++i) {
        chain.scene.step(1, 1.0 / 60);
        gap = std::max(gap, chain.largestGap());
    }
    EXPECT_LT(gap, 9.81 / 3600);
    const auto weight = static_cast<double>(chain.joints.back()->getAppliedImpulse()) * 60;
    EXPECT_NEAR(weight, 400 * 9.81, 0.1 * 400 * 9.81) << "bounces by less now";
}

// Two heavy balls that turn about each other on three light bars, with nothing else in the world.
TEST(JointStiffness, KeepsBothMomenta) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    const auto model = makeBar(stiffBar());
    const double w = 2, load = 2000;
    std::vector<std::unique_ptr<btPliantPoint2PointConstraint>> joints;
    std::vector<btRigidBody*> bodies;
    const auto add = [&](btRigidBody* body) {
        body->setDamping(0, 0);
        body->forceActivationState(DISABLE_DEACTIVATION);
        const btVector3 c = body->getCenterOfMassPosition();
        body->setLinearVelocity(btVector3(btScalar(0.1), btScalar(w) * c.x(), btScalar(0.2)));
        body->setAngularVelocity(btVector3(0, 0, btScalar(w)));
        bodies.push_back(body);
    };
    add(scene.addRigid(new btSphereShape(btScalar(0.3)), load, btVector3(btScalar(-1.5), 0, 0)));
    for (int i = 0; i < 3; ++i) add(scene.addBar(model, btVector3(btScalar(i - 1), 0, 0), steelBar()));
    add(scene.addRigid(new btSphereShape(btScalar(0.3)), load, btVector3(btScalar(1.5), 0, 0)));
    for (std::size_t i = 0; i + 1 < bodies.size(); ++i) {
        joints.push_back(std::make_unique<btPliantPoint2PointConstraint>(*bodies[i], *bodies[i + 1],
                                                                         i == 0 ? btVector3(0, 0, 0) : onBar(0.5),
                                                                         i == 3 ? btVector3(0, 0, 0) : onBar(-0.5)));
        scene.world.addConstraint(joints.back().get(), true);
    }
    const auto momenta = [&](btVector3& linear, btVector3& angular) {
        linear = angular = btVector3(0, 0, 0);
        for (btRigidBody* body : bodies) {
            const btVector3 p = body->getLinearVelocity() / body->getInvMass();
            const btPliantBody* reduced = btPliantBody::upcast(body);
            linear += p;
            angular += body->getCenterOfMassPosition().cross(p) +
                       (reduced ? reduced->getAngularMomentum()
                                : body->getInvInertiaTensorWorld().inverse() * body->getAngularVelocity());
        }
    };
    btVector3 linear[2], angular[2];
    momenta(linear[0], angular[0]);
    scene.step(300, 1.0 / 60);
    momenta(linear[1], angular[1]);
    const double tolerance = doublePrecision ? 1e-10 : 1e-3;
    EXPECT_LT(static_cast<double>((linear[1] - linear[0]).length()), tolerance * 2 * load * w);
    EXPECT_LT(static_cast<double>((angular[1] - angular[0]).length()),
              tolerance * static_cast<double>(angular[0].length()));
    for (const auto& joint : joints) scene.world.removeConstraint(joint.get());
}

// Two joints at one place of a bar, and a third one at its other end, beside which nothing is left to hold.
TEST(JointStiffness, JointsThatHoldTheSameDoNotPullAtEachOther) {
    TestWorld scene;
    const auto model = makeBar(stiffBar());
    btPliantBody* bar = scene.addBar(model, btVector3(0, 0, 0), steelBar());
    bar->forceActivationState(DISABLE_DEACTIVATION);
    std::vector<std::unique_ptr<btPliantPoint2PointConstraint>> joints;
    for (const double x : {-0.5, 0.5, -0.5})
        joints.push_back(std::make_unique<btPliantPoint2PointConstraint>(*bar, onBar(x)));
    for (const auto& joint : joints) scene.world.addConstraint(joint.get(), true);
    bar->setAngularVelocity(btVector3(0, 0, 5));
    scene.step(600);
    EXPECT_LT(static_cast<double>(btMin(joints[0]->getAppliedImpulse(), joints[2]->getAppliedImpulse())), 1e-12)
        << "one of them has nothing left to hold";
    const double weight = model->totalMass() * 9.81 / 120;
    btVector3 sum(0, 0, 0);
    for (const auto& joint : joints) {
        sum += joint->getLinearImpulse();
        EXPECT_LT(static_cast<double>(joint->getAppliedImpulse()), 0.6 * weight);
        EXPECT_LT(static_cast<double>((joint->getPivotPosition(0) - joint->getPivotPosition(1)).length()), 1e-4);
    }
    EXPECT_NEAR(static_cast<double>(sum.y()), weight, 1e-3 * weight);
    for (const auto& joint : joints) scene.world.removeConstraint(joint.get());
}

/// Rows of a joint of a ball with the arm d along x to the world, after an impulse on the ball.
std::vector<btPliantInternal::JointConstraintRow> rowsAfter(const btVector3& impulse, double h) {
    using namespace btPliantInternal;
    TestWorld scene;
    btRigidBody* ball = scene.addRigid(new btSphereShape(1), 5, btVector3(0, 0, 0));  // inertia 2
    btPliantPoint2PointConstraint held(*ball, btVector3(btScalar(0.5), 0, 0));
    btPliantInternal::dataOf(held).linearImpulse = impulse;
    btPliantInternal::dataOf(held).lastSize = btPliantInternal::dataOf(held).sizeBefore = impulse.length();
    btSolverBody blank;
    std::memset(static_cast<void*>(&blank), 0, sizeof blank);
    SolverBodies bodies;
    bodies.resize(2, blank);
    bodies[0].m_originalBody = ball;
    JointConstraints all;
    JointConstraint joint;
    joint.constraint = &held;
    joint.joint = &held;
    joint.body[0] = 0;
    joint.body[1] = 1;
    joint.pivot = btVector3(btScalar(0.5), 0, 0);
    addGeometricRows(joint, bodies, static_cast<btScalar>(h), all);
    std::vector<JointConstraintRow> rows;
    for (int i = 0; i < all.rows.size(); ++i) {
        JointConstraintRow row = all.rows[i];
        row.row.effectiveMass = 2;
        weighGeometricRow(joint, bodies, row);
        rows.push_back(row);
    }
    return rows;
}

// K = F d across the pull and 0 about it; b = h^2 K / 2 - I.
TEST(JointStiffness, AddsTheInertiaThatThePullAsksFor) {
    const double h = 0.1, force = 4000, inertia = 2;
    const auto pulled = rowsAfter(btVector3(btScalar(force * h), 0, 0), h);
    ASSERT_EQ(pulled.size(), 2U);
    for (const auto& row : pulled) {
        EXPECT_NEAR(static_cast<double>(row.springFrameGain), h * h * force * 0.5 / 2 - inertia, 1e-5);
        EXPECT_NEAR(static_cast<double>(row.row.angularA.x()), 0, 1e-6) << "turning about the pull is free";
        EXPECT_EQ(row.row.axis.length2(), 0);
        EXPECT_NEAR(static_cast<double>((row.row.angularA + row.row.angularB).length()), 0, 1e-12);
    }
    EXPECT_TRUE(rowsAfter(btVector3(btScalar(-force * h), 0, 0), h).empty()) << "pushes have no positive part";
    EXPECT_TRUE(rowsAfter(btVector3(0, 0, 0), h).empty());
    EXPECT_TRUE(rowsAfter(btVector3(btScalar(10 * h), 0, 0), h).empty()) << "light loads keep their bits";
}

// What frames stand is told by the eigenvalues of I^-1 K, not by those of K: for K = I they are all one, however
// slender the body, and where those of K repeat its eigenvectors are any.
TEST(JointStiffness, SwingsByTheEigenvaluesOfBothTogether) {
    using btPliantInternal::largestSwing;
    const Vector3 moments(0.01, 0.3, 0.7);
    const Matrix3 turn = Eigen::AngleAxisd(0.8, Vector3(1, 2, 3).normalized()).toRotationMatrix();
    const Matrix3 inertia = turn * moments.asDiagonal() * turn.transpose(), response = inertia.inverse();
    EXPECT_NEAR(largestSwing(inertia, response), 1.0, 1e-12);
    EXPECT_NEAR(largestSwing(Matrix3::Identity(), response), 100.0, 1e-9) << "about the body's own line";
    // About one axis the moment of inertia is that about it where the others are free to turn, too.
    const Vector3 u = Vector3(1, 1, 1).normalized();
    EXPECT_NEAR(largestSwing(-6.0 * u * u.transpose(), response), 6.0 * u.dot(response * u), 1e-9);
    // K of both signs that couples a light axis and a heavy one: +-sqrt(1 / (0.01 x 0.7)).
    Matrix3 K = Matrix3::Zero();
    K(0, 2) = K(2, 0) = 1.0;
    EXPECT_NEAR(largestSwing(turn * K * turn.transpose(), response), std::sqrt(1.0 / 0.007), 1e-9)
        << "the mean of both would be 51";
    EXPECT_EQ(largestSwing(K, Matrix3::Zero()), 0.0) << "what does not turn";
}

}  // namespace
}  // namespace pliant::test
