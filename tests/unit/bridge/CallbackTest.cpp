// SPDX-License-Identifier: Zlib
// Bullet's callbacks of contact points mean for reduced bodies what they mean for its own.
#include <gtest/gtest.h>

#include "TestWorld.h"

namespace pliant::test {
namespace {

int g_processed = 0, g_alive = 0;

/// Puts all callbacks back.
struct CallbackGuard {
    ~CallbackGuard() {
        gContactAddedCallback = nullptr;
        gContactProcessedCallback = nullptr;
        gContactDestroyedCallback = nullptr;
    }
};

/// A bar that lies on a ground and moves along it.
struct SlidingBar {
    SlidingBar() {
        scene.addGround();
        btPliantBodyInfo info;
        info.m_damping.mass = 20;
        info.m_linearVelocity = btVector3(2, 0, 0);
        bar = scene.addBar(makeBar(), btVector3(0, btScalar(0.05), 0), info);
        bar->setCollisionFlags(bar->getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
    }
    double speed() const { return static_cast<double>(bar->getLinearVelocity().x()); }

    TestWorld scene;
    btPliantBody* bar = nullptr;
};

bool withoutFriction(btManifoldPoint& point, const btCollisionObjectWrapper*, int, int, const btCollisionObjectWrapper*,
                     int, int) {
    point.m_combinedFriction = 0;
    return true;
}

TEST(Callbacks, FrictionThatTheySetHolds) {
    const CallbackGuard guard;
    SlidingBar braked;
    braked.scene.step(60);
    EXPECT_NEAR(braked.speed(), 2.0 - 0.25 * 9.81 * 0.5, 0.01);
    gContactAddedCallback = withoutFriction;
    SlidingBar sliding;
    sliding.scene.step(60);
    EXPECT_NEAR(sliding.speed(), 2.0, 1e-3);
}

TEST(Callbacks, PointsThatStayAreProcessed) {
    const CallbackGuard guard;
    g_processed = 0;
    gContactProcessedCallback = [](btManifoldPoint&, void* a, void* b) {
        g_processed += a != nullptr && b != nullptr;
        return true;
    };
    SlidingBar sliding;
    sliding.scene.step(1);
    EXPECT_EQ(g_processed, 0) << "all points are new";
    sliding.scene.step(10);
    EXPECT_GE(g_processed, 10);
}

bool withData(btManifoldPoint& point, const btCollisionObjectWrapper*, int, int, const btCollisionObjectWrapper*, int,
              int) {
    if (point.m_userPersistentData) return true;
    point.m_userPersistentData = new int(0);
    ++g_alive;
    return true;
}

TEST(Callbacks, DataOfPointsStaysWithThemAndGoesWithThem) {
    const CallbackGuard guard;
    g_alive = 0;
    gContactAddedCallback = withData;
    gContactDestroyedCallback = [](void* data) {
        delete static_cast<int*>(data);
        --g_alive;
        return true;
    };
    SlidingBar sliding;
    for (int i = 0; i < 120; ++i) {
        sliding.scene.step();
        int points = 0;
        for (int m = 0; m < sliding.scene.dispatcher.getNumManifolds(); ++m)
            points += sliding.scene.dispatcher.getManifoldByIndexInternal(m)->getNumContacts();
        ASSERT_EQ(g_alive, points) << "step " << i;
    }
    EXPECT_GT(g_alive, 0);
    sliding.bar->setLinearVelocity(btVector3(0, 5, 0));
    sliding.bar->activate(true);
    sliding.scene.step(30);
    EXPECT_EQ(g_alive, 0) << "in the air";
    sliding.scene.step(240);
    EXPECT_GT(g_alive, 0) << "down again";
    sliding.scene.world.removeRigidBody(sliding.bar);
    EXPECT_EQ(g_alive, 0) << "out of the world";
}

}  // namespace
}  // namespace pliant::test
