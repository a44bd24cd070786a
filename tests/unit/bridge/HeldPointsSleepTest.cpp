// SPDX-License-Identifier: Zlib
// Points that let go of a body that sleeps, or take hold of it elsewhere.
#include <gtest/gtest.h>

#include "TestWorld.h"
#include "btPliant/btPliantHeldPoints.h"

namespace pliant::test {
namespace {

/// A bar that hangs in the world from two points until it sleeps.
struct SleepingBar {
    SleepingBar() {
        btPliantBodyInfo info;
        info.m_damping.mass = 20;
        bar = scene.addBar(makeBar(stiffBar()), btVector3(0, 2, 0), info);
        hands = std::make_unique<btPliantHeldPoints>(*bar);
        for (const double x : {-0.4, 0.4}) hands->addPoint(btVector3(btScalar(0.3 + x), btScalar(-0.2), btScalar(0.1)));
        scene.world.addConstraint(hands.get());
        for (int i = 0; i < 3000 && bar->isActive(); ++i) scene.step();
        EXPECT_FALSE(bar->isActive());
    }
    ~SleepingBar() { scene.world.removeConstraint(hands.get()); }
    double height() const { return static_cast<double>(bar->getCenterOfMassPosition().y()); }

    TestWorld scene;
    btPliantBody* bar = nullptr;
    std::unique_ptr<btPliantHeldPoints> hands;
};

TEST(HeldPointsOfASleepingBody, LetItFallWhereTheyLetGo) {
    SleepingBar hung;
    const double before = hung.height();
    hung.hands->clearPoints();
    hung.scene.step(60);
    EXPECT_LT(hung.height(), before - 0.5);
}

TEST(HeldPointsOfASleepingBody, DrawItWhereAnotherOneIsHeldElsewhere) {
    SleepingBar hung;
    hung.hands->clearPoints();
    hung.scene.step(5);
    hung.bar->setActivationState(ISLAND_SLEEPING);
    const double before = hung.height();
    const btVector3 middle(btScalar(0.3), btScalar(-0.2), btScalar(0.1));
    hung.hands->addPoint(middle, hung.bar->getPointPosition(middle) + btVector3(0, btScalar(0.3), 0));
    hung.scene.step(240);
    EXPECT_GT(hung.height(), before + 0.2);
}

/// B is a box on the ground.
TEST(HeldPointsOfASleepingBody, WakeTheOtherBodyToo) {
    TestWorld scene;
    scene.addGround();
    btPliantBodyInfo info;
    info.m_damping.mass = 20;
    btPliantBody* bar = scene.addBar(makeBar(stiffBar()), btVector3(0, 2, 0), info);
    btRigidBody* box = scene.addRigid(new btBoxShape(btVector3(btScalar(0.1), btScalar(0.1), btScalar(0.1))), 1,
                                      btVector3(3, btScalar(0.1), 0));
    btPliantHeldPoints hands(*bar, *box);
    scene.world.addConstraint(&hands, true);
    for (btRigidBody* body : {static_cast<btRigidBody*>(bar), box}) body->setActivationState(ISLAND_SLEEPING);
    hands.addPoint(btVector3(0, 0, 0), btVector3(0, btScalar(0.1), 0));
    EXPECT_TRUE(box->isActive()) << "another point";
    EXPECT_TRUE(bar->isActive());
    for (btRigidBody* body : {static_cast<btRigidBody*>(bar), box}) body->setActivationState(ISLAND_SLEEPING);
    hands.clearPoints();
    EXPECT_TRUE(box->isActive()) << "let go of";
    EXPECT_TRUE(bar->isActive());
    for (btRigidBody* body : {static_cast<btRigidBody*>(bar), box}) body->setActivationState(ISLAND_SLEEPING);
    hands.clearPoints();
    EXPECT_FALSE(box->isActive()) << "there was nothing to let go of";
    scene.world.removeConstraint(&hands);
}

}  // namespace
}  // namespace pliant::test
