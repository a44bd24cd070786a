// SPDX-License-Identifier: Zlib
// Bullet's other worlds: some work as they are, some are refused with a sentence.
#include <BulletCollision/CollisionDispatch/btCollisionDispatcherMt.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorldMt.h>
#include <BulletDynamics/Dynamics/btSimpleDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <LinearMath/btThreads.h>
#include <gtest/gtest.h>

#include "TestWorld.h"
#include "pliant/math/Error.h"

namespace {

using pliant::test::makeBar;

/// Height of a bar that has fallen onto the ground, bending on its way; -1 where it has not bent.
double fall(btDiscreteDynamicsWorld& world, btPliantSystem& system, int bars = 1) {
    btStaticPlaneShape plane(btVector3(0, 1, 0), 0);
    btRigidBody ground(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &plane));
    world.setGravity(btVector3(0, btScalar(-9.81), 0));
    world.addRigidBody(&ground);
    btPliantBodyInfo info;
    info.m_damping.mass = 5;
    const auto model = makeBar();
    for (int i = 0; i < bars; ++i) {
        info.m_meshTransform =
            btTransform(btQuaternion(btVector3(0, 0, 1), btScalar(0.3)), btVector3(btScalar(2 * i), btScalar(0.8), 0));
        world.addRigidBody(system.createBody(model, info));
    }
    double bent = 0;
    for (int i = 0; i < 480; ++i) {
        world.stepSimulation(btScalar(1.0 / 120.0), 0);
        bent = std::max(bent, system.getBody(bars - 1)->getReducedCoordinates().norm());
    }
    const auto height = static_cast<double>(system.getBody(bars - 1)->getCenterOfMassPosition().y());
    while (system.getNumBodies() > 0) system.destroyBody(system.getBody(0));
    world.removeRigidBody(&ground);
    return bent > 1e-4 ? height : -1;
}

TEST(WorldKind, MultithreadedWorldWorks) {
    btSetTaskScheduler(btGetSequentialTaskScheduler());
    for (const bool dispatcherMt : {false, true}) {
        btDefaultCollisionConfiguration configuration;
        std::unique_ptr<btCollisionDispatcher> dispatcher;
        if (dispatcherMt)
            dispatcher = std::make_unique<btCollisionDispatcherMt>(&configuration, 40);
        else
            dispatcher = std::make_unique<btCollisionDispatcher>(&configuration);
        btDbvtBroadphase broadphase;
        btPliantConstraintSolverPool pool;
        btDiscreteDynamicsWorldMt world(dispatcher.get(), &broadphase, &pool, nullptr, &configuration);
        btPliantSystem system(&world);
        ASSERT_TRUE(system.isConnected()) << system.getStatus();
        EXPECT_TRUE(system.getStatus().empty());
        EXPECT_NEAR(fall(world, system, 12), 0.05, 0.006);  // several islands
    }
}

TEST(WorldKind, MultithreadedWorldWithBulletsPoolSaysWhatToDo) {
    btSetTaskScheduler(btGetSequentialTaskScheduler());
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btConstraintSolverPoolMt pool(1);
    btDiscreteDynamicsWorldMt world(&dispatcher, &broadphase, &pool, nullptr, &configuration);
    btPliantSystem system(&world);
    EXPECT_FALSE(system.isConnected());
    EXPECT_NE(system.getStatus().find("btPliantConstraintSolverPool"), std::string::npos) << system.getStatus();
}

TEST(WorldKind, SoftRigidWorldWorks) {
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btPliantConstraintSolver solver;
    btSoftRigidDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    btPliantSystem system(&world);
    ASSERT_TRUE(system.isConnected()) << system.getStatus();
    EXPECT_NEAR(fall(world, system), 0.05, 0.006);
}

TEST(WorldKind, MultiBodyWorldCouplesOneWayAndSaysSo) {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btMultiBodyConstraintSolver solver;
    btMultiBodyDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    btPliantSystem system(&world);
    EXPECT_FALSE(system.isConnected());
    EXPECT_NE(system.getStatus().find("btMultiBodyDynamicsWorld"), std::string::npos);
    EXPECT_NE(system.getStatus().find("use a btDiscreteDynamicsWorld"), std::string::npos);
    EXPECT_NEAR(fall(world, system), 0.05, 0.006);
}

TEST(WorldKind, SimpleWorldIsRefusedWithASentence) {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btPliantConstraintSolver solver;
    btSimpleDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    try {
        btPliantSystem system(&world);
        FAIL();
    } catch (const pliant::Error& error) {
        EXPECT_NE(std::string(error.what()).find("btDiscreteDynamicsWorld"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("make a "), std::string::npos);
    }
    btDynamicsWorld* none = nullptr;
    EXPECT_THROW(btPliantSystem system(none), pliant::Error);
}

}  // namespace
