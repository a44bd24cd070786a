// SPDX-License-Identifier: Zlib
// Bullet's own queries see the deformed body.
#include <gtest/gtest.h>

#include <algorithm>

#include "TestWorld.h"

namespace {

using pliant::test::makeBar;
using pliant::test::TestWorld;

/// Bends the bar so that its middle goes down and its ends go up (or the other way round), by about a segment.
void bend(btPliantBody& bar, double amount) {
    pliant::VectorX q = pliant::VectorX::Zero(bar.getModel().dimension());
    q[0] = amount;
    bar.setReducedCoordinates(q);
}

double rayHeight(TestWorld& scene, double x) {
    const btVector3 from(static_cast<btScalar>(x), 2, btScalar(0.01)), to(static_cast<btScalar>(x), -2, btScalar(0.01));
    btCollisionWorld::ClosestRayResultCallback callback(from, to);
    scene.world.rayTest(from, to, callback);
    return callback.hasHit() ? static_cast<double>(callback.m_hitPointWorld.y()) : -100.0;
}

TEST(Query, RayTestHitsDeformedTriangles) {
    TestWorld scene;
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 0, 0));
    EXPECT_NEAR(rayHeight(scene, 0.0), 0.05, 1e-4);
    bend(*bar, 0.3);
    scene.world.updateAabbs();
    for (const double x : {-0.5, 0.0, 0.5}) {
        // Top of the skin at the section in question, from the material point.
        const btVector3 rest(static_cast<btScalar>(x * 0.999 + 0.3), btScalar(-0.2 + 0.05), btScalar(0.1));
        const double expected = static_cast<double>(bar->getPointPosition(rest).y());
        EXPECT_GT(std::abs(expected - 0.05), 0.02) << "the test must bend the bar";
        EXPECT_NEAR(rayHeight(scene, x * 0.999), expected, 2e-3) << "x = " << x;
    }
    EXPECT_EQ(rayHeight(scene, 0.7), -100.0);
}

struct Triangle : btCollisionWorld::ClosestRayResultCallback {
    using ClosestRayResultCallback::ClosestRayResultCallback;
    btScalar addSingleResult(btCollisionWorld::LocalRayResult& result, bool inWorld) override {
        triangle = result.m_localShapeInfo->m_triangleIndex;
        return ClosestRayResultCallback::addSingleResult(result, inWorld);
    }
    int triangle = -1;
};

TEST(Query, APickedPointIsNamedAtRest) {
    TestWorld scene;
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(1, 0, 0), btPliantBodyInfo(),
                                     btQuaternion(btVector3(0, 1, 0), btScalar(0.4)));
    bend(*bar, 0.3);
    scene.world.updateAabbs();
    const btVector3 from(btScalar(1.2), 2, btScalar(-0.1)), to(btScalar(1.2), -2, btScalar(-0.1));
    Triangle hit(from, to);
    scene.world.rayTest(from, to, hit);
    ASSERT_TRUE(hit.hasHit());
    const btVector3 rest = bar->getRestPoint(hit.triangle, hit.m_hitPointWorld);
    EXPECT_NEAR(rest.y(), -0.2 + 0.05, 1e-5) << "on top of the bar, in the mesh's frame";
    EXPECT_LT(bar->getPointPosition(rest).distance(hit.m_hitPointWorld), 1e-5);
    EXPECT_GT((bar->getMeshTransform() * rest).distance(hit.m_hitPointWorld), 0.01) << "the test must bend the bar";
}

// Sweeps and hits on other objects have no triangle of the body: the point is carried back as if nothing were bent.
TEST(Query, APointOnNoTriangleIsTakenBackRigidly) {
    TestWorld scene;
    // A quarter turn about y takes the mesh's z to the world's x; its origin is at (0.9, 0.2, 0.3) then.
    const btQuaternion quarter(btVector3(0, 1, 0), SIMD_HALF_PI);
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(1, 0, 0), btPliantBodyInfo(), quarter);
    bend(*bar, 0.3);
    bar->setMeshTransform(btTransform(quarter, btVector3(btScalar(0.9), btScalar(0.2), btScalar(0.3))));
    const btVector3 hit(btScalar(1.2), btScalar(0.24), btScalar(0.1));
    const btVector3 expected(btScalar(0.2), btScalar(0.04), btScalar(0.3));
    const auto count = static_cast<int>(bar->getModel().surface.triangles.cols());
    for (const int triangle : {-1, count, 1 << 30, -(1 << 30)})
        EXPECT_LT(bar->getRestPoint(triangle, hit).distance(expected), 1e-6) << triangle;
}

