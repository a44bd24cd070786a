// SPDX-License-Identifier: Zlib
// What the tool of a hand beside the world does to bodies, as contact sensors and patches tell it.
#include <gtest/gtest.h>

#include <cmath>

#include "WatchedWorld.h"
#include "btPliant/btPliantHandThread.h"

namespace pliant::test {
namespace {

constexpr double kSensedTip = 0.03;          // m, radius of the ball in the hand
constexpr double kSensedStep = 1.0 / 125;    // s: eight cycles
constexpr double kSensedStiffness = 1000.0;  // N/m, of the hand

HandSettings sensedHand() {
    HandSettings settings;
    settings.coupling.stiffness = kSensedStiffness;
    settings.coupling.torqueStiffness = 5000.0;  // the ball does not roll
    settings.limits.deviceForce = settings.limits.deviceTorque = settings.limits.energyCredit = 1e6;
    return settings;
}

btPliantTouchSettings sensedLayer(double stiffness, double friction, int points) {
    btPliantTouchSettings touch;
    touch.m_stiffness = stiffness;
    touch.m_friction = static_cast<btScalar>(friction);
    touch.m_points = points;
    return touch;
}

ToolPose placed(const Vector3& position) {
    ToolPose pose;
    pose.position = position;
    return pose;
}

Vector3 asVector(const btVector3& v) {
    return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

/// A ball in a hand above a body, with a device that stands at another place.
struct SensedHand {
    btSphereShape ball{btScalar(kSensedTip)};
    btPliantHandThread hand;

    SensedHand(const Vector3& from, const Vector3& aim)
        : hand(ball, placed(from), std::make_shared<IdentityDevice>(placed(aim)), sensedHand()) {}
    void step(TestWorld& scene, int steps) {
        for (int i = 0; i < steps; ++i) {
            hand.beforeStep(kSensedStep);
            scene.step(1, kSensedStep);
            hand.afterStep(kSensedStep);
        }
    }
};

/// Compares, step by step, what a sensor tells with what the body and the opposite sensor say.
template <class Momentum, class Angular>
void expectChangesOfMomentum(TestWorld& scene, SensedHand& held, const btCollisionObject& body,
                             const Momentum& momentum, const Angular& angular) {
    btPliantContactSensor* onBody = watch(scene, {&body});
    btPliantContactSensor* onTool = watch(scene, {&held.hand.getTool()}, {&body});
    btPliantContactSensor* both = watch(scene, {&body, &held.hand.getTool()});
    held.hand.afterStep(kSensedStep);
    const double digits = doublePrecision ? 1e-12 : 2e-6;
    Vector3 sum = Vector3::Zero();
    for (int i = 0; i < 40; ++i) {
        const Vector3 before = momentum(), turning = angular();
        held.step(scene, 1);
        const Vector3 told = asVector(onBody->getImpulse()), turned = kSensedStep * asVector(onBody->getTorque());
        const double size = before.norm() + told.norm() + 1e-3;
        EXPECT_LT((momentum() - before - told).norm(), digits * size) << i;
        EXPECT_LT((angular() - turning - turned).norm(), digits * size) << i;
        EXPECT_EQ(told, -asVector(onTool->getImpulse())) << i;
        EXPECT_EQ(both->getImpulse().length(), 0) << "they cancel";
        EXPECT_EQ(both->getCount(), onBody->getCount());
        sum += told;
    }
    EXPECT_LT((asVector(onBody->getAccumulatedImpulse()) - sum).norm(), 1e-6 * sum.norm());
    EXPECT_LT((held.hand.getThread().report().passed + sum).norm(), (doublePrecision ? 1e-12 : 1e-5) * sum.norm());
    EXPECT_GT(sum.norm(), 0.05) << "N s";
    EXPECT_GT(std::abs(sum.x()), 5e-3) << "N s: it drags";
}

TEST(HandSensor, ARigidBodyReadsItsChangeOfMomentum) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(0.1)), 3.0, btVector3(0, 0, 0));
    const Vector3 start(0.02, 0, 0.1 + kSensedTip + 0.002);
    SensedHand held(start, start + Vector3(0.02, 0, -0.02));
    held.hand.addBody(*ball, sensedLayer(1e8, 0.4, 4000));
    held.hand.setSystem(*scene.system);
    const double inertia = 0.4 * 3.0 * 0.01;  // kg m^2
    expectChangesOfMomentum(
        scene, held, *ball, [&] { return Vector3(3.0 * asVector(ball->getLinearVelocity())); },
        [&] { return Vector3(inertia * asVector(ball->getAngularVelocity())); });
}

