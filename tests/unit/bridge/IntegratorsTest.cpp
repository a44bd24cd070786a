// SPDX-License-Identifier: Zlib
// Analytic oscillators and static bodies in a world with contacts.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "DenseAlgebra.h"
#include "TestWorld.h"

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