struct Deepest : btCollisionWorld::ContactResultCallback {
    btScalar addSingleResult(btManifoldPoint& point, const btCollisionObjectWrapper* object0, int, int,
                             const btCollisionObjectWrapper*, int, int) override {
        ++count;
        first = object0->getCollisionObject();
        deepest = std::min(deepest, static_cast<double>(point.getDistance()));
        return 0;
    }
    int count = 0;
    double deepest = 1e9;
    const btCollisionObject* first = nullptr;
};

TEST(Query, ContactTestFindsOverlapInBothOrders) {
    TestWorld scene;
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 0, 0));
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(0.2)), 1, btVector3(0, btScalar(0.22), 0));
    Deepest result, swapped, bent;
    scene.world.contactTest(bar, result);
    scene.world.contactTest(ball, swapped);
    EXPECT_GE(result.count, 1);
    EXPECT_NEAR(result.deepest, -0.03, 2e-3);
    EXPECT_GE(swapped.count, 1);
    EXPECT_NEAR(swapped.deepest, -0.03, 2e-3);
    bend(*bar, 1.0);
    const double top =
        static_cast<double>(bar->getPointPosition(btVector3(btScalar(0.3), btScalar(-0.2), btScalar(0.1))).y());
    ASSERT_GT(std::abs(top), 0.05);
    bend(*bar, top > 0 ? -1.0 : 1.0);  // the middle goes away from the ball
    scene.world.updateAabbs();
    scene.world.contactTest(bar, bent);
    EXPECT_EQ(bent.count, 0);
}

TEST(Query, ContactTestOfTwoBars) {
    TestWorld scene;
    const auto model = makeBar();
    btPliantBody* bar = scene.addBar(model, btVector3(0, 0, 0));
    btPliantBody* other = scene.addBar(model, btVector3(0, btScalar(0.08), 0), btPliantBodyInfo(),
                                       btQuaternion(btVector3(0, 1, 0), btScalar(1.3)));
    Deepest result;
    scene.world.contactPairTest(bar, other, result);
    EXPECT_GE(result.count, 1);
    EXPECT_NEAR(result.deepest, -0.02, 1e-3);
}

/// Users may ask Bullet for contacts without a step, after having moved something. Only pairs that are not the first of
/// a pass can be passed over, so there are two, and each gets its turn.
TEST(Query, DetectionBetweenStepsSeesWhatHasBeenMoved) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    const auto model = makeBar();
    const btQuaternion slanted(btVector3(0, 0, 1), btScalar(0.8));
    btPliantBody* outer[2] = {};
    for (int i = -1; i < 2; ++i) {
        btPliantBody* bar = scene.addBar(model, btVector3(0, btScalar(0.4 * i), 0), btPliantBodyInfo(), slanted);
        if (i != 0) outer[i > 0] = bar;
    }
    const auto contacts = [&scene] {
        scene.world.performDiscreteCollisionDetection();
        int count = 0;
        for (int i = 0; i < scene.dispatcher.getNumManifolds(); ++i)
            count += scene.dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
        return count;
    };
    for (btPliantBody* bar : outer) {
        scene.step();
        EXPECT_GE(scene.broadphase.getOverlappingPairCache()->getNumOverlappingPairs(), 2) << "the test wants it so";
        EXPECT_EQ(contacts(), 0);
        const btTransform apart = bar->getWorldTransform();
        const btScalar near = apart.getOrigin().y() > 0 ? btScalar(0.1) : btScalar(-0.1);
        for (int i = 0; i < 2; ++i) {
            bar->setWorldTransform(btTransform(apart.getRotation(), btVector3(0, near, 0)));
            EXPECT_GT(contacts(), 0);
            bar->setWorldTransform(apart);
            EXPECT_EQ(contacts(), 0);
        }
    }
}

TEST(Query, ConvexSweepHitsTheBar) {
    TestWorld scene;
    scene.addBar(makeBar(), btVector3(0, 0, 0));
    btSphereShape ball(btScalar(0.1));
    const btTransform from(btQuaternion::getIdentity(), btVector3(0, 1, 0));
    const btTransform to(btQuaternion::getIdentity(), btVector3(0, -1, 0));
    btCollisionWorld::ClosestConvexResultCallback callback(from.getOrigin(), to.getOrigin());
    scene.world.convexSweepTest(&ball, from, to, callback);
    ASSERT_TRUE(callback.hasHit());
    EXPECT_NEAR(callback.m_closestHitFraction, (1.0 - 0.15) / 2.0, 5e-3);
}

}  // namespace
