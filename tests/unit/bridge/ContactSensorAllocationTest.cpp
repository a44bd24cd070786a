// SPDX-License-Identifier: Zlib
// Sensors and distributed contact allocate nothing once contacts have settled: a step with them goes to the heap as
// often as one without.
#include <gtest/gtest.h>

#include "AllocationCounter.h"
#include "TestWorld.h"
#include "btPliant/btPliantHandThread.h"
#include "pliant/touch/ConvexElement.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

/// Allocations of a step of a pile at rest.
long allocationsOfAStep(int sensors) {
    TestWorld scene;
    scene.addGround();
    btPliantBodyInfo info;
    info.m_damping.mass = 1.0;
    info.m_damping.stiffness = 2e-3;
    info.m_rollingFriction = btScalar(0.1);
    for (int i = 0; i < 4; ++i)
        scene
            .addBar(makeBar(), btVector3(0, btScalar(0.06 + 0.101 * i), 0), info,
                    btQuaternion(btVector3(0, 1, 0), i % 2 ? SIMD_HALF_PI : btScalar(0)))
            ->setActivationState(DISABLE_DEACTIVATION);
    btPliantContactSensorInfo watched;
    for (int i = 0; i < scene.system->getNumBodies(); ++i) watched.m_of.push_back(scene.system->getBody(i));
    for (int s = 0; s < sensors; ++s) scene.system->createContactSensor(watched);
    scene.step(600);
    const long before = allocations;
    scene.step(10);
    const long made = allocations - before;
    for (int s = 0; s < sensors; ++s) EXPECT_GE(scene.system->getContactSensor(s)->getCount(), 5);
    return made;
}

TEST(ContactSensorAllocation, ASettledStepHasNone) {
    EXPECT_GE(countOneAllocation(), 1) << "the counter counts";
    EXPECT_EQ(allocationsOfAStep(3), allocationsOfAStep(0));
}

/// Allocations of ten steps of a bar at rest on the ground. @param distributed by points all over its face
long allocationsAtRest(bool distributed) {
    TestWorld scene;
    btRigidBody* ground = scene.addGround();
    btPliantBodyInfo info;
    info.m_damping.mass = 1.0;
    info.m_damping.stiffness = 2e-3;
    static const auto model = solidBox({0.3, 0.1, 0.1}, SolidMaterial(), 0.05);
    btPliantBody* body = scene.addBar(model, btVector3(0, btScalar(0.0505), 0), info);
    body->setActivationState(DISABLE_DEACTIVATION);
    btPliantTouchSettings settings;
    settings.m_stiffness = 2e6;
    settings.m_damping = 0.02;
    settings.m_points = 500;
    if (distributed) scene.system->setTouch(*body, nullptr, settings);
    scene.step(600);
    const long before = allocations;
    scene.step(10);
    const long made = allocations - before;
    btPliantContactPatch patch;
    EXPECT_EQ(scene.system->getContactPatch(*body, *ground, patch) && patch.m_area > 0, distributed);
    return made;
}

TEST(DistributedTouchAllocation, ASettledStepHasNone) {
    EXPECT_EQ(allocationsAtRest(true), allocationsAtRest(false));
}

// Points that come to touch get bristles within the iterations: the room for those of all points is made with the
// points.
TEST(DistributedTouchAllocation, BristlesThatComeLaterHaveNone) {
    constexpr int count = 200;
    const double normal[3] = {0, 0, 1}, first[3] = {1, 0, 0}, second[3] = {0, 1, 0}, target[3] = {0.3, 0.4, -0.1};
    DistributedLaw law;
    law.stiffness = 1e6;
    ConvexElement element;
    element.start(3, law, 1e-3);
    ConvexElementPoint point;
    point.area = 1e-4;
    point.depth = point.freeDepth = 1e-3;
    point.limit = 0.1;
    for (int i = 0; i < count; ++i) element.add(point, normal, nullptr, nullptr);
    ASSERT_TRUE(element.solve(target));
    const long before = allocations;
    for (int i = 0; i < count; ++i) element.addBristle(i, 1e4, first, second);
    ASSERT_TRUE(element.solve(target));
    EXPECT_EQ(allocations - before, 0);
    EXPECT_LT(element.tangentImpulse(count - 1, 0), 0.0);
}

/// Allocations of ten steps in which a hand beside the world presses a bar that lies on the ground.
long allocationsUnderAHand(bool sensed) {
    TestWorld scene;
    scene.addGround();
    btPliantBodyInfo info;
    info.m_damping.mass = 1.0;
    info.m_damping.stiffness = 2e-3;
    static const auto model = solidBox({0.3, 0.1, 0.1}, SolidMaterial(), 0.05);
    btPliantBody* body = scene.addBar(model, btVector3(0, btScalar(0.0505), 0), info);
    const btSphereShape ball{btScalar(0.03)};
    ToolPose start, aim;
    start.position.y() = 0.14;
    aim.position.y() = 0.12;
    btPliantHandThread hand(ball, start, std::make_shared<IdentityDevice>(aim));
    hand.addBody(*body);
    btPliantContactSensorInfo watched;
    watched.m_of = {body};
    watched.m_with = {&hand.getTool()};
    const btPliantContactSensor* sensor = sensed ? scene.system->createContactSensor(watched) : nullptr;
    long before = 0;
    for (int i = 0; i < 610; ++i) {
        if (i == 600) before = allocations;
        hand.beforeStep(1.0 / 120);
        scene.step(1, 1.0 / 120);
        hand.afterStep(1.0 / 120);
    }
    const long made = allocations - before;
    if (sensor) {
        EXPECT_GT(sensor->getCount(), 5);
    }
    return made;
}

TEST(HandSensorAllocation, ASettledStepHasNone) {
    EXPECT_EQ(allocationsUnderAHand(true), 0);
    EXPECT_EQ(allocationsUnderAHand(false), 0);
}

}  // namespace
}  // namespace pliant::test
