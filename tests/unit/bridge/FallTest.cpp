// SPDX-License-Identifier: Zlib
// Bars fall on Bullet's shapes and come to rest on them, without ever gaining energy.
#include <gtest/gtest.h>

#include <algorithm>

#include "TestWorld.h"

namespace {

using pliant::test::BarOptions;
using pliant::test::makeBar;
using pliant::test::TestWorld;

btPliantBodyInfo damped() {
    btPliantBodyInfo info;
    info.m_damping.mass = 1.0;
    info.m_damping.stiffness = 1e-3;
    return info;
}

/// Steps and checks that the total energy never rises by more than 1e-3 of its start above what it was.
void stepWithoutGain(TestWorld& scene, int steps, double zeroHeight) {
    double last = 0, start = 0;
    double weight = 0;
    for (int i = 0; i < scene.system->getNumBodies(); ++i)
        weight += scene.system->getBody(i)->getModel().totalMass() * 9.81;
    for (int s = 0; s < steps; ++s) {
        scene.step();
        const double energy = scene.system->getStats().totalEnergy() - weight * zeroHeight;
        ASSERT_TRUE(std::isfinite(energy)) << "step " << s;
        if (s == 0)
            start = energy;
        else
            ASSERT_LE(energy - last, 1e-3 * start) << "step " << s;
        last = energy;
    }
}

TEST(Fall, OnPlaneBarComesToRest) {
    TestWorld scene;
    scene.addGround();
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, btScalar(0.6), 0), damped(),
                                     btQuaternion(btVector3(0, 0, 1), btScalar(0.4)));
    stepWithoutGain(scene, 600, 0.0);
    EXPECT_NEAR(bar->getCenterOfMassPosition().y(), 0.05, 0.004);
    EXPECT_LT(bar->getLinearVelocity().length(), 0.02);
    EXPECT_EQ(scene.system->getStats().m_restoredBodies, 0);
    const btPliantStats& stats = scene.system->getStats();
    EXPECT_LT(stats.m_largestPenetration, 0.2);
    EXPECT_GT(stats.m_largestDepth, 0.0);
    EXPECT_NEAR(stats.m_largestDepth, 0.05 * stats.m_largestPenetration, 1e-9) << "its segments are of one radius";
}

TEST(Fall, StiffBarOnPlaneGainsNothing) {
    BarOptions options;
    options.frequencies = {900, 900, 4000, 2500};  // omega h from 7 to 33
    TestWorld scene;
    scene.addGround();
    btPliantBody* bar = scene.addBar(makeBar(options), btVector3(0, btScalar(0.6), 0), btPliantBodyInfo(),
                                     btQuaternion(btVector3(0, 0, 1), btScalar(0.7)));
    stepWithoutGain(scene, 600, 0.0);
    EXPECT_GT(bar->getCenterOfMassPosition().y(), 0.03);
}

TEST(Fall, OnBox) {
    TestWorld scene;
    scene.addRigid(new btBoxShape(btVector3(2, btScalar(0.5), 2)), 0, btVector3(0, btScalar(-0.5), 0));
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, btScalar(0.4), 0), damped(),
                                     btQuaternion(btVector3(0, 0, 1), btScalar(0.2)));
    stepWithoutGain(scene, 480, 0.0);
    EXPECT_NEAR(bar->getCenterOfMassPosition().y(), 0.05, 0.006);
}

TEST(Fall, AcrossASphereItStaysAbove) {
    TestWorld scene;
    scene.addGround();
    scene.addRigid(new btSphereShape(btScalar(0.3)), 0, btVector3(0, btScalar(0.3), 0));
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, btScalar(0.8), 0), damped());
    double lowest = 1;
    for (int i = 0; i < 40; ++i) {
        scene.step();
        lowest = std::min(lowest, static_cast<double>(bar->getCenterOfMassPosition().y()));
    }
    EXPECT_GT(lowest, 0.6);  // 0.3 + 0.3 + 0.05, bent a little
    EXPECT_LT(lowest, 0.7);
}

btTriangleMesh* grid(double size, int cells) {
    auto* mesh = new btTriangleMesh();
    const auto at = [size, cells](int i, int j) {
        return btVector3(static_cast<btScalar>(size * (static_cast<double>(i) / cells - 0.5)), 0,
                         static_cast<btScalar>(size * (static_cast<double>(j) / cells - 0.5)));
    };
    for (int i = 0; i < cells; ++i)
        for (int j = 0; j < cells; ++j) {
            mesh->addTriangle(at(i, j), at(i, j + 1), at(i + 1, j));
            mesh->addTriangle(at(i + 1, j), at(i, j + 1), at(i + 1, j + 1));
        }
    return mesh;
}

TEST(Fall, OnTriangleMesh) {
    const std::unique_ptr<btTriangleMesh> mesh(grid(3.0, 11));
    TestWorld scene;
    scene.addRigid(new btBvhTriangleMeshShape(mesh.get(), true), 0, btVector3(0, 0, 0));
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(btScalar(0.05), btScalar(0.5), 0), damped(),
                                     btQuaternion(btVector3(0, 0, 1), btScalar(0.3)));
    stepWithoutGain(scene, 480, 0.0);
    EXPECT_NEAR(bar->getCenterOfMassPosition().y(), 0.05, 0.006);
}

TEST(Fall, OnCompound) {
    btBoxShape half(btVector3(1, btScalar(0.25), 1));
    TestWorld scene;
    auto* compound = new btCompoundShape();
    compound->addChildShape(btTransform(btQuaternion::getIdentity(), btVector3(-1, btScalar(-0.25), 0)), &half);
    compound->addChildShape(btTransform(btQuaternion::getIdentity(), btVector3(1, btScalar(-0.25), 0)), &half);
    scene.addRigid(compound, 0, btVector3(0, 0, 0));
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, btScalar(0.3), 0), damped());
    stepWithoutGain(scene, 360, 0.0);
    EXPECT_NEAR(bar->getCenterOfMassPosition().y(), 0.05, 0.006);
}

TEST(Fall, BarsPileUp) {
    TestWorld scene;
    scene.addGround();
    const auto model = makeBar();
    for (int i = 0; i < 4; ++i)
        scene.addBar(model, btVector3(0, static_cast<btScalar>(0.15 + 0.15 * i), 0), damped(),
                     btQuaternion(btVector3(0, 1, 0), btScalar(i % 2 ? 1.5 : 0.1)));
    stepWithoutGain(scene, 600, 0.0);
    for (int i = 0; i < 4; ++i) EXPECT_GT(scene.system->getBody(i)->getCenterOfMassPosition().y(), 0.04);
}

}  // namespace
