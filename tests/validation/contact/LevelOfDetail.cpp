// SPDX-License-Identifier: Zlib
// Fewer coordinates at run time: what stays moves on, energy does not grow, momentum is kept, and steps cost less.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "TruthModels.h"
#include "unit/bridge/TestWorld.h"

namespace {

using pliant::Vector3;
using pliant::test::doublePrecision;
using pliant::test::TestWorld;

std::shared_ptr<const pliant::ReducedModel> makeStrip(int dimension) {
    pliant::test::BlockShape shape;
    shape.a = 12;
    shape.b = 2;
    shape.c = 1;
    shape.size = Vector3(1.2, 0.2, 0.06);
    shape.young = 1e6;
    shape.poisson = 0.3;
    pliant::ReduceOptions options;
    options.modes = 8;
    options.dimension = dimension;
    auto model = pliant::test::reduceMesh(pliant::test::blockMesh(shape), options);
    pliant::test::setBlockSkeleton(*model, shape, 6, 1, 1, 0.02);
    return model;
}

double energyOf(const btPliantBody& body) {
    return body.getKineticEnergy() + body.getStrainEnergy();
}

TEST(LevelOfDetail, FadesWithoutGainAndKeepsThePrefixAndMomentum) {
    const auto model = makeStrip(24);
    for (const pliant::Coupling coupling : {pliant::Coupling::Inertia, pliant::Coupling::Full}) {
        btPliantSystemInfo settings = TestWorld::oneThread();
        settings.m_settings.doublePrecision = true;
        TestWorld scene(settings);
        scene.world.setGravity(btVector3(0, 0, 0));
        btPliantBodyInfo info;
        info.m_coupling = coupling;
        info.m_newmark.iterations = 4;
        info.m_angularVelocity = btVector3(btScalar(0.5), 1, btScalar(0.2));
        btPliantBody* body = scene.system->createBody(model, info);
        scene.world.addRigidBody(body);
        body->forceActivationState(DISABLE_DEACTIVATION);
        // Bent so far that it needs its derivatives: the first of them are where the fading would gain most.
        pliant::VectorX velocity = pliant::VectorX::Zero(24);
        velocity[0] = 3.0;
        velocity[2] = -1.0;
        body->setReducedVelocities(velocity);
        scene.step(17, 1.0 / 240.0);
        const pliant::VectorX before = body->getReducedCoordinates();
        ASSERT_GT(before.tail(18).norm(), 0.01 * before.head(6).norm()) << "the rest must matter";
        const btVector3 momentum = body->getAngularMomentum();
        body->setDetail(6);
        EXPECT_TRUE(body->getReducedCoordinates() == before) << "nothing jumps";
        double last = energyOf(*body), worst = 0, jump = 0;
        const double start = last;
        pliant::VectorX q = before;
        for (int i = 0; i < 120; ++i) {
            scene.step(1, 1.0 / 240.0);
            worst = std::max(worst, energyOf(*body) - last);
            last = std::min(last, energyOf(*body));
            jump = std::max(jump, (body->getReducedCoordinates() - q).head(6).norm());
            q = body->getReducedCoordinates();
        }
        std::printf("%.3f of the energy left, largest gain %.1e of it\n", last / start, worst / start);
        EXPECT_EQ(body->getBatch().model().dimension(), 6);
        EXPECT_EQ(body->getDetail(), 6);
        EXPECT_EQ(q.size(), 24);
        EXPECT_EQ(q.tail(18).norm(), 0.0);
        EXPECT_GT(q.head(6).norm(), 1e-3 * before.norm()) << "the prefix goes on";
        // In one step q may move as fast as all of the energy in its softest mode allows, no faster.
        EXPECT_LT(jump, 1.1 * std::sqrt(2.0 * start) / 240.0);
        EXPECT_LT(worst, 5e-3 * start) << "a few thousandths come and go in Newmark's own steps";
        EXPECT_LT((body->getAngularMomentum() - momentum).length(),
                  (doublePrecision ? 1e-9 : 1e-5) * momentum.length());
        // Back: at once, and nothing changes at that moment.
        const double now = energyOf(*body);
        body->setDetail(24);
        EXPECT_EQ(body->getBatch().model().dimension(), 24);
        EXPECT_TRUE(body->getReducedCoordinates() == q);
        EXPECT_NEAR(energyOf(*body), now, 1e-9 * start);
        scene.step(60, 1.0 / 240.0);
        EXPECT_GT(body->getReducedCoordinates().tail(18).norm(), 0.0) << "they take part again";
        EXPECT_LT(energyOf(*body), start * 1.01);
    }
}

TEST(LevelOfDetail, InAPileItGoesOnAndCostsLess) {
    const auto model = makeStrip(40);
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, btScalar(-9.81)));
    scene.addRigid(new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0, btVector3(0, 0, 0));
    btPliantBodyInfo info;
    info.m_damping.mass = 1;
    info.m_damping.stiffness = 2e-3;
    for (int i = 0; i < 32; ++i) {
        info.m_meshTransform.setOrigin(
            btVector3(btScalar(1.5 * (i % 4)), btScalar(0.5 * (i / 4 % 4)), btScalar(0.05 + 0.2 * (i / 16))));
        btPliantBody* body = scene.system->createBody(model, info);
        scene.world.addRigidBody(body);
        body->forceActivationState(DISABLE_DEACTIVATION);
    }
    const auto cost = [&scene] {
        double least = 1e9;
        for (int i = 0; i < 60; ++i) {
            scene.step();
            least = std::min(least, scene.system->getStats().m_deformationSeconds);
        }
        return least;
    };
    scene.step(60);
    const double full = cost(), energy = scene.system->getStats().totalEnergy();
    for (int i = 0; i < 32; ++i) scene.system->getBody(i)->setDetail(10);
    scene.step(60);
    const double cut = cost();
    std::printf("deformation of 32 bodies: %.2f ms with r = 40, %.2f ms with 10 coordinates\n", 1e3 * full, 1e3 * cut);
    EXPECT_LT(cut, 0.6 * full);
    EXPECT_LT(scene.system->getStats().totalEnergy(), energy + 1e-3 * std::abs(energy));
    EXPECT_EQ(scene.system->getStats().m_restoredBodies, 0);
    for (int i = 0; i < 32; ++i) EXPECT_GT(scene.system->getBody(i)->getCenterOfMassPosition().z(), 0.01);
}

}  // namespace