TEST(HandSensor, ASolidReadsItsChangeOfMomentum) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBody* body = scene.system->createBody(cube(), btPliantBodyInfo());
    scene.world.addRigidBody(body);
    const Vector3 start(0.02, 0, 0.1 + kSensedTip + 0.002);
    SensedHand held(start, start + Vector3(0.02, 0, -0.02));
    held.hand.addBody(*body, sensedLayer(1e8, 0.4, 20000));
    expectChangesOfMomentum(
        scene, held, *body, [&] { return asVector(body->getLinearMomentum()); },
        [&] { return asVector(body->getAngularMomentum()); });
}

/// A heavy box on the ground that is pressed from above: what each of its neighbours does to it.
TEST(HandSensor, TellsTheHandFromTheGround) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, btScalar(-kGravity)));
    btRigidBody* ground = scene.addRigid(new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0, btVector3(0, 0, 0));
    const btScalar half{btScalar(0.1)};
    btRigidBody* box = scene.addRigid(new btBoxShape(btVector3(half, half, half)), 2.0, btVector3(0, 0, half));
    const Vector3 start(0, 0, 0.2 + kSensedTip + 0.001);
    SensedHand held(start, start - Vector3(0, 0, 0.02));
    held.hand.addBody(*box, sensedLayer(1e9, 0.4, 4000));
    held.hand.addBody(*ground, sensedLayer(1e9, 0.4, 4000));
    const btCollisionObject finger;
    held.hand.setSystem(*scene.system, &finger);
    EXPECT_EQ(&held.hand.getTool(), &finger);
    btPliantContactSensor* ofGround = watch(scene, {box}, {ground});
    btPliantContactSensor* ofHand = watch(scene, {box}, {&finger});
    btPliantContactSensor* ofAll = watch(scene, {box});
    btPliantContactSensor* ofFinger = watch(scene, {&finger});
    held.hand.afterStep(kSensedStep);
    held.step(scene, 200);
    const double felt = held.hand.getThread().report().felt.force.z(), box9 = 2.0 * kGravity;
    EXPECT_GT(felt, 15.0) << "N";
    EXPECT_NEAR(static_cast<double>(ofHand->getForce().z()), -felt, 1e-3 * felt);
    EXPECT_NEAR(ofHand->getNormalImpulse(), kSensedStep * felt, 0.01 * kSensedStep * felt);
    EXPECT_NEAR(static_cast<double>(ofGround->getForce().z()), felt + box9, 0.01 * felt);
    EXPECT_NEAR(static_cast<double>(ofAll->getForce().z()), box9, 0.01 * felt);
    EXPECT_NEAR(static_cast<double>(ofFinger->getForce().z()), felt, 1e-3 * felt);
    EXPECT_NEAR(static_cast<double>(ofFinger->getFilteredForce().z()), felt, 1e-3 * felt);
    EXPECT_GT(ofHand->getCount(), 3);
    for (const btPliantContactReading& reading : ofHand->getContacts()) {
        EXPECT_EQ(reading.m_body, box);
        EXPECT_EQ(reading.m_other, &finger);
        EXPECT_LT(reading.m_normal.z(), -0.8) << "out of the other";
        EXPECT_NEAR(static_cast<double>(reading.m_position.z()), 0.2, 1e-3);
        EXPECT_LT(reading.m_distance, 0);
    }
    // Without the hand nothing presses: what Bullet forgets after its step is read in it alone.
    scene.step(1, kSensedStep);
    EXPECT_EQ(ofHand->getCount(), 0);
    EXPECT_EQ(ofHand->getForce().length(), 0);
}

