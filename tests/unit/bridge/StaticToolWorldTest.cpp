// SPDX-License-Identifier: Zlib
// A static tool in a Bullet world: no weight, no inertia, and the balance of coupling and contact.
#include <gtest/gtest.h>

#include <cmath>

#include "CubeModel.h"
#include "StaticHand.h"
#include "TestWorld.h"
#include "pliant/math/Error.h"

namespace pliant::test {
namespace {

constexpr double kHeldBall = 0.05;  // m, radius

TEST(StaticToolInAWorld, IsWhereTheDeviceIsAfterAStep) {
    TestWorld scene;
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(kHeldBall)), 3.0, btVector3(0, 0, 0));
    btPliantTool tool(*ball, btTransform::getIdentity(), staticHand(), btPliantToolDynamics::Static);
    scene.world.addConstraint(&tool);
    const Wrench still = stepHeld(scene, tool, ToolPose(), 200);
    EXPECT_LT(still.force.norm(), 1e-4) << "N: it has no weight";
    ToolPose device = deviceAt(Vector3(0.003, -0.002, 0.001));
    device.rotation = Rotation(Eigen::AngleAxisd(0.04, Vector3::UnitY()));
    stepHeld(scene, tool, device, 1);
    EXPECT_LT((tool.getGripPose().position - device.position).norm(), 1e-6);
    EXPECT_LT(tool.getGripPose().rotation.angularDistance(device.rotation), 1e-4);
    // Farther than its limit of 0.6 m/s lets it come in a step.
    stepHeld(scene, tool, deviceAt(Vector3(0.103, -0.002, 0.001)), 1);
    EXPECT_NEAR(tool.getGripPose().position.x(), 0.003 + 0.6 * kStaticStep, 1e-6);
    scene.world.removeConstraint(&tool);
}

// Against a fixed plane the hand feels the whole way that the tool is short of, whatever it would weigh.
TEST(StaticToolInAWorld, FeelsItsStiffnessTimesTheWayThatItIsShortOf) {
    for (const double stiffness : {100.0, 1000.0, 1e5})
        for (const double mass : {0.01, 100.0}) {
            TestWorld scene;
            scene.addGround();
            btRigidBody* ball =
                scene.addRigid(new btSphereShape(btScalar(kHeldBall)), mass, btVector3(0, btScalar(kHeldBall), 0));
            btPliantTool tool(*ball, btTransform::getIdentity(), staticHand(stiffness), btPliantToolDynamics::Static);
            scene.world.addConstraint(&tool);
            const Wrench felt = stepHeld(scene, tool, deviceAt(Vector3(0, kHeldBall - 0.01, 0)), 300);
            const double force = stiffness * 0.01;
            EXPECT_NEAR(felt.force.y(), force, 0.02 * force) << stiffness << ", " << mass;
            EXPECT_NEAR(tool.getWrench(btScalar(kStaticStep)).force.y(), -felt.force.y(), 1e-6 * force);
            EXPECT_LT(ball->getLinearVelocity().length(), btScalar(1e-3)) << stiffness << ", " << mass;
            scene.world.removeConstraint(&tool);
        }
}

TEST(StaticToolInAWorld, SaturatesWhereItsCouplingDoes) {
    TestWorld scene;
    scene.addGround();
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(kHeldBall)), 1, btVector3(0, btScalar(kHeldBall), 0));
    HandSettings settings = staticHand();
    settings.coupling.maxForce = 5.0;
    btPliantTool tool(*ball, btTransform::getIdentity(), settings, btPliantToolDynamics::Static);
    scene.world.addConstraint(&tool);
    stepHeld(scene, tool, deviceAt(Vector3(0, kHeldBall - 0.02, 0)), 300);
    EXPECT_NEAR(tool.getWrench(btScalar(kStaticStep)).force.y(), -saturatedForce(1000.0, 5.0, 0.02), 0.01);
    scene.world.removeConstraint(&tool);
}

// The impulses that a free block gets are those of the coupling: a tool without mass keeps none. Its way is shorter
// than its limit of speed lets it come in a step: where that holds it back, the hand's spring is stretched against
// nothing.
TEST(StaticToolInAWorld, PassesItsMomentumWhole) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btRigidBody* block = scene.addRigid(new btBoxShape(btVector3(btScalar(0.2), btScalar(0.1), btScalar(0.2))), 2.0,
                                        btVector3(0, btScalar(-0.1), 0));
    btRigidBody* ball =
        scene.addRigid(new btSphereShape(btScalar(kHeldBall)), 1.0, btVector3(0, btScalar(kHeldBall + 0.001), 0));
    btPliantTool tool(*ball, btTransform::getIdentity(), staticHand(), btPliantToolDynamics::Static);
    scene.world.addConstraint(&tool);
    const ToolPose device = deviceAt(Vector3(0, kHeldBall - 0.003, 0));
    Vector3 given = Vector3::Zero();
    for (int i = 0; i < 60; ++i) {
        stepHeld(scene, tool, device, 1);
        given += kStaticStep * tool.getWrench(btScalar(kStaticStep)).force;
    }
    EXPECT_LT(given.y(), -0.02) << "N s";
    EXPECT_NEAR(2.0 * static_cast<double>(block->getLinearVelocity().y()), given.y(), 1e-3 * std::abs(given.y()));
    scene.world.removeConstraint(&tool);
}

