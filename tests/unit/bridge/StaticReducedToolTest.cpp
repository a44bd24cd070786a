// SPDX-License-Identifier: Zlib
// A reduced body as a static tool: its frame has no weight and no inertia, and its deformation lives by what it meets.
#include <gtest/gtest.h>

#include "CubeModel.h"
#include "StaticHand.h"
#include "pliant/math/Error.h"

namespace pliant::test {
namespace {

/// A soft bar of 0.3 m along y without gravity, its upper end gripped, above a slab that is fixed and lies below y = 0.
struct HeldBar {
    TestWorld scene;
    btPliantBody* bar = nullptr;

    HeldBar() {
        scene.world.setGravity(btVector3(0, 0, 0));
        scene.addGround()->setFriction(0);  // which would hold the foot together, as it came to be
        SolidMaterial material;
        material.young = 3e5;
        static const auto model = solidBox({0.1, 0.3, 0.1}, material, 0.05);
        btPliantBodyInfo info = dampedCube();
        info.m_damping.mass = 10.0;
        bar = scene.addBar(model, btVector3(0, btScalar(0.1505), 0), info);
    }
};

// It is at the device after a step, and neither the way there, nor a turn, nor weight bends it.
TEST(StaticReducedToolInAWorld, IsWhereTheDeviceIsAndBendsByWhatItMeetsAlone) {
    TestWorld scene;
    SolidMaterial material;
    material.young = 3e5;
    btPliantBody* bar = scene.addBar(solidBox({0.1, 0.3, 0.1}, material, 0.05), btVector3(0, 1, 0));
    btPliantTool tool(*bar, btTransform::getIdentity(), staticHand(), btPliantToolDynamics::Static);
    scene.world.addConstraint(&tool);
    const ToolPose start = tool.getGripPose();
    EXPECT_LT(stepHeld(scene, tool, start, 200).force.norm(), 1e-3) << "N: it has no weight";
    for (int i = 1; i <= 60; ++i) {
        ToolPose device = start;
        device.position += i % 2 * Vector3(0.003, -0.002, 0.001);
        device.rotation = Rotation(Eigen::AngleAxisd(0.04 * i, Vector3::UnitY())) * start.rotation;
        stepHeld(scene, tool, device, 1);
        EXPECT_LT((tool.getGripPose().position - device.position).norm(), 1e-5) << i;
        EXPECT_LT(tool.getGripPose().rotation.angularDistance(device.rotation), 2e-3) << i;
    }
    EXPECT_LT(bar->getReducedCoordinates().norm(), 1e-9) << "m sqrt(kg)";
    scene.world.removeConstraint(&tool);
}

// At rest a static tool and one with a mass obey the same statics: place, force, and the deformation that carries it.
TEST(StaticReducedToolInAWorld, RestsAsADynamicOneDoes) {
    Wrench felt[2];
    VectorX bent;
    double height[2] = {};
    for (const int k : {0, 1}) {
        HeldBar held;
        const auto dynamics = k == 0 ? btPliantToolDynamics::Static : btPliantToolDynamics::Dynamic;
        const btTransform grip = held.bar->getMeshTransform().inverse() * held.bar->getCenterOfMassTransform();
        HandSettings settings = staticHand(2000.0);
        settings.coupling.torqueStiffness =
            500.0;  // with 10 N m the bar topples: k_T / 2 is less than F times half of it
        btPliantTool tool(*held.bar, grip, settings, dynamics);
        held.scene.world.addConstraint(&tool);
        const ToolPose device = deviceAt(tool.getGripPose().position - Vector3(0, 0.02, 0));
        felt[k] = stepHeld(held.scene, tool, device, 900);
        if (k == 0) bent = held.bar->getReducedCoordinates();
        height[k] = static_cast<double>(held.bar->getCenterOfMassPosition().y());
        EXPECT_LT(held.bar->getLinearVelocity().length(), btScalar(1e-3)) << k;
        held.scene.world.removeConstraint(&tool);
    }
    EXPECT_GT(felt[0].force.y(), 15.0) << "N";
    EXPECT_NEAR(felt[0].force.y(), felt[1].force.y(), 0.01 * felt[1].force.y());
    EXPECT_NEAR(height[0], height[1], 2e-4) << "m";
    EXPECT_NEAR(felt[0].force.y(), 2000.0 * (height[0] - (0.1505 - 0.02)), 0.01 * felt[0].force.y()) << "F = k y";
    // The coupling holds the frame, which is all of its mass alike: it is bent as by a weight of F.
    HeldBar standing;
    const double weight = felt[0].force.y() / standing.bar->getModel().totalMass();
    standing.bar->setGravity(btVector3(0, btScalar(-weight), 0));
    standing.scene.world.setGravity(btVector3(0, btScalar(-weight), 0));
    standing.scene.step(900, kStaticStep);
    EXPECT_GT(bent.norm(), 1e-4) << "m sqrt(kg): it gives way";
    EXPECT_LT((bent - standing.bar->getReducedCoordinates()).norm(), 0.05 * bent.norm());
}

// The impulses that a free block gets are those of the coupling, though the tool gives way.
TEST(StaticReducedToolInAWorld, PassesItsMomentumWhole) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btRigidBody* block = scene.addRigid(new btBoxShape(btVector3(btScalar(0.2), btScalar(0.1), btScalar(0.2))), 2.0,
                                        btVector3(0, btScalar(-0.1), 0));
    SolidMaterial material;
    material.young = 3e5;
    btPliantBody* bar =
        scene.addBar(solidBox({0.1, 0.3, 0.1}, material, 0.05), btVector3(0, btScalar(0.1505), 0), dampedCube());
    btPliantTool tool(*bar, btTransform::getIdentity(), staticHand(), btPliantToolDynamics::Static);
    scene.world.addConstraint(&tool);
    ToolPose device = tool.getGripPose();
    device.position.y() -= 0.004;
    Vector3 given = Vector3::Zero();
    for (int i = 0; i < 60; ++i) {
        stepHeld(scene, tool, device, 1);
        given += kStaticStep * tool.getWrench(btScalar(kStaticStep)).force;
    }
    EXPECT_LT(given.y(), -0.02) << "N s";
    EXPECT_NEAR(2.0 * static_cast<double>(block->getLinearVelocity().y()), given.y(), 0.01 * std::abs(given.y()));
    scene.world.removeConstraint(&tool);
}

// By distributed contact: springs of coupling, layer and the bar itself behind each other.
TEST(StaticReducedToolInAWorld, PressesByDistributedContactAndStaysAtRest) {
    HeldBar held;
    btPliantTouchSettings touch;
    touch.m_stiffness = 2e6;
    touch.m_points = 5000;
    held.scene.system->setTouch(*held.bar, nullptr, touch);
    HandSettings settings = staticHand(2000.0);
    settings.coupling.torqueStiffness = 500.0;
    btPliantTool tool(*held.bar, btTransform::getIdentity(), settings, btPliantToolDynamics::Static);
    held.scene.world.addConstraint(&tool);
    ToolPose device = tool.getGripPose();
    device.position.y() -= 0.02;
    const Wrench felt = stepHeld(held.scene, tool, device, 600);
    btPliantContactPatch patch;
    ASSERT_TRUE(held.scene.system->getContactPatch(*held.bar, *held.scene.world.getCollisionObjectArray()[0], patch));
    EXPECT_GT(felt.force.y(), 15.0) << "N";
    EXPECT_NEAR(static_cast<double>(patch.m_force.y()), felt.force.y(), 0.01 * felt.force.y());
    EXPECT_GT(held.bar->getReducedCoordinates().norm(), 1e-4) << "m sqrt(kg)";
    EXPECT_LT(held.bar->getReducedVelocities().norm(), 1e-3);
    held.scene.world.removeConstraint(&tool);
}

// Two reduced tools without mass carry a block by friction.
TEST(StaticReducedToolInAWorld, TwoHandsCarryABlock) {
    TestWorld scene;
    btRigidBody* block =
        scene.addRigid(new btBoxShape(btVector3(btScalar(0.1), btScalar(0.1), btScalar(0.1))), 1.0, btVector3(0, 0, 0));
    block->setFriction(1);
    SolidMaterial material;
    material.young = 1e6;
    const auto model = solidBox({0.1, 0.1, 0.1}, material, 0.05);
    std::vector<std::unique_ptr<btPliantTool>> tools;
    std::vector<ToolPose> devices;
    for (const double side : {-1.0, 1.0}) {
        btPliantBody* pad = scene.addBar(model, btVector3(btScalar(side * 0.1505), 0, 0), dampedCube());
        pad->setFriction(1);
        HandSettings settings = staticHand();
        settings.coupling.torqueStiffness = 500.0;
        tools.push_back(
            std::make_unique<btPliantTool>(*pad, btTransform::getIdentity(), settings, btPliantToolDynamics::Static));
        scene.world.addConstraint(tools.back().get());
        devices.push_back(tools.back()->getGripPose());
        devices.back().position.x() -= side * 0.02;
    }
    double carried = 0.0;
    for (int i = 0; i < 480; ++i) {
        for (std::size_t k = 0; k < 2; ++k) tools[k]->follow(&devices[k], btScalar(kStaticStep));
        scene.step(1, kStaticStep);
        carried = 0.0;
        for (auto& tool : tools) carried += tool->getWrench(btScalar(kStaticStep)).force.y();
    }
    EXPECT_NEAR(carried, 9.81, 0.2);
    EXPECT_LT(block->getLinearVelocity().length(), btScalar(1e-2));
    EXPECT_GT(static_cast<double>(block->getCenterOfMassPosition().y()), -0.012)
        << "m: weight over both springs is 5 mm";
    for (auto& tool : tools) scene.world.removeConstraint(tool.get());
}

// Its own mass and inertia are there again once it is let go.
TEST(StaticReducedToolInAWorld, LeavesItsBodyAsItWas) {
    TestWorld scene;
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 1, 0));
    const double mass = bar->getModel().totalMass();
    {
        btPliantTool tool(*bar, btTransform::getIdentity(), staticHand(), btPliantToolDynamics::Static);
        scene.world.addConstraint(&tool);
        stepHeld(scene, tool, tool.getGripPose(), 5);
        scene.world.removeConstraint(&tool);
    }
    EXPECT_NEAR(1.0 / static_cast<double>(bar->getInvMass()), mass, 1e-6 * mass);
    const double turning = bar->getModel().inertia.principalInertia.maxCoeff();
    bar->setAngularVelocity(btVector3(0, 0, 1));
    scene.step(1, kStaticStep);
    EXPECT_LT(bar->getAngularMomentum().length(), btScalar(1.01 * turning)) << "kg m^2/s: of its own inertia";
    EXPECT_GT(bar->getAngularMomentum().length(), btScalar(0.9 * bar->getModel().inertia.principalInertia.minCoeff()));
    EXPECT_LT(bar->getLinearVelocity().y(), btScalar(-0.05)) << "m/s: it falls";
}

TEST(StaticReducedToolInAWorld, IsNoneWhoseFrameIsHeld) {
    TestWorld scene;
    btPliantBodyInfo kinematic;
    kinematic.m_kinematic = true;
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 1, 0), kinematic);
    EXPECT_THROW(btPliantTool(*bar, btTransform::getIdentity(), staticHand(), btPliantToolDynamics::Static), Error);
}

}  // namespace
}  // namespace pliant::test