TEST(HandSensor, ReadsWhatDoesNotMove) {
    TestWorld scene;
    btRigidBody* ground = scene.addRigid(new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0, btVector3(0, 0, 0));
    const Vector3 start(0, 0, kSensedTip + 0.001);
    SensedHand held(start, start - Vector3(0, 0, 0.02));
    held.hand.addBody(*ground, sensedLayer(1e9, 0.4, 4000));
    held.hand.setSystem(*scene.system);
    btPliantContactSensor* sensor = watch(scene, {ground});
    held.hand.afterStep(kSensedStep);
    held.step(scene, 100);
    const double felt = held.hand.getThread().report().felt.force.z();
    EXPECT_GT(felt, 15.0) << "N";
    EXPECT_NEAR(static_cast<double>(sensor->getForce().z()), -felt, 1e-4 * felt);
}

TEST(HandSensor, TheFilterIsOfFirstOrder) {
    TestWorld scene;
    btRigidBody* ground = scene.addRigid(new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0, btVector3(0, 0, 0));
    const Vector3 start(0, 0, kSensedTip);
    SensedHand held(start, start - Vector3(0, 0, 0.01));
    held.hand.addBody(*ground, sensedLayer(1e9, 0.0, 4000));
    held.hand.setSystem(*scene.system);
    held.hand.afterStep(kSensedStep);
    held.step(scene, 100);
    btPliantContactSensor* sensor = watch(scene, {ground}, {}, 0.05);
    held.step(scene, 10);
    const auto raw = static_cast<double>(sensor->getForce().z());
    EXPECT_LT(raw, -5.0) << "N";
    EXPECT_NEAR(static_cast<double>(sensor->getFilteredForce().z()), raw * (1.0 - std::exp(-0.08 / 0.05)), -1e-3 * raw);
}

std::shared_ptr<const ReducedModel> makeStiffCube() {
    SolidMaterial material;
    material.young = 1e9;
    return solidBox({0.2, 0.2, 0.2}, material, 0.1);
}

std::shared_ptr<const ReducedModel> stiffCube() {
    static const auto model = makeStiffCube();
    return model;
}

/// A held cube whose upper face is pressed at x = 0.05 m by a ball without friction.
struct SensedCube {
    TestWorld scene;
    btPliantBody* body = nullptr;
    SensedHand held;

    SensedCube() : held(Vector3(0.05, 0, 0.1 + kSensedTip), Vector3(0.05, 0, 0.1 + kSensedTip - 0.01)) {
        scene.world.setGravity(btVector3(0, 0, 0));
        btPliantBodyInfo info = damped();
        info.m_kinematic = true;
        body = scene.system->createBody(stiffCube(), info);
        scene.world.addRigidBody(body);
        held.hand.addBody(*body, sensedLayer(1e7, 0.0, 200000));
        held.hand.afterStep(kSensedStep);
    }
    btPliantContactSensor* watchBox(double from, double to) {
        btPliantContactSensorInfo info;
        info.m_of = {body};
        info.m_lower = btVector3(static_cast<btScalar>(from), -1, -1);
        info.m_upper = btVector3(static_cast<btScalar>(to), 1, 1);
        return scene.system->createContactSensor(info);
    }
};

