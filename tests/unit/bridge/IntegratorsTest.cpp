// SPDX-License-Identifier: Zlib
// Analytic oscillators and static bodies in a world with contacts.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "CubeModel.h"
#include "DenseAlgebra.h"
#include "TestWorld.h"
#include "btPliant/btPliantJoints.h"
#include "btPliant/btPliantTouch.h"
#include "btPliant/data/BodyData.h"

namespace {

using pliant::Integrator;
using pliant::test::BarOptions;
using pliant::test::makeBar;
using pliant::test::TestWorld;

btPliantBodyInfo infoOf(Integrator integrator) {
    btPliantBodyInfo info;
    info.m_integrator = integrator;
    info.m_friction = 0;
    return info;
}

TEST(Integrators, OneModeAgainstAWallGainsNothing) {
    for (const Integrator integrator : {Integrator::Analytic, Integrator::Static})
        for (const double omegaH : {0.1, 0.5, 1.0, 3.0, 10.0}) {
            // Without inertia a soft body gives way by metres to an impact: nothing for statics.
            if (integrator == Integrator::Static && omegaH < 1.0) continue;
            const double h = 1.0 / 120.0;
            BarOptions options;
            options.frequencies = {omegaH / h};
            TestWorld scene;
            scene.world.setGravity(btVector3(0, 0, 0));
            scene.addGround();
            btPliantBodyInfo info = infoOf(integrator);
            info.m_linearVelocity = btVector3(0, -2, 0);
            btPliantBody* bar = scene.addBar(makeBar(options), btVector3(0, btScalar(0.2), 0), info);
            const double start = bar->getKineticEnergy();
            double last = start;
            for (int i = 0; i < 240; ++i) {
                scene.step(1, h);
                const double energy = bar->getKineticEnergy() + bar->getStrainEnergy();
                ASSERT_LE(energy, last + 1e-3 * start) << "omega h = " << omegaH << ", step " << i;
                last = std::min(last, energy);
            }
            EXPECT_LT(last, 0.999 * start) << "it must have hit the wall";
        }
}

// Resting under gravity between contact force and elasticity is a fixed point, with stiff modes too.
TEST(Integrators, RestingBarsStayAtRest) {
    for (const Integrator integrator : {Integrator::Analytic, Integrator::Static})
        for (const double omega : {40.0, 1200.0}) {
            BarOptions options;
            options.frequencies = {omega, omega, 3 * omega};
            TestWorld scene;
            scene.addRigid(new btBoxShape(btVector3(btScalar(0.1), btScalar(0.5), 1)), 0,
                           btVector3(0, btScalar(-0.5), 0));
            btPliantBodyInfo info = infoOf(integrator);
            info.m_friction = 1;
            info.m_damping.mass = 4;
            info.m_damping.stiffness = 0.1 / omega;
            btPliantBody* bar = scene.addBar(makeBar(options), btVector3(0, btScalar(0.0505), 0), info);
            scene.step(480);
            const pliant::VectorX q = bar->getReducedCoordinates();
            double worst = 0;
            for (int i = 0; i < 60; ++i) {
                scene.step();
                worst = std::max(worst, (bar->getReducedCoordinates() - q).norm());
            }
            ASSERT_GT(q.norm(), 1e-7) << "its ends hang down a little";
            EXPECT_LT(worst, 1e-2 * q.norm()) << omega << " " << static_cast<int>(integrator);
            EXPECT_LT(bar->getLinearVelocity().length(), 1e-3);
        }
}

/// A place of the bar's middle line in its mesh frame, at rest. @param x from its middle, m
btVector3 onTheBar(double x) {
    const pliant::Vector3 offset = BarOptions().meshOffset;
    return btVector3(static_cast<btScalar>(offset.x() + x), static_cast<btScalar>(offset.y()),
                     static_cast<btScalar>(offset.z()));
}

btPliantBodyInfo dampedAnalytic(double omega) {
    btPliantBodyInfo info = infoOf(Integrator::Analytic);
    info.m_friction = btScalar(0.5);
    info.m_damping.mass = 1;
    info.m_damping.stiffness = 0.2 / omega;
    return info;
}

// Gaps are measured where the material is, however far a load has bent it in how few steps a period.
TEST(Integrators, LoadsHangFromAnalyticBodiesWithoutAGap) {
    for (const double omega : {60.0, 600.0, 2000.0}) {
        BarOptions options;
        options.frequencies = {omega, omega, 3 * omega};
        TestWorld scene;
        btPliantBody* bar = scene.addBar(makeBar(options), btVector3(0, 1, 0), dampedAnalytic(omega));
        btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(0.1)), 2, btVector3(0, btScalar(0.9), 0));
        for (btCollisionObject* each : {static_cast<btCollisionObject*>(bar), static_cast<btCollisionObject*>(ball)})
            each->setActivationState(DISABLE_DEACTIVATION);
        btPliantPoint2PointConstraint left(*bar, onTheBar(-0.5)), right(*bar, onTheBar(0.5)),
            load(*bar, *ball, onTheBar(0), btVector3(0, btScalar(0.1), 0));
        for (btTypedConstraint* each : {&left, &right, &load}) scene.world.addConstraint(each, true);
        scene.step(1800);
        const btVector3 hook = ball->getWorldTransform() * btVector3(0, btScalar(0.1), 0);
        EXPECT_LT(bar->getPointPosition(onTheBar(0)).distance(hook), 5e-5) << omega;
        EXPECT_LT(bar->getPointPosition(onTheBar(-0.5)).distance(btVector3(btScalar(-0.5), 1, 0)), 5e-5) << omega;
        for (btTypedConstraint* each : {&left, &right, &load}) scene.world.removeConstraint(each);
    }
}

