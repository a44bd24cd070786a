// SPDX-License-Identifier: Zlib
// Rolling and spinning friction: torques at contacts, no larger than a length times the normal force, against the
// balance of angular momentum.
#include <gtest/gtest.h>

#include "BarPoints.h"

namespace {

using pliant::Coupling;
using pliant::test::BarOptions;
using pliant::test::doublePrecision;
using pliant::test::makeBar;
using pliant::test::standardGravity;
using pliant::test::TestWorld;
using pliant::test::totalAngularMomentum;

constexpr double kRadius = 0.05;  // m

/// As long as it is thick: what touches the ground is nearly a ball. (It stands on one end of its axis, and the lever
/// that this gives to gravity has to be far below that of the rolling friction.)
std::shared_ptr<const pliant::ReducedModel> ballLike() {
    BarOptions options;
    options.length = 2.002 * kRadius;
    options.halfThickness = kRadius;
    options.frequencies = {300, 300, 600};
    return makeBar(options);
}

/// Settings of a body that does not bounce on its own shapes.
btPliantBodyInfo calm(Coupling coupling) {
    btPliantBodyInfo info;
    info.m_coupling = coupling;
    info.m_damping.mass = 100;
    return info;
}

/// A body on the ground that turns, and nothing slides or sleeps where it shall not.
struct Turning {
    Turning(const std::shared_ptr<const pliant::ReducedModel>& model, btPliantBodyInfo info,
            const btQuaternion& turn = btQuaternion::getIdentity()) {
        scene.addGround()->setFriction(1);  // Bullet multiplies one body's coefficients by the other's friction
        body = scene.addBar(model, btVector3(0, btScalar(kRadius), 0), info, turn);
        body->forceActivationState(DISABLE_DEACTIVATION);
    }
    double spin(int axis) const { return static_cast<double>(body->getAngularVelocity()[axis]); }
    TestWorld scene;
    btPliantBody* body;
};

// (I + m R^2) omega' = -c m g about the line of contact.
TEST(RollingFriction, StopsABallAsTheTorqueSays) {
    const auto model = ballLike();
    const double m = model->totalMass(), I = model->inertia.principalInertia.x(), c = 0.002, start = 4.0;
    const double slowing = c * m * standardGravity / (I + m * kRadius * kRadius), stop = start / slowing;
    for (const Coupling coupling : {Coupling::None, Coupling::Inertia, Coupling::Full}) {
        btPliantBodyInfo info = calm(coupling);
        info.m_friction = 1;
        info.m_rollingFriction = static_cast<btScalar>(c);
        info.m_angularVelocity = btVector3(btScalar(start), 0, 0);
        info.m_linearVelocity = btVector3(0, 0, btScalar(start * kRadius));
        Turning test(model, info);
        const int half = static_cast<int>(std::lround(0.5 * stop * 120));
        test.scene.step(half);
        EXPECT_NEAR(test.spin(0), start - slowing * half / 120.0, 0.01 * start);
        EXPECT_NEAR(test.body->getLinearVelocity().z(), kRadius * test.spin(0), 1e-3 * kRadius * start) << "it rolls";
        test.scene.step(half + 60);
        EXPECT_LT(std::abs(test.spin(0)), 1e-3 * start);
        const double way = 0.5 * kRadius * start * stop;
        EXPECT_NEAR(test.body->getCenterOfMassPosition().z(), way, 0.02 * way);
    }
}

// The torque is bounded as a vector: tangents may point where they like.
TEST(RollingFriction, IsTheSameInEveryDirection) {
    const auto model = ballLike();
    const double m = model->totalMass(), I = model->inertia.principalInertia.x(), c = 0.002, start = 4.0;
    const double slowing = c * m * standardGravity / (I + m * kRadius * kRadius);
    for (const double heading : {0.0, 0.4, 0.25 * SIMD_PI, 2.0}) {
        btPliantBodyInfo info = calm(Coupling::Inertia);
        info.m_friction = 1;
        info.m_rollingFriction = static_cast<btScalar>(c);
        const btQuaternion turn(btVector3(0, 1, 0), static_cast<btScalar>(heading));
        const btVector3 axis = quatRotate(turn, btVector3(1, 0, 0));
        info.m_angularVelocity = axis * static_cast<btScalar>(start);
        info.m_linearVelocity = axis.cross(btVector3(0, 1, 0)) * static_cast<btScalar>(start * kRadius);
        Turning test(model, info, turn);
        const int steps = static_cast<int>(std::lround(0.5 * start / slowing * 120));
        test.scene.step(steps);
        const btVector3 left = test.body->getAngularVelocity();
        EXPECT_NEAR(static_cast<double>(left.dot(axis)), start - slowing * steps / 120.0, 0.01 * start) << heading;
        EXPECT_LT(static_cast<double>((left - axis * left.dot(axis)).length()), 0.01 * start) << "straight on";
    }
}

// I omega' = -c m g about the normal, where nothing else holds on.
TEST(SpinningFriction, StopsATopAsTheTorqueSays) {
    const auto model = ballLike();
    const double m = model->totalMass(), I = model->inertia.principalInertia.y(), c = 0.002, start = 8.0;
    const double slowing = c * m * standardGravity / I, stop = start / slowing;
    for (const Coupling coupling : {Coupling::None, Coupling::Inertia, Coupling::Full}) {
        btPliantBodyInfo info = calm(coupling);
        info.m_friction = 0;
        info.m_spinningFriction = static_cast<btScalar>(c);
        info.m_angularVelocity = btVector3(0, btScalar(start), 0);
        Turning test(model, info);
        const int half = static_cast<int>(std::lround(0.5 * stop * 120));
        test.scene.step(half);
        EXPECT_NEAR(test.spin(1), start - slowing * half / 120.0, 0.01 * start);
        test.scene.step(half + 60);
        EXPECT_LT(std::abs(test.spin(1)), 1e-3 * start);
    }
}

// A bent bar that turns about its length swings its belly along: a third of its inertia moves with q'. A torque that
// turned the frame alone would leave it turning.
TEST(RollingFriction, AnswersWithTheDeformation) {
    BarOptions options;
    options.frequencies = {5, 5};  // rad/s, hardly moves in a step by itself
    const auto model = makeBar(options);
    btPliantBodyInfo info;
    info.m_coupling = Coupling::Full;
    info.m_friction = 0;
    info.m_rollingFriction = 10;  // as much as it takes
    Turning test(model, info);
    test.scene.world.getSolverInfo().m_numIterations = 300;
    test.scene.world.getSolverInfo().m_leastSquaresResidualThreshold = 0;
    pliant::VectorX q(2);
    q << 0.0, 0.1;  // in the plane of the ground
    test.body->setReducedCoordinates(q);
    const double start = 1.0;
    test.body->setAngularVelocity(btVector3(btScalar(start), 0, 0));
    test.scene.step();
    EXPECT_LT(std::abs(test.spin(0)), 1e-3 * start);
    EXPECT_GT(test.body->getReducedVelocities().norm(), 0.02) << "the belly swings on";
}

TEST(RollingFriction, TorquesBetweenBodiesKeepAngularMomentum) {
    btPliantSystemInfo settings = TestWorld::oneThread();
    settings.m_penetrationRecovery = 0;  // it moves masses without velocity
    TestWorld scene(settings);
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBodyInfo info;
    info.m_rollingFriction = info.m_spinningFriction = btScalar(0.05);
    info.m_friction = 1;
    info.m_linearVelocity = btVector3(0, -1, 0);
    info.m_angularVelocity = btVector3(5, 1, -2);
    btPliantBody* a =
        scene.addBar(makeBar(), btVector3(0, btScalar(0.12), 0), info, btQuaternion(btVector3(0, 1, 0), btScalar(1.2)));
    info.m_linearVelocity = btVector3(0, 1, 0);
    info.m_angularVelocity = btVector3(0, 0, 0);
    scene.addBar(makeBar(), btVector3(0, 0, 0), info);
    const btVector3 before = totalAngularMomentum(scene), own = a->getAngularMomentum();
    scene.step(60);
    EXPECT_GT((a->getAngularMomentum() - own).length(), 0.1 * own.length()) << "they did touch";
    EXPECT_LT((totalAngularMomentum(scene) - before).length(), (doublePrecision ? 1e-9 : 2e-5) * before.length());
}

}  // namespace
