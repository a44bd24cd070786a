// SPDX-License-Identifier: Zlib
// Joints of a scene in its world, and the hand that drags bodies.
#include <gtest/gtest.h>

#include <cmath>

#include "../bridge/BarModel.h"
#include "btPliantScene/btPliantConversions.h"
#include "world/SceneWorld.h"

namespace pliant::program {
namespace {

/// Two bars in a row along x, a box, and no ground; z is up.
struct Bars {
    Bars() {
        scene.models.resize(1);
        scene.models[0].name = "bar";
        scene.models[0].damping = DampingSettings{10.0};
        scene::BodyGroup bars;
        bars.name = "bars";
        bars.model = "bar";
        bars.placement.count = {2, 1, 1};
        bars.placement.spacing = Vector3(2, 1, 1);
        bars.placement.position = -test::BarOptions().meshOffset;  // so that the bars' centres are at x = -1 and 1
        bars.mayFallAsleep = false;
        scene.bodies.push_back(bars);
        scene::RigidGroup box;
        box.name = "box";
        box.mass = 2;
        box.size = Vector3::Constant(0.2);
        box.placement.position = Vector3(0, 0, -3);
        scene.rigid.push_back(box);
    }
    scene::JointGroup& add(scene::JointKind kind, const std::vector<std::string>& names, const Vector3& at) {
        scene::JointGroup joint;
        joint.kind = kind;
        joint.at = at;
        for (const std::string& name : names) joint.ends.push_back({name, "", -1, ""});
        scene.joints.push_back(joint);
        return scene.joints.back();
    }
    SceneWorld& start() {
        world = std::make_unique<SceneWorld>(scene, Models{test::makeBar()}, 1);
        return *world;
    }
    void step(double seconds) {
        for (int i = 0; i < std::lround(seconds / scene.time.step()); ++i) world->step();
    }
    Vector3 centre(int bar) const {
        return fromBullet(world->deformables()[static_cast<std::size_t>(bar)].m_body->getCenterOfMassPosition());
    }
    scene::SceneDescription scene;
    std::unique_ptr<SceneWorld> world;
};

TEST(SceneJoints, EveryCopyIsHeldAtItsPoint) {
    Bars bars;
    bars.add(scene::JointKind::Fixed, {"bars"}, test::BarOptions().meshOffset).isLocal = true;
    ASSERT_EQ(bars.start().joints().size(), 2u);
    bars.step(1);
    EXPECT_LT((bars.centre(0) - Vector3(-1, 0, 0)).norm(), 5e-3);
    EXPECT_LT((bars.centre(1) - Vector3(1, 0, 0)).norm(), 5e-3);
}

TEST(SceneJoints, HingesKnowTheirLimitsAndSense) {
    Bars bars;
    // About y through the end at x = 1.5 of the second bar: its other end falls, which is a negative turn.
    scene::JointGroup& hinge = bars.add(scene::JointKind::Hinge, {"bars"}, Vector3(1.5, 0, 0));
    hinge.ends[0].copy = 1;
    hinge.axis = Vector3::UnitY();
    hinge.limits = {-5, 60};
    bars.start();
    bars.step(2);
    EXPECT_NEAR(std::atan2(bars.centre(1).z(), 1.5 - bars.centre(1).x()) * 180 / SIMD_PI, -5, 1.5);
    EXPECT_LT(bars.centre(0).z(), -10) << "the other one falls";
}

TEST(SceneJoints, MotorsTurnTheFirstAgainstTheSecond) {
    Bars bars;
    bars.scene.gravity.setZero();
    scene::JointGroup& hinge = bars.add(scene::JointKind::Hinge, {"bars"}, Vector3(1, 0, 0));
    hinge.ends[0].copy = 1;
    hinge.motor = scene::JointMotor{1.5, 10};
    scene::JointGroup& slider = bars.add(scene::JointKind::Slider, {"bars"}, Vector3(-1, 0, 0));
    slider.ends[0].copy = 0;
    slider.axis = Vector3::UnitY();
    slider.motor = scene::JointMotor{0.5, 100};
    bars.start();
    bars.step(2);
    const auto& bodies = bars.world->deformables();
    EXPECT_NEAR(bodies[1].m_body->getAngularVelocity().z(), 1.5, 0.02);
    EXPECT_NEAR(bodies[0].m_body->getLinearVelocity().y(), 0.5, 0.01);
    EXPECT_NEAR(bars.centre(0).y(), 1.0, 0.05);
}

TEST(SceneJoints, SpringsHoldTheWeightAndHooksBreak) {
    Bars bars;
    scene::JointGroup& spring = bars.add(scene::JointKind::Spring, {"box"}, Vector3(0, 0, -3));
    spring.offset = Vector3(0, 0, 0.1);
    spring.stiffness = 100;
    spring.damping = 20;
    scene::JointGroup& hook = bars.add(scene::JointKind::Point, {"bars"}, Vector3(-1, 0, 0));
    hook.ends[0].copy = 0;
    hook.breakingImpulse = 1e-3;
    bars.start();
    bars.step(5);
    const double height = static_cast<double>(bars.world->rigids()[0].m_body->getCenterOfMassPosition().z());
    EXPECT_NEAR(height, -2.9 - 2 * 9.81 / 100, 5e-3);
    EXPECT_FALSE(bars.world->joints()[1]->isEnabled());
    EXPECT_LT(bars.centre(0).z(), -100) << "it fell";
}

TEST(Grab, ABodyFollowsTheMouse) {
    for (const bool soft : {true, false}) {
        Bars bars;
        SceneWorld& world = bars.start();
        const Vector3 eye(soft ? 1.2 : 0, -5, soft ? 0 : -3), there = eye + Vector3(0, 10, 0);
        ASSERT_TRUE(world.hand().take(eye, there));
        const btRigidBody* body = soft ? world.deformables()[1].m_body : world.rigids()[0].m_body;
        world.hand().move(eye, there + Vector3(2, 0, 1));
        bars.step(2);
        // In reach of the hand, and hanging from it.
        const Vector3 target = eye + (soft ? 4.95 : 4.9) * Vector3(2, 10, 1).normalized();
        EXPECT_LT((fromBullet(body->getCenterOfMassPosition()) - target).norm(), 0.6) << soft;
        EXPECT_LT(bars.centre(0).z(), -10) << "nobody holds this one";
        world.hand().release();
        bars.step(2);
        EXPECT_LT(body->getCenterOfMassPosition().z(), -10) << soft;
    }
}

TEST(Grab, ThereIsNothingToTakeInTheAir) {
    Bars bars;
    SceneWorld& world = bars.start();
    EXPECT_FALSE(world.hand().take(Vector3(0, -5, 3), Vector3(0, 5, 3)));
    EXPECT_FALSE(world.hand().holds());
    world.hand().move(Vector3(0, -5, 3), Vector3(0, 5, 3));
    world.hand().release();
    world.step();
}

}  // namespace
}  // namespace pliant::program
