// SPDX-License-Identifier: Zlib
// Contacts that share a mode must share its response: the sum of their impulses is that of a dense solve, which is what
// separate compliances per contact get wrong by the number of contacts.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "TestWorld.h"

namespace {

using pliant::test::BarOptions;
using pliant::test::doublePrecision;
using pliant::test::makeBar;
using pliant::test::TestWorld;

/// Contact impulses and points on the bar's side (world).
struct Found {
    std::vector<double> impulses;
    std::vector<btVector3> points;
};

Found contacts(TestWorld& scene) {
    Found found;
    for (int m = 0; m < scene.dispatcher.getNumManifolds(); ++m) {
        const btPersistentManifold* manifold = scene.dispatcher.getManifoldByIndexInternal(m);
        for (int i = 0; i < manifold->getNumContacts(); ++i) {
            found.impulses.push_back(static_cast<double>(manifold->getContactPoint(i).m_appliedImpulse));
            found.points.push_back(manifold->getContactPoint(i).m_positionWorldOnB);
        }
    }
    return found;
}

TEST(CoupledContact, ThreeContactsOnOneModeEqualADenseSolve) {
    const auto model = makeBar(pliant::test::anchoredBar({30}));
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    scene.world.getSolverInfo().m_numIterations = 400;
    btPliantBody* bar = scene.addBar(model, btVector3(0, 0, 0));
    // Three light balls fly up against the bar's underside at once.
    std::vector<btRigidBody*> balls;
    const double mass = 0.3, speed = 1.0, h = 1.0 / 120.0;
    for (const double x : {-0.1, 0.15, 0.4}) {
        btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(0.05)), mass,
                                           btVector3(static_cast<btScalar>(x), btScalar(-0.1), 0));
        ball->setFriction(0);
        ball->setLinearVelocity(btVector3(0, static_cast<btScalar>(speed), 0));
        balls.push_back(ball);
    }
    scene.step(1, h);
    const Found found = contacts(scene);
    ASSERT_EQ(found.impulses.size(), 3u);

    // Dense: W = Y u u' + 1 / m, target 0, every ball comes with `speed`; Y = 1 / (1 + beta h^2 w^2).
    const double Y = 1.0 / (1.0 + 0.25 * h * h * 30.0 * 30.0);
    Eigen::Vector3d u;
    pliant::VectorX one = pliant::VectorX::Ones(1);
    const std::vector<btVector3> at = found.points;
    // The mode's lift at each ball, from the bar's own kinematics.
    pliant::VectorX velocity = pliant::VectorX::Ones(1);
    bar->setReducedVelocities(velocity);
    for (int i = 0; i < 3; ++i) {
        const double x = static_cast<double>(at[static_cast<std::size_t>(i)].x());
        u[i] = static_cast<double>(
            bar->getPointVelocity(btVector3(static_cast<btScalar>(x + 0.3), btScalar(-0.2), btScalar(0.1))).y());
    }
    Eigen::Matrix3d W = Y * u * u.transpose();
    W.diagonal().array() += 1.0 / mass;
    const Eigen::Vector3d dense = W.ldlt().solve(Eigen::Vector3d::Constant(speed));
    double sum = 0;
    for (const double impulse : found.impulses) sum += impulse;
    ASSERT_GT(Y * u.squaredNorm() * mass, 0.1) << "the mode must matter";
    EXPECT_NEAR(sum, dense.sum(), 5e-3 * dense.sum());
    for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(found.impulses[static_cast<std::size_t>(i)], dense[i], 2e-2 * dense.sum()) << i;
}

TEST(CoupledContact, OneModeAgainstAWallGainsNothing) {
    for (const double omegaH : {0.1, 1.0, 3.0, 10.0}) {
        const double h = 1.0 / 120.0;
        BarOptions options;
        options.frequencies = {omegaH / h};
        TestWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        scene.addGround();
        btPliantBodyInfo info;
        info.m_linearVelocity = btVector3(0, -2, 0);
        info.m_friction = 0;
        btPliantBody* bar = scene.addBar(makeBar(options), btVector3(0, btScalar(0.2), 0), info);
        const double start = bar->getKineticEnergy();
        double last = start;
        for (int i = 0; i < 240; ++i) {
            scene.step(1, h);
            const double energy = bar->getKineticEnergy() + bar->getStrainEnergy();
            ASSERT_LE(energy, last + 1e-4 * start) << "omega h = " << omegaH << ", step " << i;
            last = energy;
        }
        EXPECT_LT(last, 0.999 * start) << "it must have hit the wall";
    }
}

