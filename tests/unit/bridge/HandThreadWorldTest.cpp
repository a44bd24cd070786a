// SPDX-License-Identifier: Zlib
// A hand of its own rate beside a world: what it feels of reduced bodies, and what these get.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "CubeModel.h"
#include "TestWorld.h"
#include "btPliant/btPliantHandThread.h"
#include "btPliant/btPliantTool.h"
#include "pliant/math/Error.h"

namespace pliant::test {
namespace {

constexpr double kHandBall = 0.05;            // m, radius
constexpr double kHandWorldStep = 1.0 / 125;  // s: eight cycles

HandSettings firmHand() {
    HandSettings settings;
    settings.coupling.stiffness = 2000.0;
    settings.coupling.torqueStiffness = 20.0;
    settings.limits.deviceForce = settings.limits.deviceTorque = settings.limits.energyCredit = 1e6;
    return settings;
}

btPliantTouchSettings layer(double stiffness) {
    btPliantTouchSettings touch;
    touch.m_stiffness = stiffness;
    touch.m_points = 20000;
    touch.m_friction = 0;  // as a ball is held by a hand that does not turn
    return touch;
}

ToolPose poseAt(double z) {
    ToolPose pose;
    pose.position.z() = z;
    return pose;
}

struct Felt {
    double force = 0.0, z = 0.0;  // N, m
};

/// A body at the origin that deforms and does not move.
btPliantBody* addHeld(TestWorld& scene, const std::shared_ptr<const ReducedModel>& model) {
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBodyInfo info = dampedCube();
    info.m_kinematic = true;
    btPliantBody* body = scene.system->createBody(model, info);
    scene.world.addRigidBody(body);
    return body;
}

/// What a hand feels that holds a ball `behind` metres into the face of a cube which is held.
Felt pressByThread(const std::shared_ptr<const ReducedModel>& model, double behind, double stiffness) {
    TestWorld scene;
    btPliantBody* body = addHeld(scene, model);
    const btSphereShape ball{btScalar(kHandBall)};
    const double start = 0.5 * kCubeSize + kHandBall;
    btPliantHandThread hand(ball, poseAt(start), std::make_shared<IdentityDevice>(poseAt(start - behind)), firmHand());
    hand.addBody(*body, layer(stiffness));
    hand.afterStep(kHandWorldStep);
    for (int i = 0; i < 400; ++i) {
        hand.beforeStep(kHandWorldStep);
        scene.step(1, kHandWorldStep);
        hand.afterStep(kHandWorldStep);
    }
    const HandReport report = hand.getThread().report();
    EXPECT_NEAR(report.felt.force.z(), report.contact.force.z(), 1e-4 * report.felt.force.z()) << "at rest";
    return {report.felt.force.z(), report.tool.position.z()};
}

/// The same of a ball in the world, held by a btPliantTool.
Felt pressInTheWorld(const std::shared_ptr<const ReducedModel>& model, double behind, double stiffness) {
    TestWorld scene;
    btPliantBody* body = addHeld(scene, model);
    const double start = 0.5 * kCubeSize + kHandBall;
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(kHandBall)), 0.2, btVector3(0, 0, btScalar(start)));
    scene.system->setTouch(*body, ball, layer(stiffness));
    btPliantTool tool(*ball, btTransform::getIdentity(), firmHand());
    scene.world.addConstraint(&tool);
    const ToolPose device = poseAt(start - behind);
    Felt felt;
    for (int i = 0; i < 400; ++i) {
        tool.follow(&device, btScalar(kHandWorldStep));
        scene.step(1, kHandWorldStep);
        felt.force = tool.feel(btScalar(kHandWorldStep)).force.z();
    }
    felt.z = tool.getGripPose().position.z();
    scene.world.removeConstraint(&tool);
    return felt;
}

/// A cube that gives way with about the stiffness of the layer, and one that hardly does.
std::shared_ptr<const ReducedModel> cubeOf(double young) {
    SolidMaterial material;
    material.young = young;
    return solidBox({kCubeSize, kCubeSize, kCubeSize}, material, 0.1);
}

TEST(HandBesideAWorld, FeelsAtRestWhatTheWorldItselfSays) {
    for (const double young : {1e9, 2e5}) {
        const auto model = cubeOf(young);
        const Felt beside = pressByThread(model, 0.015, 1e7), within = pressInTheWorld(model, 0.015, 1e7);
        EXPECT_GT(within.force, 5.0) << "N";
        EXPECT_NEAR(beside.force, within.force, 5e-3 * within.force) << young;
        EXPECT_NEAR(beside.z, within.z, 5e-3 * within.force / 2000.0) << young;
        if (young < 1e9) continue;
        const double depth = 0.5 * kCubeSize + kHandBall - beside.z, a2 = 2 * kHandBall * depth - depth * depth;
        const double cap = kHandBall * a2 / 2 - (std::pow(kHandBall, 3) - std::pow(kHandBall - depth, 3)) / 3;
        const double said = 2 * 3.14159265358979323846 * 1e7 * cap;  // docs/distributed-contact.md
        EXPECT_NEAR(beside.force, said, 0.03 * said);
    }
}

/// A cube in the void is struck by a ball that goes through where it was.
struct Struck {
    btVector3 momentum, angular;
    Vector3 passed;
    VectorX q;
    ToolPose tool;
    double bent = 0.0;  ///< The largest |q|, m sqrt(kg).
};

