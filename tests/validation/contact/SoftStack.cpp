// SPDX-License-Identifier: Zlib
// Ten soft cubes on each other stand for a minute and fall asleep.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "TruthModels.h"
#include "unit/bridge/TestWorld.h"

namespace {

using pliant::Vector3;
using pliant::test::BlockShape;
using pliant::test::Contact;
using pliant::test::TestWorld;

/// Three rods along x under the bottom, three along y on top: cubes on each other touch where rods cross, however they
/// are shifted.
void layRods(pliant::ReducedModel& model, const Vector3& size, double radius) {
    pliant::Points centres(3, 18);
    std::vector<std::array<int, 2>> segments;
    const Vector3 low = Vector3::Constant(radius), span = size - 2.0 * low;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            centres.col(3 * i + j) = low + span.cwiseProduct(Vector3(0.5 * j, 0.5 * i, 0));
            centres.col(9 + 3 * i + j) = low + span.cwiseProduct(Vector3(0.5 * i, 0.5 * j, 1));
            if (j == 0) continue;
            segments.push_back({3 * i + j - 1, 3 * i + j});
            segments.push_back({9 + 3 * i + j - 1, 9 + 3 * i + j});
        }
    pliant::test::setSkeleton(model, centres, radius, segments);
}

void expectStandsAndSleeps(Contact contact) {
    BlockShape shape;
    shape.young = 5e6;  // a column of rubber this high buckles under its own weight below 1.5 MPa
    shape.poisson = 0.3;
    pliant::ReduceOptions options;
    options.modes = 8;
    options.dimension = 12;
    auto model = pliant::test::reduceMesh(pliant::test::blockMesh(shape), options);
    if (contact == Contact::LaidByHand) layRods(*model, shape.size, 0.008);
    EXPECT_EQ(model->contactSurface.exists(), contact == Contact::AsReduced);
    TestWorld scene;
    // Iterations of the solver carry the load down one cube after the other: with Bullet's ten the tower leans and
    // falls.
    scene.world.getSolverInfo().m_numIterations = 100;
    scene.world.setGravity(btVector3(0, 0, btScalar(-9.81)));
    scene.addRigid(new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0, btVector3(0, 0, 0))->setFriction(1);
    btPliantBodyInfo info;
    info.m_friction = btScalar(0.7);
    info.m_damping.mass = 2;
    info.m_damping.stiffness = 5e-3;
    const double side = shape.size.z();
    for (int i = 0; i < 10; ++i) {
        const double shift = 0.004 * std::sin(5.0 * i);  // nobody stacks perfectly
        info.m_meshTransform.setIdentity();
        info.m_meshTransform.setOrigin(
            btVector3(static_cast<btScalar>(shift), static_cast<btScalar>(-shift), static_cast<btScalar>(i * side)));
        scene.world.addRigidBody(scene.system->createBody(model, info));
    }
    int asleepAt = -1;
    double lowest = 1e9, widest = 0.0;
    for (int second = 1; second <= 60; ++second) {
        scene.step(120, 1.0 / 120.0);
        const btPliantBody& top = *scene.system->getBody(9);
        lowest = std::min(lowest, static_cast<double>(top.getCenterOfMassPosition().z()));
        for (int i = 0; i < 10; ++i) {
            const btVector3 p = scene.system->getBody(i)->getMeshTransform().getOrigin();
            widest = std::max(widest, static_cast<double>(btVector3(p.x(), p.y(), 0).length()));
        }
        if (asleepAt < 0 && scene.system->getStats().m_awakeBodies == 0) asleepAt = second;
    }
    std::printf("asleep after %d s; top at %.4f m of %.4f m unloaded; farthest %.1f mm aside\n", asleepAt, lowest,
                9.5 * side, 1e3 * widest);
    EXPECT_GT(asleepAt, 0) << "still awake after a minute";
    EXPECT_EQ(scene.system->getStats().m_awakeBodies, 0);
    // The stack is soft: n (n - 1) / 2 weights press ten columns of side and area side^2 together.
    const double weight = shape.density * side * side * side * 9.81;
    const double settled = 9.5 * side - 45.0 * weight / (shape.young * side);
    EXPECT_GT(lowest, settled - 0.03) << "it must not sink";
    EXPECT_LT(widest, 0.05) << "it must not lean";
}

TEST(SoftStack, TenCubesStandForAMinuteAndSleep) {
    expectStandsAndSleeps(Contact::AsReduced);
}

TEST(SoftStack, TenCubesStandForAMinuteAndSleepOnRodsLaidByHand) {
    expectStandsAndSleeps(Contact::LaidByHand);
}

}  // namespace
