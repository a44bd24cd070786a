// SPDX-License-Identifier: Zlib
// Worlds with Bullet's own solver, which knows nothing of the deformation: bodies bend all the same, lose no momentum
// and gain no energy (btPliant/step/OneWayStep.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "CollidingBars.h"
#include "OneWayWorld.h"

namespace {

using pliant::test::anchoredBar;
using pliant::test::BarOptions;
using pliant::test::doublePrecision;
using pliant::test::linearMomentum;
using pliant::test::makeBar;
using pliant::test::OneWayWorld;
using pliant::test::TestWorld;
using pliant::test::totalAngularMomentum;

TEST(OneWay, IsToldByTheStatus) {
    const OneWayWorld scene;
    EXPECT_FALSE(scene.system->isConnected());
    EXPECT_NE(scene.system->getStatus().find("coupled one way"), std::string::npos) << scene.system->getStatus();
}

// A piston of 2 kg on a cantilever: the same q as of its weight at that point of the axis, without any contact.
TEST(OneWay, ACantileverBendsByTheWeightThatLiesOnIt) {
    constexpr double weight = 2.0, along = 0.3;
    btPliantBodyInfo info;
    info.m_damping.mass = 20;
    const auto model = makeBar(anchoredBar());
    OneWayWorld loaded;
    btPliantBody* bar = loaded.addBar(model, btVector3(0, 1, 0), info);
    btRigidBody* piston =
        loaded.addRigid(new btSphereShape(btScalar(0.05)), weight, btVector3(btScalar(along), btScalar(1.101), 0));
    piston->setLinearFactor(btVector3(0, 1, 0));
    piston->setAngularFactor(btScalar(0));
    piston->setActivationState(DISABLE_DEACTIVATION);
    loaded.step(1200);

    TestWorld forced;
    btPliantBody* other = forced.addBar(model, btVector3(0, 1, 0), info);
    const btTransform mesh = other->getMeshTransform();
    const auto point = other->locate(mesh.inverse() * btVector3(btScalar(along), 1, 0));
    for (int i = 0; i < 1200; ++i) {
        other->applyForceAt(point, btVector3(0, btScalar(-9.81 * weight), 0));
        forced.step();
    }
    const pliant::VectorX expected = other->getReducedCoordinates(), q = bar->getReducedCoordinates();
    ASSERT_GT(expected.norm(), 5e-3);
    EXPECT_LT((q - expected).norm(), 0.01 * expected.norm());
    EXPECT_LT(std::abs(piston->getLinearVelocity().y()), 1e-4);
}

/// Two bars that meet in flight, without friction: Bullet applies friction at the surface of each of both bodies, which
/// leaves a torque as large as the distance between these.
struct Collision {
    Collision() {
        btPliantBodyInfo info;
        info.m_friction = 0;
        pliant::test::addCollidingBars(scene, info);
    }
    OneWayWorld scene;
};

TEST(OneWay, ACollisionKeepsMomentum) {
    Collision c;
    btPliantBody &a = *c.scene.system->getBody(0), &b = *c.scene.system->getBody(1);
    c.scene.step();
    const btVector3 linear = linearMomentum(a) + linearMomentum(b), angular = totalAngularMomentum(c.scene);
    const btVector3 before = linearMomentum(a);
    double bent = 0;
    for (int i = 0; i < 60; ++i) {
        c.scene.step();
        bent = std::max(bent, a.getReducedCoordinates().norm());
    }
    EXPECT_GT((linearMomentum(a) - before).length(), 1.0) << "they did collide";
    EXPECT_GT(bent, 1e-3);
    const double tolerance = doublePrecision ? 1e-9 : 2e-5;
    EXPECT_LT((linearMomentum(a) + linearMomentum(b) - linear).length(), tolerance * linear.length());
    EXPECT_LT((totalAngularMomentum(c.scene) - angular).length(), tolerance * 4.0);
}

TEST(OneWay, ATumblingBarKeepsItsAngularMomentumAndEnergy) {
    OneWayWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBodyInfo info;
    info.m_angularVelocity = btVector3(3, btScalar(0.4), 4);
    const btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 0, 0), info);
    const btVector3 before = bar->getAngularMomentum();
    const double energy = bar->getKineticEnergy();
    scene.step(2000);
    EXPECT_LT((bar->getAngularMomentum() - before).length(), (doublePrecision ? 1e-9 : 1e-4) * before.length());
    EXPECT_GT(bar->getReducedCoordinates().norm(), 1e-5) << "the spin bends it";
    EXPECT_NEAR(bar->getKineticEnergy() + bar->getStrainEnergy(), energy, 0.05 * energy);
}

struct Fall {
    double start = 0, most = 0, bent = 0, deepest = 0;
};