TEST(CoupledContact, FrictionHoldsOnASlopeAndSlipsOnASteeperOne) {
    for (const bool slips : {false, true}) {
        TestWorld scene;
        scene.addGround();
        scene.rigid.back()->setFriction(1);
        const double angle = slips ? 0.7 : 0.3;  // friction 0.5: slips from 0.46
        scene.world.setGravity(btVector3(0, static_cast<btScalar>(-9.81 * std::cos(angle)),
                                         static_cast<btScalar>(9.81 * std::sin(angle))));
        btPliantBodyInfo info;
        info.m_friction = btScalar(0.5);
        info.m_damping.mass = 5;
        // Across the slope, so that a bar cannot roll: two bars would; lay it along the slope.
        btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, btScalar(0.051), 0), info,
                                         btQuaternion(btVector3(0, 1, 0), btScalar(SIMD_HALF_PI)));
        scene.step(120);
        const double moved = static_cast<double>(bar->getCenterOfMassPosition().z());
        if (slips) {
            const double expected = 0.5 * 9.81 * (std::sin(angle) - 0.5 * std::cos(angle));
            EXPECT_NEAR(moved, expected, 0.15 * expected);
        } else {
            EXPECT_LT(std::abs(moved), 0.005);
        }
    }
}

// A bar of radius R rolls and is slowed by the lever b of the normal force: (I + m R^2) W' = -b m g.
TEST(CoupledContact, RollingFrictionStopsARollingBar) {
    const auto model = makeBar();
    const double R = 0.05, g = 9.81, m = model->totalMass(), I = model->inertia.principalInertia.x(), spin = 10.0;
    for (const double b : {0.0, 0.01}) {
        TestWorld scene;
        scene.addGround();
        scene.rigid.back()->setFriction(1);
        btPliantBodyInfo info;
        info.m_friction = 1;
        info.m_rollingFriction = static_cast<btScalar>(b);
        info.m_damping.mass = 5;
        info.m_angularVelocity = btVector3(static_cast<btScalar>(spin), 0, 0);
        info.m_linearVelocity = btVector3(0, 0, static_cast<btScalar>(spin * R));
        btPliantBody* bar = scene.addBar(model, btVector3(0, btScalar(R), 0), info);
        bar->forceActivationState(DISABLE_DEACTIVATION);
        const double slowing = b * m * g / (I + m * R * R), seconds = 0.5 * spin / slowing;
        scene.step(b > 0 ? static_cast<int>(120 * seconds) : 60);
        const double turning = static_cast<double>(bar->getAngularVelocity().x());
        EXPECT_NEAR(turning, b > 0 ? 0.5 * spin : spin, 0.05 * spin) << "half of it is gone after half the time";
        if (b > 0) {
            scene.step(static_cast<int>(120 * 1.5 * seconds));
            EXPECT_LT(std::abs(static_cast<double>(bar->getAngularVelocity().x())), 0.05);
        }
    }
}

// Rails slide below a bar, over several of their segments: the contacts go on all the time, with their impulses.
TEST(CoupledContact, ContactsOutliveTheSegmentsThatTheySlideOver) {
    TestWorld scene;
    const auto model = makeBar();
    btPliantBodyInfo rail;
    rail.m_kinematic = true;
    rail.m_friction = 0;
    btPliantBody* rails[2];
    for (const int side : {0, 1})
        rails[side] = scene.addBar(model, btVector3(btScalar(-0.25), 0, btScalar(side ? 0.3 : -0.3)), rail);
    btPliantBodyInfo info;
    info.m_friction = 0;
    info.m_damping.mass = 10;
    btPliantBody* bar = scene.addBar(model, btVector3(0, btScalar(0.1), 0), info,
                                     btQuaternion(btVector3(0, 1, 0), btScalar(SIMD_HALF_PI)));
    bar->forceActivationState(DISABLE_DEACTIVATION);
    bar->setLinearFactor(btVector3(0, 1, 0));  // nothing else would keep it from turning off the rails
    bar->setAngularFactor(btVector3(0, 0, 0));
    for (int i = 0; i < 240; ++i) {
        for (btPliantBody* moving : rails) {
            btTransform transform = moving->getMeshTransform();
            transform.getOrigin() += btVector3(btScalar(0.25 / 120), 0, 0);
            moving->setMeshTransform(transform);
        }
        scene.step();
    }
    int contacts = 0;
    for (int m = 0; m < scene.dispatcher.getNumManifolds(); ++m) {
        const btPersistentManifold* manifold = scene.dispatcher.getManifoldByIndexInternal(m);
        for (int c = 0; c < manifold->getNumContacts(); ++c) {
            if (manifold->getContactPoint(c).m_appliedImpulse <= 0) continue;
            EXPECT_GT(manifold->getContactPoint(c).m_lifeTime, 150) << "a segment passes in 60 steps";
            ++contacts;
        }
    }
    EXPECT_GE(contacts, 2);
    EXPECT_NEAR(bar->getCenterOfMassPosition().y(), 0.1, 0.01);
}

}  // namespace
