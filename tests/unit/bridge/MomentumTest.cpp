// SPDX-License-Identifier: Zlib
// What free bodies keep: linear and angular momentum, in flight and when they collide.
#include <gtest/gtest.h>

#include "CollidingBars.h"
#include "TestWorld.h"

namespace {

using pliant::test::doublePrecision;
using pliant::test::linearMomentum;
using pliant::test::makeBar;
using pliant::test::TestWorld;
using pliant::test::totalAngularMomentum;

btPliantSystemInfo withRecovery(double share) {
    btPliantSystemInfo info = TestWorld::oneThread();
    info.m_penetrationRecovery = static_cast<btScalar>(share);
    return info;
}

struct Collision {
    explicit Collision(double recovery = 0.1) : scene(withRecovery(recovery)) { pliant::test::addCollidingBars(scene); }
    TestWorld scene;
};

TEST(Momentum, CollisionKeepsLinearMomentum) {
    Collision c;
    btPliantBody &a = *c.scene.system->getBody(0), &b = *c.scene.system->getBody(1);
    const btVector3 before = linearMomentum(a) + linearMomentum(b);
    const btVector3 aBefore = linearMomentum(a);
    int contacts = 0;
    for (int i = 0; i < 60; ++i) {
        c.scene.step();
        contacts += c.scene.system->getStats().m_contacts;
    }
    EXPECT_GT(contacts, 0);
    EXPECT_GT((linearMomentum(a) - aBefore).length(), 1.0);  // they did collide
    const double tolerance = doublePrecision ? 1e-9 : 1e-5;
    EXPECT_LT((linearMomentum(a) + linearMomentum(b) - before).length(), tolerance * before.length());
}

TEST(Momentum, CollisionKeepsAngularMomentum) {
    for (const int iterations : {4, 10, 12, 20}) {  // with and without directions between them
        Collision c(0);                             // taking back penetration moves masses without velocity
        c.scene.world.getSolverInfo().m_numIterations = iterations;
        const btVector3 before = totalAngularMomentum(c.scene);
        c.scene.step(60);
        const double tolerance = doublePrecision ? 1e-9 : 2e-5;
        EXPECT_LT((totalAngularMomentum(c.scene) - before).length(), tolerance * 4.0) << iterations;
    }
}

// Weight goes from bar to bar, so that the last iterations still change something: impulses and velocities must stay
// together through directions and plain iterations.
TEST(Momentum, ARowOfBarsKeepsMomentum) {
    for (const int iterations : {10, 12, 14, 20}) {
        TestWorld scene(withRecovery(0));
        scene.world.setGravity(btVector3(0, 0, 0));
        scene.world.getSolverInfo().m_numIterations = iterations;
        const auto model = makeBar();
        btVector3 linear(0, 0, 0);
        for (int i = 0; i < 8; ++i) {
            btPliantBodyInfo info;
            info.m_friction = btScalar(0.5);
            if (i == 7) info.m_linearVelocity = btVector3(btScalar(0.2), -6, btScalar(-0.1));
            const btScalar shift = btScalar(i % 2 ? 0.04 : -0.03);
            linear += linearMomentum(*scene.addBar(model, btVector3(shift, btScalar(0.102 * i), shift), info,
                                                   btQuaternion(btVector3(0, 1, 0), btScalar(0.7 * i))));
        }
        const btVector3 before = totalAngularMomentum(scene);
        scene.step(40);
        btVector3 after(0, 0, 0);
        for (int i = 0; i < 8; ++i) after += linearMomentum(*scene.system->getBody(i));
        EXPECT_LT(scene.system->getBody(0)->getLinearVelocity().y(), -0.1) << "the last one was struck";
        EXPECT_LT((after - linear).length(), (doublePrecision ? 1e-9 : 2e-5) * linear.length()) << iterations;
        EXPECT_LT((totalAngularMomentum(scene) - before).length(), (doublePrecision ? 1e-9 : 2e-5) * 10) << iterations;
    }
}

TEST(Momentum, TumblingBarKeepsAngularMomentum) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBodyInfo info;
    info.m_angularVelocity = btVector3(3, btScalar(0.4), 4);
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 0, 0), info);
    const btVector3 before = bar->getAngularMomentum();
    const double energy = bar->getKineticEnergy();
    scene.step(2000);
    EXPECT_LT((bar->getAngularMomentum() - before).length(), (doublePrecision ? 1e-12 : 1e-6) * before.length());
    EXPECT_GT(bar->getReducedCoordinates().norm(), 1e-5);  // the spin bends it
    EXPECT_NEAR(bar->getKineticEnergy() + bar->getStrainEnergy(), energy, 0.05 * energy);
}

TEST(Momentum, GravityDoesNotExciteAFreeBody) {
    TestWorld scene;
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 0, 0), btPliantBodyInfo(),
                                     btQuaternion(btVector3(0, 0, 1), btScalar(0.5)));
    scene.step(60);
    EXPECT_NEAR(bar->getLinearVelocity().y(), -9.81 * 0.5, 1e-4);
    EXPECT_LT(bar->getReducedCoordinates().norm(), 1e-9);
    EXPECT_LT(bar->getAngularVelocity().length(), 1e-5);
}

TEST(Momentum, DiagnosticsOfABodyAreThoseOfItsBatch) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBodyInfo info;
    info.m_linearVelocity = btVector3(1, -2, 3);
    btPliantBody* bar =
        scene.addBar(makeBar(), btVector3(0, 0, 0), info, btQuaternion(btVector3(0, 0, 1), btScalar(0.7)));
    pliant::VectorX velocity = pliant::VectorX::Zero(3);
    velocity << 0.02, 0, 0.01;
    bar->setReducedVelocities(velocity);
    scene.step(7);
    const btVector3 momentum = bar->getLinearMomentum();
    EXPECT_LT((momentum - linearMomentum(*bar)).length(), 1e-5 * momentum.length());
    pliant::VectorX energies;
    bar->getModalEnergies(energies);
    ASSERT_EQ(energies.size(), 3);
    EXPECT_NEAR(bar->getModalFrequencies()[2], 200.0, 1e-9);
    // No springs but linear ones, hardly any rotation: the modes have all of it, and each its own.
    EXPECT_NEAR(energies[0], 0.5 * 0.02 * 0.02, 1e-6);
    EXPECT_NEAR(energies[2], 0.5 * 0.01 * 0.01, 1e-6);
    EXPECT_LT(energies[1], 1e-6);
    EXPECT_GT(bar->getStrainEnergy(), 0.0);
}

TEST(Momentum, UsersChangeOfVelocityIsRespected) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 0, 0));
    scene.step(2);
    bar->setAngularVelocity(btVector3(2, 0, 0));
    scene.step(5);
    EXPECT_NEAR(bar->getAngularVelocity().x(), 2.0, 1e-3);
    bar->setAngularVelocity(btVector3(0, 0, 0));
    scene.step(1);
    EXPECT_LT(bar->getAngularVelocity().length(), 1e-3);
}

}  // namespace