Struck strike(int threads, double aside, double step, int steps) {
    btPliantSystemInfo workers;
    workers.m_threads = threads;
    TestWorld scene(workers);
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBody* body = scene.system->createBody(cubeOf(2e5), btPliantBodyInfo());
    scene.world.addRigidBody(body);
    const btSphereShape ball{btScalar(kHandBall)};
    ToolPose start = poseAt(0.5 * kCubeSize + kHandBall + 0.005), aim = poseAt(0.5 * kCubeSize + kHandBall - 0.02);
    start.position.x() = aim.position.x() = aside;
    btPliantHandThread hand(ball, start, std::make_shared<IdentityDevice>(aim), firmHand());
    hand.addBody(*body, layer(1e7));
    hand.afterStep(step);
    double bent = 0.0;
    for (int i = 0; i < steps; ++i) {
        hand.beforeStep(step);
        scene.step(1, step);
        hand.afterStep(step);
        bent = std::max(bent, body->getReducedCoordinates().norm());
    }
    const HandReport report = hand.getThread().report();
    return {body->getLinearMomentum(),
            body->getAngularMomentum(),
            report.passed,
            body->getReducedCoordinates(),
            report.tool,
            bent};
}

TEST(HandBesideAWorld, PassesItsMomentumWhole) {
    const Struck struck = strike(1, 0.04, kHandWorldStep, 100);
    EXPECT_GT(struck.passed.z(), 0.05) << "N s";
    EXPECT_GT(struck.bent, 1e-5) << "m sqrt(kg): it bends";
    const double tolerance = (doublePrecision ? 1e-12 : 1e-5) * struck.passed.norm();
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(static_cast<double>(struck.momentum[k]), -struck.passed[k], tolerance) << k;
    // Struck aside of its middle it turns about y: the force at x = 0.04 m goes down.
    EXPECT_NEAR(static_cast<double>(struck.angular.y()), 0.04 * struck.passed.z(), 0.15 * 0.04 * struck.passed.z());
}

TEST(HandBesideAWorld, GoesTheSameWayOnAnyNumberOfWorkers) {
    const Struck one = strike(1, 0.03, 1.0 / 60, 60);
    for (const int threads : {1, 2, 4}) {
        const Struck other = strike(threads, 0.03, 1.0 / 60, 60);
        EXPECT_EQ(one.q, other.q) << threads;
        EXPECT_EQ(one.momentum, other.momentum) << threads;
        EXPECT_EQ(one.tool.position, other.tool.position) << threads;
        EXPECT_EQ(one.passed, other.passed) << threads;
    }
}

TEST(HandBesideAWorld, InAThreadFeelsTheSameAtRest) {
    const auto model = cubeOf(2e5);
    const Felt inStep = pressByThread(model, 0.01, 1e7);
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBodyInfo info = dampedCube();
    info.m_kinematic = true;
    info.m_damping.mass = 20.0;  // at rest within half a second
    btPliantBody* body = scene.system->createBody(model, info);
    scene.world.addRigidBody(body);
    const btSphereShape ball{btScalar(kHandBall)};
    const double start = 0.5 * kCubeSize + kHandBall;
    btPliantHandThread hand(ball, poseAt(start), std::make_shared<IdentityDevice>(poseAt(start - 0.01)), firmHand());
    hand.addBody(*body, layer(1e7));
    hand.afterStep(kHandWorldStep);
    hand.getThread().start();
    for (int i = 0; i < 150; ++i) {
        hand.beforeStep(kHandWorldStep);
        scene.step(1, kHandWorldStep);
        hand.afterStep(kHandWorldStep);
        std::this_thread::sleep_for(std::chrono::duration<double>(kHandWorldStep));
    }
    hand.getThread().stop();
    const HandReport report = hand.getThread().report();
    EXPECT_NEAR(report.felt.force.z(), inStep.force, 0.01 * inStep.force);
    EXPECT_GT(report.cycles, 900u) << "of 1.2 s at least";
    hand.removeBody(*body);
    hand.beforeStep(kHandWorldStep);
    scene.step(1, kHandWorldStep);
    hand.afterStep(kHandWorldStep);
    hand.getThread().run(1);
    EXPECT_EQ(hand.getThread().report().contact.force.norm(), 0.0) << "it is no longer felt";
}

TEST(HandBesideAWorld, RefusesWhatItCannotFeel) {
    const btConvexHullShape hull;
    const btStaticPlaneShape plane(btVector3(0, 0, 1), 0);
    for (const btCollisionShape* shape :
         {static_cast<const btCollisionShape*>(&hull), static_cast<const btCollisionShape*>(&plane)})
        EXPECT_THROW(btPliantHandThread(*shape, ToolPose(), nullptr), Error);
    TestWorld scene;
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 1, 0));
    const btSphereShape ball{btScalar(kHandBall)};
    btPliantHandThread hand(ball, ToolPose(), nullptr);
    EXPECT_THROW(hand.addBody(*bar), Error) << "a strand has no points";
    const btScalar heights[4] = {0, 0, 0, 0};
    btConvexHullShape corner(heights, 1);
    btCollisionObject object;
    object.setCollisionShape(&corner);
    EXPECT_THROW(hand.addBody(object), Error) << "a hull has no distance in closed form";
    object.setCollisionShape(const_cast<btStaticPlaneShape*>(&plane));
    btPliantTouchSettings none;
    none.m_points = 0;
    EXPECT_THROW(hand.addBody(object, none), Error);
}

}  // namespace
}  // namespace pliant::test