TEST(HandSensor, ARegionFeelsItsShareOfTheFace) {
    SensedCube cube;
    btPliantContactSensor *left = cube.watchBox(-1, 0), *right = cube.watchBox(0, 1);
    btPliantContactSensor *inner = cube.watchBox(0, 0.05), *outer = cube.watchBox(0.05, 1);
    cube.held.step(cube.scene, 100);
    const double felt = cube.held.hand.getThread().report().felt.force.z();
    EXPECT_GT(felt, 5.0) << "N";
    EXPECT_EQ(left->getCount(), 0);
    EXPECT_NEAR(static_cast<double>(right->getForce().z()), -felt, 1e-3 * felt);
    const auto in = static_cast<double>(inner->getForce().z()), out = static_cast<double>(outer->getForce().z());
    EXPECT_NEAR(in + out, -felt, 1e-3 * felt);
    // Points of one side have a spacing of 1.1 mm, the patch 25: a row more or less is 4 % of a half.
    EXPECT_NEAR(in, out, 0.04 * felt) << "the middle of the ball is at 0.05 m";
}

TEST(HandSensor, ThePatchObeysTheLaw) {
    SensedCube cube;
    btPliantContactPatch patch;
    EXPECT_FALSE(cube.scene.system->getContactPatch(*cube.body, cube.held.hand.getTool(), patch));
    cube.held.step(cube.scene, 100);
    const HandReport report = cube.held.hand.getThread().report();
    ASSERT_TRUE(cube.scene.system->getContactPatch(*cube.body, cube.held.hand.getTool(), patch));
    EXPECT_NEAR(static_cast<double>(patch.m_force.z()), -report.felt.force.z(), 1e-3 * report.felt.force.z());
    EXPECT_NEAR(static_cast<double>(patch.m_torque.y()), 0.05 * report.felt.force.z(), 2e-3 * report.felt.force.z());
    EXPECT_NEAR(static_cast<double>(patch.m_centroid.x()), 0.05, 2e-4);
    EXPECT_NEAR(static_cast<double>(patch.m_centroid.z()), 0.1, 1e-3);
    const double depth = 0.1 + kSensedTip - report.tool.position.z();
    // Triangles of the area A have a point each: none is farther than sqrt(2 A) from the next, and that of the middle
    // is up to A / R less deep.
    EXPECT_NEAR(patch.m_depth, depth, 0.24 / 200000 / kSensedTip);
    const double area = 3.14159265358979323846 * (2 * kSensedTip * depth - depth * depth);  // of the circle
    EXPECT_NEAR(patch.m_area, area, 0.05 * area);
    for (const btPliantContactPatch::Point& point : patch.m_points) {
        EXPECT_NEAR(point.m_pressure, 1e7 * point.m_depth, 1e-3 * point.m_pressure) << "p = k d";
        EXPECT_LT(point.m_normal.z(), -0.99) << "into the body";
    }
    cube.held.hand.removeBody(*cube.body);
    EXPECT_FALSE(cube.scene.system->getContactPatch(*cube.body, cube.held.hand.getTool(), patch));
}

TEST(HandSensor, HandAndSystemMayGoInAnyOrder) {
    TestWorld scene;
    btRigidBody* ground = scene.addRigid(new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0, btVector3(0, 0, 0));
    btPliantContactSensor* sensor = watch(scene, {ground});
    const Vector3 start(0, 0, kSensedTip - 0.005);
    {
        SensedHand first(start, start);
        first.hand.addBody(*ground, sensedLayer(1e7, 0.0, 1000));
        first.hand.setSystem(*scene.system);
        first.hand.afterStep(kSensedStep);
        first.step(scene, 2);
        EXPECT_GT(sensor->getCount(), 0);
        first.hand.beforeStep(kSensedStep);
    }
    scene.step(1, kSensedStep);
    EXPECT_EQ(sensor->getCount(), 0) << "the hand has gone";
    SensedHand second(start, start);
    second.hand.addBody(*ground, sensedLayer(1e7, 0.0, 1000));
    second.hand.setSystem(*scene.system);
    scene.system.reset();
    second.step(scene, 2);
}

}  // namespace
}  // namespace pliant::test