// A bar on two boxes, a ball on its middle: springs of 1e6 N/m give way by no more than half of the load over one each.
TEST(Integrators, AnalyticBodiesSinkIntoSpringsAndSupportsByTheirLoadAlone) {
    for (const double stiffness : {0.0, 1e6})
        for (const double omega : {60.0, 600.0}) {
            BarOptions options;
            options.frequencies = {omega, omega, 3 * omega};
            TestWorld scene;
            for (const double x : {-0.45, 0.45})
                scene.addRigid(new btBoxShape(btVector3(btScalar(0.1), btScalar(0.1), 1)), 0,
                               btVector3(static_cast<btScalar>(x), btScalar(-0.1), 0));
            btPliantBody* bar = scene.addBar(makeBar(options), btVector3(0, btScalar(0.051), 0), dampedAnalytic(omega));
            const double mass = 5;
            btRigidBody* ball =
                scene.addRigid(new btSphereShape(btScalar(0.1)), mass, btVector3(0, btScalar(0.205), 0));
            ball->setLinearFactor(btVector3(0, 1, 0));
            ball->setAngularFactor(btVector3(0, 0, 0));
            for (btCollisionObject* each :
                 {static_cast<btCollisionObject*>(bar), static_cast<btCollisionObject*>(ball)})
                each->setActivationState(DISABLE_DEACTIVATION);
            if (stiffness > 0)
                bar->setContactStiffnessAndDamping(static_cast<btScalar>(stiffness),
                                                   static_cast<btScalar>(0.01 * stiffness));
            scene.step(1200);
            double deepest = 0;
            for (int i = 0; i < 240; ++i) {
                scene.step();
                deepest = std::max(deepest, scene.deepestContact());
            }
            const double weight = 9.81 * (mass + bar->getModel().totalMass());
            // What is rigid is as deep as the slop, a share of the bar's radius, allows.
            EXPECT_LT(deepest, stiffness > 0 ? weight / stiffness : 4e-3) << stiffness << " " << omega;
            EXPECT_GT(ball->getWorldTransform().getOrigin().y(), 0.18) << "it lies on the bar";
        }
}

