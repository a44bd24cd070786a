// SPDX-License-Identifier: Zlib
// Bodies whose frame is the user's: held, driven; and forces at material points.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "DenseAlgebra.h"
#include "TestWorld.h"

namespace {

using pliant::test::anchoredBar;
using pliant::test::makeBar;
using pliant::test::TestWorld;

btPliantBodyInfo damped(double mass) {
    btPliantBodyInfo info;
    info.m_damping.mass = mass;
    return info;
}

TEST(Anchored, SagsToTheStaticSolution) {
    const auto model = makeBar(anchoredBar());
    TestWorld scene;
    btPliantBody* bar = scene.addBar(model, btVector3(0, 1, 0), damped(20.0));
    scene.step(600);
    // K q = D' g
    const pliant::VectorX expected = pliant::test::solved(
        model->energy.linearStiffness, model->inertia.translation.transpose() * pliant::Vector3(0, -9.81, 0));
    ASSERT_GT(expected.norm(), 1e-4);
    EXPECT_LT((bar->getReducedCoordinates() - expected).norm(), 1e-4 * expected.norm());
    EXPECT_NEAR(bar->getCenterOfMassPosition().y(), 1.0, 1e-6);
}

TEST(Anchored, TurnedBarFeelsGravityInItsFrame) {
    const auto model = makeBar(anchoredBar());
    TestWorld scene;
    btPliantBody* bar =
        scene.addBar(model, btVector3(0, 1, 0), damped(20.0), btQuaternion(btVector3(0, 0, 1), btScalar(SIMD_HALF_PI)));
    scene.step(600);
    const pliant::VectorX expected = pliant::test::solved(
        model->energy.linearStiffness, model->inertia.translation.transpose() * pliant::Vector3(-9.81, 0, 0));
    EXPECT_LT((bar->getReducedCoordinates() - expected).norm(), 1e-3 * expected.norm());
}

TEST(Anchored, BallRestsOnIt) {
    TestWorld scene;
    btPliantBody* bar = scene.addBar(makeBar(anchoredBar()), btVector3(0, 1, 0), damped(10.0));
    btRigidBody* ball = scene.addRigid(new btBoxShape(btVector3(btScalar(0.1), btScalar(0.1), btScalar(0.1))), 0.5,
                                       btVector3(btScalar(0.1), btScalar(1.2), 0));
    scene.step(240);
    EXPECT_GT(ball->getCenterOfMassPosition().y(), 1.05);
    EXPECT_LT(ball->getCenterOfMassPosition().y(), 1.16);
    EXPECT_LT(bar->getReducedCoordinates()[0] * 0 + ball->getLinearVelocity().length(), 0.1);
}

TEST(Anchored, AcceleratedFrameSwingsTheBar) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBody* bar = scene.addBar(makeBar(anchoredBar()), btVector3(0, 0, 0));
    double largest = 0;
    for (int i = 0; i < 60; ++i) {
        btTransform mesh = bar->getMeshTransform();
        const double t = (i + 1) / 120.0;
        mesh.setOrigin(
            btVector3(btScalar(-0.3), static_cast<btScalar>(0.2 + 0.05 * std::sin(40.0 * t)), btScalar(-0.1)));
        bar->setMeshTransform(mesh);
        scene.step();
        largest = std::max(largest, bar->getReducedCoordinates().norm());
    }
    EXPECT_GT(largest, 1e-3);
}

TEST(Kinematic, FreeModelFollowsItsMotionStateAndRocks) {
    struct Shaker : btMotionState {
        void getWorldTransform(btTransform& worldFromMesh) const override {
            worldFromMesh.setIdentity();
            worldFromMesh.setOrigin(btVector3(0, height, 0));
        }
        void setWorldTransform(const btTransform&) override {}
        btScalar height = 0;
    };
    Shaker shaker;
    TestWorld scene;
    btPliantBodyInfo info;
    info.m_kinematic = true;
    info.m_motionState = &shaker;
    btPliantBody* bar = scene.system->createBody(makeBar(), info);
    scene.world.addRigidBody(bar);
    btRigidBody* box = scene.addRigid(new btBoxShape(btVector3(btScalar(0.1), btScalar(0.1), btScalar(0.1))), 1.0,
                                      btVector3(btScalar(0.3), btScalar(0.0), btScalar(0.1)));
    for (int i = 0; i < 60; ++i) {
        shaker.height += btScalar(0.5 / 120.0);
        scene.step();
    }
    EXPECT_NEAR(bar->getMeshTransform().getOrigin().y(), 0.25, 1e-4);
    EXPECT_GT(box->getCenterOfMassPosition().y(), 0.1);    // lifted
    EXPECT_GT(bar->getReducedCoordinates().norm(), 1e-5);  // and it bends the bar
}

TEST(PointForce, MovesFrameAndShape) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 0, 0));
    const btVector3 tip(btScalar(0.8), btScalar(-0.2), btScalar(0.1));  // mesh frame
    bar->applyForceAt(tip, btVector3(0, 10, 0));
    scene.step();
    const double h = 1.0 / 120.0, mass = bar->getModel().totalMass();
    EXPECT_NEAR(bar->getLinearVelocity().y(), 10.0 * h / mass, 1e-6);
    EXPECT_NEAR(bar->getAngularMomentum().z(), 0.5 * 10.0 * h, 1e-4);
    EXPECT_GT(bar->getReducedVelocities().norm(), 1e-4);
    const double after = static_cast<double>(bar->getLinearVelocity().y());
    scene.step();  // the force lasts one stepSimulation
    EXPECT_NEAR(bar->getLinearVelocity().y(), after, 1e-6);
    EXPECT_NEAR(bar->getAngularMomentum().z(), 0.5 * 10.0 * h, 1e-4);
}

TEST(PointForce, ImpulseKeepsTheBooks) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 0, 0));
    scene.step();
    const btVector3 tip(btScalar(0.8), btScalar(-0.2), btScalar(0.1));
    const btVector3 velocity = bar->getPointVelocity(tip);
    bar->applyImpulseAt(tip, btVector3(0, btScalar(0.1), 0));
    EXPECT_NEAR(bar->getLinearVelocity().y(), 0.1 / bar->getModel().totalMass(), 1e-6);
    EXPECT_NEAR(bar->getAngularMomentum().z(), 0.05, 1e-5);
    EXPECT_GT((bar->getPointVelocity(tip) - velocity).y(), 0.1 / bar->getModel().totalMass());
    EXPECT_GT(std::abs(bar->getReducedVelocities()[0]), 1e-4);
}

TEST(PointForce, PositionsAreInTheMeshFrame) {
    TestWorld scene;
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(1, 2, 3));
    const btVector3 p = bar->getPointPosition(btVector3(btScalar(0.3), btScalar(-0.2), btScalar(0.1)));
    EXPECT_NEAR((p - btVector3(1, 2, 3)).length(), 0.0, 1e-5);
    const btTransform mesh = bar->getMeshTransform();
    EXPECT_NEAR((mesh * btVector3(btScalar(0.3), btScalar(-0.2), btScalar(0.1)) - btVector3(1, 2, 3)).length(), 0.0,
                1e-5);
}

}  // namespace