// Gripped aside of its centre: the wrench about the grip has the moment of the force at the arm, and the grip goes to
// the device.
TEST(StaticToolInAWorld, TellsItsWrenchAboutTheGrip) {
    TestWorld scene;
    scene.addGround();
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(kHeldBall)), 1, btVector3(0, btScalar(kHeldBall), 0));
    btTransform grip = btTransform::getIdentity();
    grip.setOrigin(btVector3(btScalar(0.1), 0, 0));
    btPliantTool tool(*ball, grip, staticHand(), btPliantToolDynamics::Static);
    scene.world.addConstraint(&tool);
    EXPECT_LT((tool.getFollowedPose().position - Vector3(0.1, kHeldBall, 0)).norm(), 1e-6);
    const Wrench felt = stepHeld(scene, tool, deviceAt(Vector3(0.1, kHeldBall - 0.01, 0)), 300);
    EXPECT_NEAR(felt.force.y(), 10.0, 0.2);
    EXPECT_NEAR(felt.torque.z(), -0.1 * felt.force.y(), 1e-3);
    EXPECT_LT((tool.getFollowedPose().position - Vector3(0.1, kHeldBall - 0.01, 0)).norm(), 1e-6);
    scene.world.removeConstraint(&tool);
}

// By distributed contact into a solid that does not give way: springs of coupling and layer behind each other, of the
// box's face A on k.
TEST(StaticToolInAWorld, PressesASolidByDistributedContact) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    SolidMaterial material;
    material.young = 1e9;
    btPliantBodyInfo info = dampedCube();
    info.m_kinematic = true;
    btPliantBody* body = scene.system->createBody(solidBox({kCubeSize, kCubeSize, kCubeSize}, material, 0.1), info);
    scene.world.addRigidBody(body);
    const double top = 0.5 * kCubeSize, half = 0.02;
    btRigidBody* pad = scene.addRigid(new btBoxShape(btVector3(btScalar(half), btScalar(half), btScalar(half))), 1.0,
                                      btVector3(0, 0, btScalar(top + half)));
    btPliantTouchSettings touch;
    touch.m_stiffness = 1e7;
    touch.m_points = 20000;
    scene.system->setTouch(*body, pad, touch);
    btPliantTool tool(*pad, btTransform::getIdentity(), staticHand(), btPliantToolDynamics::Static);
    scene.world.addConstraint(&tool);
    const Wrench felt = stepHeld(scene, tool, deviceAt(Vector3(0, 0, top + half - 0.01)), 200);
    // Where a side of the pad is nearer than its face points are less deep: a share D / half of the force is missing.
    const double layer = 1e7 * 4.0 * half * half, depth = 0.01 / (1.0 + layer / 1000.0);
    const double force = 0.01 / (1.0 / 1000.0 + 1.0 / (layer * (1.0 - depth / half)));
    EXPECT_NEAR(felt.force.z(), force, 5e-3 * force);
    scene.world.removeConstraint(&tool);
}

/// Two pads of 40 mm that static tools hold at either side of the origin along x, each followed to 0.1 m from it, so
/// that they press what is between them. @param place of their middles, m
void addPads(TestWorld& scene, double place, std::vector<std::unique_ptr<btPliantTool>>& tools,
             std::vector<ToolPose>& devices) {
    for (const double side : {-1.0, 1.0}) {
        btRigidBody* pad = scene.addRigid(new btBoxShape(btVector3(btScalar(0.02), btScalar(0.04), btScalar(0.04))),
                                          1.0, btVector3(btScalar(side * place), 0, 0));
        pad->setFriction(1);
        HandSettings settings = staticHand();
        settings.coupling.torqueStiffness = 500.0;
        tools.push_back(
            std::make_unique<btPliantTool>(*pad, btTransform::getIdentity(), settings, btPliantToolDynamics::Static));
        scene.world.addConstraint(tools.back().get());
        devices.push_back(deviceAt(Vector3(side * 0.1, 0, 0)));
    }
}