/// A bar without any damping falls on its corner, for three seconds.
Fall fall(double frequency, double friction, double h) {
    BarOptions options;
    options.frequencies = {frequency, frequency, 3 * frequency, 2.7 * frequency};
    OneWayWorld scene;
    scene.addGround()->setFriction(static_cast<btScalar>(friction));
    btPliantBodyInfo info;
    info.m_friction = btScalar(1);
    const btPliantBody* bar = scene.addBar(makeBar(options), btVector3(0, btScalar(0.6), 0), info,
                                           btQuaternion(btVector3(0, 0, 1), btScalar(0.4)));
    Fall result;
    result.start = scene.system->getStats().totalEnergy();
    for (int i = 0; i < static_cast<int>(3.0 / h); ++i) {
        scene.step(1, h);
        const btPliantStats& stats = scene.system->getStats();
        if (i == 0) result.start = stats.totalEnergy();
        result.most = std::max(result.most, stats.totalEnergy());
        result.deepest = std::max(result.deepest, stats.m_largestPenetration);
        result.bent = std::max(result.bent, bar->getReducedCoordinates().norm());
    }
    return result;
}

// From bodies that a step resolves to omega h = 180. What a substep takes back of what an earlier one took may be
// percents of the whole, which the energy at the start bounds.
TEST(OneWay, ImpactsGainNoEnergy) {
    for (const double frequency : {20.0, 60.0, 200.0, 900.0, 4000.0})
        for (const double friction : {0.0, 0.5})
            for (const double h : {1.0 / 60.0, 1.0 / 240.0}) {
                const Fall result = fall(frequency, friction, h);
                const auto where = testing::Message() << frequency << " rad/s, friction " << friction << ", h " << h;
                EXPECT_LE(result.most, (1.0 + 1e-6) * result.start) << where;
                EXPECT_GT(result.bent, 0.0) << where;
                EXPECT_LT(result.deepest, 2.0) << where << ", radii";
            }
}

TEST(OneWay, FallsAsleep) {
    OneWayWorld scene;
    scene.addGround();
    btPliantBodyInfo info;
    info.m_damping.mass = 1;
    info.m_damping.stiffness = 1e-3;
    const btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, btScalar(0.3), 0), info);
    scene.step(900);
    EXPECT_FALSE(bar->isActive());
    EXPECT_NEAR(bar->getCenterOfMassPosition().y(), 0.05, 0.006);
}

TEST(OneWay, PointsTellTheirDistanceAfterTheStep) {
    OneWayWorld scene;
    scene.addGround();
    scene.addBar(makeBar(), btVector3(0, btScalar(0.052), 0));
    scene.step(30);
    int points = 0;
    for (int m = 0; m < scene.dispatcher.getNumManifolds(); ++m) {
        const btPersistentManifold& manifold = *scene.dispatcher.getManifoldByIndexInternal(m);
        for (int i = 0; i < manifold.getNumContacts(); ++i, ++points) {
            const btManifoldPoint& point = manifold.getContactPoint(i);
            const btVector3 apart = point.getPositionWorldOnA() - point.getPositionWorldOnB();
            EXPECT_NEAR(point.getDistance(), point.m_normalWorldOnB.dot(apart), 1e-6);
        }
    }
    EXPECT_GT(points, 0);
}

std::vector<double> bitsOf(const TestWorld& scene) {
    std::vector<double> bits;
    for (int i = 0; i < scene.system->getNumBodies(); ++i) {
        const btPliantBody& body = *scene.system->getBody(i);
        for (int k = 0; k < 3; ++k) bits.push_back(static_cast<double>(body.getCenterOfMassPosition()[k]));
        for (int k = 0; k < 3; ++k) bits.push_back(static_cast<double>(body.getAngularVelocity()[k]));
        for (const double q : body.getReducedCoordinates()) bits.push_back(q);
    }
    return bits;
}

std::unique_ptr<OneWayWorld> pile(int threads) {
    btPliantSystemInfo info;
    info.m_threads = threads;
    auto scene = std::make_unique<OneWayWorld>(info);
    scene->world.getDispatchInfo().m_deterministicOverlappingPairs = true;
    scene->addGround();
    const auto model = makeBar();
    btPliantBodyInfo body;
    body.m_damping.mass = 5;
    for (int i = 0; i < 8; ++i)
        scene->addBar(model, btVector3(btScalar(0.1 * (i % 3)), btScalar(0.2 + 0.13 * i), 0), body,
                      btQuaternion(btVector3(0, 1, 0), btScalar(0.7 * i)));
    return scene;
}

TEST(OneWay, AnyNumberOfWorkersGivesTheSameBits) {
    const auto one = pile(1), two = pile(2);
    one->step(150);
    two->step(150);
    EXPECT_EQ(bitsOf(*one), bitsOf(*two));
}

TEST(OneWay, ARestoredWorldGoesOnWithTheSameBits) {
    const auto scene = pile(1);
    scene->step(80);
    std::vector<std::byte> blob;
    scene->system->saveState(blob);
    scene->step(60);
    const std::vector<double> bits = bitsOf(*scene);
    ASSERT_EQ(scene->system->restoreState(blob.data(), blob.size()), pliant::StateStatus::Ok);
    scene->step(60);
    EXPECT_EQ(bitsOf(*scene), bits);
    const auto other = pile(1);
    other->step(2);
    ASSERT_EQ(other->system->restoreState(blob.data(), blob.size()), pliant::StateStatus::Ok);
    other->step(60);
    EXPECT_EQ(bitsOf(*other), bits);
}

}  // namespace
