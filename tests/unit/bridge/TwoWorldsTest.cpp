// SPDX-License-Identifier: Zlib
// Bodies whose proxies users change, and bodies that they add to a world that is not their system's.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "TestWorld.h"

namespace {

using pliant::test::makeBar;
using pliant::test::TestWorld;

btPliantBodyInfo heavilyDamped() {
    btPliantBodyInfo info;
    info.m_damping.mass = 5.0;
    info.m_damping.stiffness = 1e-3;
    return info;
}

/// How many proxies a broadphase has.
int proxiesOf(TestWorld& scene) {
    struct : btBroadphaseAabbCallback {
        bool process(const btBroadphaseProxy*) override { return ++count > 0; }
        int count = 0;
    } all;
    constexpr btScalar far = btScalar(1e30);
    scene.broadphase.aabbTest(btVector3(-far, -far, -far), btVector3(far, far, far), all);
    return all.count;
}

bool isTold(const TestWorld& scene) {
    return scene.system->getStatus().find("in another world than its system's") != std::string::npos;
}

/// Takes what a world has of a body that is gone out of it, without asking that body.
void forgetAll(TestWorld& scene) {
    struct : btBroadphaseAabbCallback {
        bool process(const btBroadphaseProxy* proxy) override {
            all.push_back(const_cast<btBroadphaseProxy*>(proxy));
            return true;
        }
        std::vector<btBroadphaseProxy*> all;
    } proxies;
    constexpr btScalar far = btScalar(1e30);
    scene.broadphase.aabbTest(btVector3(-far, -far, -far), btVector3(far, far, far), proxies);
    for (btBroadphaseProxy* proxy : proxies.all) scene.broadphase.destroyProxy(proxy, &scene.dispatcher);
    scene.world.getCollisionObjectArray().clear();
    const_cast<btAlignedObjectArray<btRigidBody*>&>(scene.world.getNonStaticRigidBodies()).clear();
    for (auto& body : scene.rigid) body->setBroadphaseHandle(nullptr);
    scene.rigid.clear();
}

/// A proxy made anew by hand, as filters are changed.
void makeProxyAnew(TestWorld& scene, btRigidBody& body) {
    btBroadphaseProxy* old = body.getBroadphaseHandle();
    const int group = old->m_collisionFilterGroup, mask = old->m_collisionFilterMask;
    scene.broadphase.getOverlappingPairCache()->cleanProxyFromPairs(old, &scene.dispatcher);
    scene.broadphase.destroyProxy(old, &scene.dispatcher);
    btVector3 lower, upper;
    body.getCollisionShape()->getAabb(body.getWorldTransform(), lower, upper);
    body.setBroadphaseHandle(scene.broadphase.createProxy(lower, upper, body.getCollisionShape()->getShapeType(), &body,
                                                          group, mask, &scene.dispatcher));
}

TEST(Lifetime, AProxyThatIsMadeAnewIsNoOtherWorld) {
    for (const bool isByHand : {false, true}) {
        TestWorld scene;
        scene.addGround();
        btPliantBody* body = scene.addBar(makeBar(), btVector3(0, btScalar(0.2), 0), heavilyDamped());
        for (int i = 0; i < 4; ++i) {  // the first time before Bullet has asked with its first proxy
            if (isByHand)
                makeProxyAnew(scene, *body);
            else
                scene.world.refreshBroadphaseProxy(body);
            if (i > 0) scene.step(3);
            EXPECT_EQ(scene.world.getNumCollisionObjects(), 2);
            EXPECT_EQ(scene.world.getNonStaticRigidBodies().size(), 1);
            EXPECT_EQ(proxiesOf(scene), 2);
        }
        EXPECT_EQ(scene.system->getStatus(), "");
        scene.step(60);
        EXPECT_GT(body->getCenterOfMassPosition().y(), 0.02) << "it lies on the ground";
        scene.system->destroyBody(body);
        EXPECT_EQ(proxiesOf(scene), 1);
        scene.step(2);
    }
}

/// Bullet would take its number for that of an object of the system's own world.
TEST(Lifetime, ABodyInAnotherWorldIsTold) {
    for (const bool isDestroyed : {false, true}) {
        TestWorld own, other;
        own.addGround();
        other.addGround();
        btPliantBody* body = own.system->createBody(makeBar());
        other.world.addRigidBody(body);
        EXPECT_EQ(own.system->getStatus(), "") << "it may not know the world as yet";
        other.step(1);
        EXPECT_NE(own.system->getStatus().find("in another world than its system's"), std::string::npos);
        own.step(1);
        if (isDestroyed) {
            other.broadphase.getOverlappingPairCache()->cleanProxyFromPairs(body->getBroadphaseHandle(),
                                                                            &other.dispatcher);
            own.system->destroyBody(body);
            forgetAll(other);
        } else {
            other.world.removeRigidBody(body);
            own.world.addRigidBody(body);
            own.step(30);
            EXPECT_GT(body->getCenterOfMassPosition().y(), 0.02) << "it lies on the ground";
        }
        EXPECT_EQ(own.world.getNumCollisionObjects(), isDestroyed ? 1 : 2);
        EXPECT_EQ(own.world.getCollisionObjectArray()[0], own.rigid[0].get());
        own.step(5);
    }
}

TEST(Lifetime, ABodyThatGoesToAnotherWorldLeavesItsOwn) {
    for (const bool hasSameNumber : {false, true}) {
        TestWorld own, other;
        own.addGround();
        if (hasSameNumber) other.addGround();
        btPliantBody* body = own.addBar(makeBar(), btVector3(0, btScalar(0.2), 0), heavilyDamped());
        own.step(5);
        other.world.addRigidBody(body);
        other.step(5);
        if (hasSameNumber) own.step(1);  // until then either world may be asking
        EXPECT_EQ(own.world.getNumCollisionObjects(), 1);
        EXPECT_EQ(own.world.getNonStaticRigidBodies().size(), 0);
        EXPECT_NE(own.system->getStatus().find("in another world than its system's"), std::string::npos);
        own.step(5);
        other.world.removeRigidBody(body);
        own.world.addRigidBody(body);
        own.step(5);
        own.system->destroyBody(body);
        own.step(5);
        EXPECT_EQ(own.world.getNumCollisionObjects(), 1);
    }
}

TEST(Lifetime, ABodyWithOneNumberInTwoWorldsIsDestroyedInItsOwn) {
    for (const bool hasStepped : {false, true}) {
        TestWorld own, other;
        btPliantBody* body = own.addBar(makeBar(), btVector3(0, btScalar(0.2), 0), heavilyDamped());
        if (hasStepped) own.step(2);
        other.world.addRigidBody(body);
        own.system->destroyBody(body);
        EXPECT_EQ(own.world.getNumCollisionObjects(), 0);
        EXPECT_EQ(own.world.getNonStaticRigidBodies().size(), 0);
        EXPECT_EQ(proxiesOf(own), 0);
        EXPECT_EQ(proxiesOf(other), 1) << "what the other world has is its own";
        forgetAll(other);
        own.step(2);
    }
}

TEST(Lifetime, ABodyWithOneNumberInTwoWorldsLeavesItsOwnAfterAStep) {
    for (const bool hasStepped : {false, true}) {
        TestWorld own, other;
        btPliantBody* body = own.addBar(makeBar(), btVector3(0, btScalar(0.2), 0), heavilyDamped());
        btRigidBody* last = own.addRigid(new btSphereShape(btScalar(0.1)), 1, btVector3(2, 2, 0));
        if (hasStepped) own.step(2);
        other.world.addRigidBody(body);
        own.step(1);
        EXPECT_TRUE(isTold(own));
        EXPECT_EQ(own.world.getNumCollisionObjects(), 1);
        EXPECT_EQ(last->getWorldArrayIndex(), 0);
        EXPECT_EQ(proxiesOf(own), 1);
        EXPECT_EQ(proxiesOf(other), 1);
        EXPECT_TRUE(body->isActive());
        const btScalar height = body->getCenterOfMassPosition().y();
        other.step(5);
        EXPECT_LT(body->getCenterOfMassPosition().y(), height) << "it moves there as a rigid body";
        own.step(2);
        other.world.removeRigidBody(body);
        EXPECT_EQ(proxiesOf(other), 0);
        own.world.addRigidBody(body);
        own.step(2);
        own.system->destroyBody(body);
        EXPECT_EQ(proxiesOf(own), 1);
    }
}

/// The end of a world that is not the system's says nothing about the system's.
TEST(Lifetime, TheEndOfAnotherWorldIsNotThatOfItsOwn) {
    TestWorld own;
    own.addGround();
    own.addBar(makeBar(), btVector3(0, btScalar(0.2), 0), heavilyDamped());
    btPliantBody* gone = own.system->createBody(makeBar());
    {
        TestWorld other;
        other.world.addRigidBody(gone);
        other.step(1);
        EXPECT_TRUE(isTold(own));
    }
    own.step(2);
    own.system.reset();
    EXPECT_EQ(own.world.getNumCollisionObjects(), 1);
    EXPECT_EQ(proxiesOf(own), 1);
    own.step(2);
}

}  // namespace