// Between two static tools, by friction: what both carry is its weight.
TEST(StaticToolInAWorld, TwoHandsCarryABlock) {
    TestWorld scene;
    btRigidBody* block =
        scene.addRigid(new btBoxShape(btVector3(btScalar(0.1), btScalar(0.1), btScalar(0.1))), 1.0, btVector3(0, 0, 0));
    block->setFriction(1);
    std::vector<std::unique_ptr<btPliantTool>> tools;
    std::vector<ToolPose> devices;
    addPads(scene, 0.12, tools, devices);
    double carried = 0.0;
    for (int i = 0; i < 480; ++i) {
        for (std::size_t k = 0; k < 2; ++k) tools[k]->follow(&devices[k], btScalar(kStaticStep));
        scene.step(1, kStaticStep);
        carried = 0.0;
        for (auto& tool : tools) carried += tool->getWrench(btScalar(kStaticStep)).force.y();
    }
    EXPECT_NEAR(carried, 9.81, 0.05);
    EXPECT_LT(block->getLinearVelocity().length(), btScalar(1e-2));
    // Its weight over the stiffness of both springs.
    EXPECT_NEAR(static_cast<double>(block->getCenterOfMassPosition().y()), -9.81 / 2000.0, 4e-4);
    for (auto& tool : tools) scene.world.removeConstraint(tool.get());
}

// A device that falls silent lets go, and the tool stays.
TEST(StaticToolInAWorld, StaysWhereADeviceHasLeftIt) {
    TestWorld scene;
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(kHeldBall)), 1.0, btVector3(0, 1, 0));
    btPliantTool tool(*ball, btTransform::getIdentity(), staticHand(), btPliantToolDynamics::Static);
    scene.world.addConstraint(&tool);
    stepHeld(scene, tool, deviceAt(Vector3(0, 1, 0)), 10);
    for (int i = 0; i < 240; ++i) {
        tool.follow(nullptr, btScalar(kStaticStep));
        scene.step(1, kStaticStep);
    }
    EXPECT_EQ(tool.getHold(), 0.0);
    EXPECT_LT((tool.getGripPose().position - Vector3(0, 1, 0)).norm(), 1e-5);
    scene.world.removeConstraint(&tool);
}

// Each follow() begins one step. In those without one it is drawn to where it followed last, and rests there.
TEST(StaticToolInAWorld, RestsWhereItFollowedLast) {
    TestWorld scene;
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(kHeldBall)), 1.0, btVector3(0, 1, 0));
    btPliantTool tool(*ball, btTransform::getIdentity(), staticHand(), btPliantToolDynamics::Static);
    scene.world.addConstraint(&tool);
    stepHeld(scene, tool, deviceAt(Vector3(0.003, 1, 0)), 1);
    EXPECT_GT(ball->getLinearVelocity().length(), btScalar(0.1)) << "m/s: it has come within the step";
    scene.step(240, kStaticStep);
    EXPECT_LT((tool.getGripPose().position - Vector3(0.003, 1, 0)).norm(), 1e-4) << "m; 0.72 m farther before";
    EXPECT_LT(ball->getLinearVelocity().length(), btScalar(1e-4)) << "m/s";
    scene.world.removeConstraint(&tool);
}

TEST(StaticToolInAWorld, LeavesItsBodyAsItWasAndAtRest) {
    TestWorld scene;
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(kHeldBall)), 3.0, btVector3(0, 1, 0));
    ball->setDamping(btScalar(0.1), btScalar(0.2));
    ball->setRestitution(btScalar(0.5));
    const btVector3 inertia = ball->getLocalInertia(), gravity = ball->getGravity();
    const int flags = ball->getFlags();
    {
        btPliantTool tool(*ball, btTransform::getIdentity(), staticHand(), btPliantToolDynamics::Static);
        scene.world.addConstraint(&tool);
        stepHeld(scene, tool, deviceAt(Vector3(0.003, 1, 0)), 1);
        scene.world.removeConstraint(&tool);
    }
    EXPECT_NEAR(static_cast<double>(ball->getInvMass()), 1.0 / 3.0, 1e-6);
    EXPECT_LT((ball->getLocalInertia() - inertia).length(), btScalar(1e-6) * inertia.length());
    EXPECT_EQ(ball->getFlags(), flags);
    EXPECT_LT((ball->getGravity() - gravity).length(), btScalar(1e-5));
    EXPECT_GT(gravity.length(), btScalar(9));
    EXPECT_EQ(ball->getLinearDamping(), btScalar(0.1));
    EXPECT_EQ(ball->getAngularDamping(), btScalar(0.2));
    EXPECT_EQ(ball->getRestitution(), btScalar(0.5));
    EXPECT_EQ(ball->getLinearVelocity().length(), btScalar(0));
    scene.step(1, kStaticStep);
    EXPECT_LT(ball->getLinearVelocity().y(), btScalar(-0.05)) << "m/s: it falls";
}

