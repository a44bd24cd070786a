// SPDX-License-Identifier: Zlib
// Points that let go of a body that sleeps, or take hold of it elsewhere.
#include <gtest/gtest.h>

#include "TestWorld.h"
#include "btPliant/btPliantHeldPoints.h"

namespace pliant::test {
namespace {

/// A bar that hangs from points until it sleeps, from the world or from a box that lies on the ground.
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

}  // namespace
}  // namespace pliant::test