// Soft boxes and layers by distributed contact, whose springs are the stiffest of all.
TEST(Integrators, AnalyticSolidsGainNothingByDistributedContact) {
    for (const double young : {1e5, 1e6}) {
        pliant::test::SolidMaterial soft;
        soft.young = young;
        const auto model = pliant::test::solidBox({0.3, 0.1, 0.1}, soft, 0.05);
        for (const double stiffness : {1e6, 1e7}) {
            TestWorld scene;
            scene.addGround();
            btPliantBody* body = scene.addBar(model, btVector3(0, btScalar(0.3), 0), infoOf(Integrator::Analytic),
                                              btQuaternion(btVector3(0, 0, 1), btScalar(0.4)));
            btPliantTouchSettings settings;
            settings.m_stiffness = static_cast<btScalar>(stiffness);
            settings.m_friction = 0;
            settings.m_points = 2000;
            scene.system->setTouch(*body, nullptr, settings);
            const double start = scene.system->getStats().totalEnergy();
            for (int i = 0; i < 600; ++i) {
                scene.step(1, 1.0 / 240.0);
                ASSERT_LT(scene.system->getStats().totalEnergy(), 1.002 * start) << young << " " << stiffness;
            }
        }
    }
}

// That something may touch a body is known of the step that it makes: what sleeps on its supports while others step
// keeps nothing of it, and swings exactly when it wakes without them.
TEST(Integrators, AnalyticBodiesThatSleptOnSomethingSwingExactlyWithoutIt) {
    TestWorld scene;
    btRigidBody* supports[2];
    for (const int side : {0, 1})
        supports[side] = scene.addRigid(new btBoxShape(btVector3(btScalar(0.1), btScalar(0.1), 1)), 0,
                                        btVector3(btScalar(side == 0 ? -0.45 : 0.45), btScalar(-0.1), 0));
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, btScalar(0.051), 0), dampedAnalytic(60));
    btPliantBody* other = scene.addBar(makeBar(), btVector3(0, 9, 0), dampedAnalytic(60));
    other->setActivationState(DISABLE_DEACTIVATION);
    scene.step(120);
    bar->forceActivationState(ISLAND_SLEEPING);
    scene.step(3);
    ASSERT_FALSE(bar->isActive());
    for (btRigidBody* each : supports) scene.world.removeRigidBody(each);
    bar->forceActivationState(DISABLE_DEACTIVATION);
    const pliant::VectorX q = bar->getReducedCoordinates();
    ASSERT_GT(q.norm(), 1e-4) << "its weight bends it";
    scene.step();
    const btPliantInternal::BodyData& data = btPliantInternal::dataOf(*bar);
    EXPECT_GT((data.batch().startPosition(data.slot) - q).norm(), 1e-3 * q.norm()) << "as trapezoid steps begin";
}

TEST(Integrators, HeldBarBearsABoxAsStaticsSays) {
    const auto model = makeBar(pliant::test::anchoredBar());
    TestWorld scene;
    btPliantBody* bar = scene.addBar(model, btVector3(0, 1, 0), infoOf(Integrator::Static));
    scene.step(3);
    const pliant::VectorX expected = pliant::test::solved(
        model->energy.linearStiffness, model->inertia.translation.transpose() * pliant::Vector3(0, -9.81, 0));
    EXPECT_LT((bar->getReducedCoordinates() - expected).norm(), 1e-6 * expected.norm()) << "at once";
    // A ball on it, kept from rolling: its weight at its place, through K^-1.
    const double mass = 0.2;
    btRigidBody* ball =
        scene.addRigid(new btSphereShape(btScalar(0.1)), mass, btVector3(btScalar(0.2), btScalar(1.15), 0));
    ball->setLinearFactor(btVector3(0, 1, 0));
    ball->setAngularFactor(btVector3(0, 0, 0));
    ball->setDamping(btScalar(0.9), 0);
    ball->setActivationState(DISABLE_DEACTIVATION);
    scene.step(1200);
    pliant::VectorX row(expected.size());
    const auto point = bar->locate(btVector3(btScalar(0.5), btScalar(-0.2), btScalar(0.1)));  // 0.2 m from its middle
    for (Eigen::Index j = 0; j < row.size(); ++j) {
        row[j] = 0;
        for (std::size_t c = 0; c < 8; ++c) row[j] += point.weight[c] * model->basis(3 * point.vertex[c] + 1, j);
    }
    const pliant::VectorX loaded = expected - 9.81 * mass * pliant::test::solved(model->energy.linearStiffness, row);
    EXPECT_LT((bar->getReducedCoordinates() - loaded).norm(), 0.02 * loaded.norm());
}

}  // namespace