TEST(StaticToolInAWorld, HasItsBodyToItself) {
    TestWorld scene;
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(kHeldBall)), 3.0, btVector3(0, 1, 0));
    const btTransform grip = btTransform::getIdentity();
    for (const auto first : {btPliantToolDynamics::Static, btPliantToolDynamics::Dynamic}) {
        const btPliantTool one(*ball, grip, staticHand(), first);
        EXPECT_THROW(btPliantTool(*ball, grip, staticHand(), btPliantToolDynamics::Static), Error);
        if (first == btPliantToolDynamics::Static)
            EXPECT_THROW(btPliantTool(*ball, grip, staticHand()), Error);
        else
            EXPECT_NO_THROW(btPliantTool(*ball, grip, staticHand())) << "dynamic tools share a body";
    }
    EXPECT_NO_THROW(btPliantTool(*ball, grip, staticHand(), btPliantToolDynamics::Static)) << "all have let go";
}

// Of a tool with a mass the poses are those of the grip, of one without those of the centre of mass.
TEST(StaticToolInAWorld, GoesOnFromNumbersOfItsKindAlone) {
    TestWorld scene;
    btRigidBody* one = scene.addRigid(new btSphereShape(btScalar(kHeldBall)), 1.0, btVector3(0, 1, 0));
    btRigidBody* two = scene.addRigid(new btSphereShape(btScalar(kHeldBall)), 1.0, btVector3(1, 1, 0));
    const btTransform grip = btTransform::getIdentity();
    btPliantTool held(*one, grip, staticHand(), btPliantToolDynamics::Static), dynamic(*two, grip, staticHand());
    std::vector<double> ofStatic, ofDynamic;
    held.getNumbers(ofStatic);
    dynamic.getNumbers(ofDynamic);
    EXPECT_TRUE(held.acceptsNumbers(ofStatic));
    EXPECT_TRUE(dynamic.acceptsNumbers(ofDynamic));
    EXPECT_FALSE(held.acceptsNumbers(ofDynamic));
    EXPECT_FALSE(dynamic.acceptsNumbers(ofStatic));
}

// More damping than the device may have would be sent to a hand, and go by shares of the most: 1e200 N s/m never.
TEST(StaticToolInAWorld, GoesOnFromADampingThatItsDeviceMayHave) {
    TestWorld scene;
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(kHeldBall)), 1.0, btVector3(0, 1, 0));
    btPliantTool tool(*ball, btTransform::getIdentity(), staticHand());
    constexpr std::size_t place = 19;
    std::vector<double> numbers, again;
    tool.getNumbers(numbers);
    ASSERT_EQ(numbers.at(place), 0.0);
    const double most = staticHand().limits.deviceDamping;
    for (const double damping : {std::nextafter(most, 1e3), 1e200, -1e-9}) {
        numbers[place] = damping;
        EXPECT_FALSE(tool.acceptsNumbers(numbers)) << damping;
    }
    for (const double damping : {0.3 * most, most}) {
        numbers[place] = damping;
        ASSERT_TRUE(tool.acceptsNumbers(numbers)) << damping;
        tool.setNumbers(numbers);
        tool.getNumbers(again);
        EXPECT_EQ(again, numbers) << damping;
    }
}

// Friction that sticks lets a solid go by the mean velocity over a step: a tool whose velocity at the start of each
// is not what it has come with let the block climb, and dropped it.
TEST(StaticToolInAWorld, TwoHandsCarryASolidBlock) {
    TestWorld scene;
    SolidMaterial material;
    material.young = 1e6;
    material.density = 125;
    btPliantBody* block = scene.addBar(solidBox({0.2, 0.2, 0.2}, material, 0.1), btVector3(0, 0, 0), dampedCube());
    block->setFriction(1);
    std::vector<std::unique_ptr<btPliantTool>> tools;
    std::vector<ToolPose> devices;
    addPads(scene, 0.1205, tools, devices);
    for (int i = 0; i < 480; ++i) {
        for (std::size_t k = 0; k < 2; ++k) tools[k]->follow(&devices[k], btScalar(kStaticStep));
        scene.step(1, kStaticStep);
    }
    double carried = 0.0;
    for (auto& tool : tools) carried += tool->getWrench(btScalar(kStaticStep)).force.y();
    EXPECT_NEAR(carried, 9.81, 0.05);
    EXPECT_LT(block->getLinearVelocity().length(), btScalar(1e-2));
    EXPECT_LT(btFabs(block->getCenterOfMassPosition().y()), btScalar(0.01)) << "m";
    for (auto& tool : tools) scene.world.removeConstraint(tool.get());
}

}  // namespace
}  // namespace pliant::test
