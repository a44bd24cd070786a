// SPDX-License-Identifier: Zlib
// A hand presses a ball into solids by distributed contact, and holds still: what the spring of the hand pulls by, what
// the patch tells and what the law says of the depth are one and the same.
#include <gtest/gtest.h>

#include <cmath>

#include "BarPoints.h"
#include "btPliant/btPliantTool.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

constexpr double kPressedBall = 0.05;    // m, radius
constexpr double kHandSpring = 2000.0;   // N/m
constexpr double kHandStep = 1.0 / 240;  // s
constexpr int kPressPoints = 20000;

struct Press {
    Vector3 force, torque;            ///< N and N m about the ball's centre, of the hand on the ball
    Vector3 patchForce, patchTorque;  ///< N and N m about the same place, of the body on the ball
    double springForce = 0, speed = 0, bent = 0;
    Vector3 ball;  ///< centre, m
    btPliantContactPatch patch;
};

/// @param over a place above the body @param behind m, of the device behind where the ball first touches
Press press(const std::shared_ptr<const ReducedModel>& model, const btVector3& over, double behind, double stiffness) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBodyInfo info;
    info.m_kinematic = true;
    info.m_damping.mass = 10;
    info.m_damping.stiffness = 1e-3;
    btPliantBody* body = scene.system->createBody(model, info);
    scene.world.addRigidBody(body);
    const btVector3 under = over - btVector3(0, 0, 10);
    btCollisionWorld::ClosestRayResultCallback ray(over, under);
    scene.world.rayTest(over, under, ray);
    EXPECT_TRUE(ray.hasHit());
    const btVector3 start = ray.m_hitPointWorld + btVector3(0, 0, btScalar(kPressedBall));
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(kPressedBall)), 0.2, start);

    btPliantTouchSettings touch;
    touch.m_stiffness = stiffness;
    touch.m_damping = 0.02;
    touch.m_points = kPressPoints;
    touch.m_friction = btScalar(0.8);
    scene.system->setTouch(*body, ball, touch);
    HandSettings settings;
    settings.coupling.stiffness = kHandSpring;
    settings.coupling.torqueStiffness = 20;
    settings.limits.deviceForce = settings.limits.deviceTorque = settings.limits.energyCredit = 1e6;
    Press result;
    btPliantTool tool(*ball, btTransform::getIdentity(), settings);
    scene.world.addConstraint(&tool);
    ToolPose device = tool.getGripPose();
    device.position.z() -= behind;
    for (int i = 0; i < 720; ++i) {
        tool.follow(&device, btScalar(kHandStep));
        scene.step(1, kHandStep);
        tool.feel(btScalar(kHandStep));
    }
    const Wrench wrench = tool.getWrench(btScalar(kHandStep));
    result.force = wrench.force;
    result.torque = wrench.torque;
    result.ball = tool.getGripPose().position;
    result.springForce = kHandSpring * (device.position - result.ball).norm();
    result.speed = static_cast<double>(ball->getLinearVelocity().length());
    result.bent = body->getReducedCoordinates().norm();
    EXPECT_TRUE(scene.system->getContactPatch(*body, *ball, result.patch));
    const btVector3 arm = body->getCenterOfMassPosition() - ball->getCenterOfMassPosition();
    const btVector3 onBall = -result.patch.m_force, torque = -result.patch.m_torque + arm.cross(onBall);
    for (int k = 0; k < 3; ++k) {
        result.patchForce[k] = static_cast<double>(onBall[k]);
        result.patchTorque[k] = static_cast<double>(torque[k]);
    }
    scene.world.removeConstraint(&tool);
    return result;
}

void expectBalance(const Press& p) {
    const double force = p.springForce;
    EXPECT_GT(force, 5.0) << "N";
    EXPECT_LT(p.speed, 1e-4);
    EXPECT_NEAR(p.force.norm(), force, 2e-3 * force) << "the hand's spring";
    EXPECT_LT((p.force + p.patchForce).norm(), 2e-3 * force) << "the patch";
    EXPECT_LT((p.torque + p.patchTorque).norm(), 2e-3 * force * kPressedBall);
}

/// Of a flat face that a ball has gone into by D, N: docs/distributed-contact.md.
double forceOnFlat(double stiffness, double D) {
    const double R = kPressedBall, a2 = 2 * R * D - D * D;
    return 2 * 3.14159265358979323846 * stiffness * (R * a2 / 2 - (R * R * R - std::pow(R - D, 3)) / 3);
}

TEST(HandPress, ABallSinksIntoAFaceByWhatItsStiffnessSays) {
    SolidMaterial stiff;
    stiff.young = 1e9;
    const auto cube = solidBox({0.2, 0.2, 0.2}, stiff, 0.1);
    for (const double stiffness : {1e7, 4e7}) {
        const Press p = press(cube, btVector3(0, 0, 5), 0.015, stiffness);
        expectBalance(p);
        const double depth = 0.1 + kPressedBall - p.ball.z();
        // The nearest point of the shell stands beside the pole: points are centroids of right-angled triangles of the
        // area A, no farther than sqrt(5) / 3 sqrt(2 A) from their vertices.
        const double area = 6 * 0.2 * 0.2 / kPressPoints, beside = std::sqrt(5.0) / 3.0 * std::sqrt(2.0 * area);
        EXPECT_LE(p.patch.m_depth, depth + 1e-5);
        EXPECT_GE(p.patch.m_depth, depth - beside * beside / (2.0 * kPressedBall) - 1e-5);
        EXPECT_NEAR(p.springForce, forceOnFlat(stiffness, depth), 0.03 * p.springForce) << stiffness;
    }
}

// The back is a saddle or a dome, but smooth: its gap to a ball is a quadratic form, so that the force goes with the
// square of the depth, F = pi k D^2 / sqrt(det), whatever the curvatures are.
TEST(HandPress, ACowIsPressedByTheSpringAndSinksByTheRootOfForceOverStiffness) {
    SolidMaterial rubber;
    rubber.young = 3e5;
    const auto cow = solidOfFile(PLIANT_MEDIA_DIR "/solids/cow.obj", rubber);
    double constant[2];
    for (int i = 0; i < 2; ++i) {
        const double stiffness = i == 0 ? 1e7 : 4e7;
        const Press p = press(cow, btVector3(btScalar(-0.1), 0, 5), 0.02, stiffness);
        expectBalance(p);
        EXPECT_GT(p.bent, 1e-4) << "it gives way, too";
        constant[i] = p.springForce / (stiffness * p.patch.m_depth * p.patch.m_depth);
    }
    EXPECT_NEAR(constant[1], constant[0], 0.15 * constant[0]);
}

}  // namespace
}  // namespace pliant::test
