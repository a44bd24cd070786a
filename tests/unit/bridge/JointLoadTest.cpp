// SPDX-License-Identifier: Zlib
// Loads that joints carry, against statics, and the load that breaks them.
#include <gtest/gtest.h>

#include "BarPoints.h"
#include "DenseAlgebra.h"
#include "btPliant/btPliantJoints.h"
#include "pliant/model/MaterialFrame.h"

namespace pliant::test {
namespace {

TEST(Joint, WeightOnATipBendsAsStaticsSays) {
    const auto model = makeBar(anchoredBar());
    TestWorld scene;
    btPliantBody* bar = scene.addBar(model, btVector3(0, 1, 0), dampedBar(20));
    const double mass = 1.0;
    btRigidBody* ball =
        scene.addRigid(new btSphereShape(btScalar(0.05)), mass, btVector3(btScalar(0.5), btScalar(0.6), 0));
    ball->setDamping(btScalar(0.5), btScalar(0.5));
    ball->forceActivationState(DISABLE_DEACTIVATION);
    btPliantPoint2PointConstraint hook(*bar, *ball, onBar(0.5), btVector3(0, btScalar(0.4), 0));
    scene.world.addConstraint(&hook, true);
    scene.step(1200);
    const btPliantBody* held = bar;
    const MaterialPoint tip = held->locate(onBar(0.5));
    const MatrixX U = interpolateBasis({tip}, model->basis);
    const Vector3 down(0, -standardGravity, 0);
    const VectorX expected = solved(model->energy.linearStiffness,
                                    model->inertia.translation.transpose() * down + mass * U.transpose() * down);
    ASSERT_GT((mass * U.transpose() * down).norm(), 0.5 * (model->inertia.translation.transpose() * down).norm());
    EXPECT_LT((bar->getReducedCoordinates() - expected).norm(), 2e-3 * expected.norm());
    const double weight = mass * standardGravity / 120;
    EXPECT_NEAR(hook.getLinearImpulse().y(), -weight, 2e-3 * weight) << "on the bar";
    EXPECT_NEAR(hook.getAppliedImpulse(), weight, 2e-3 * weight);
    scene.world.removeConstraint(&hook);
}

// A bracket: the couple of an eccentric weight bends too.
TEST(Joint, EccentricWeightBendsAsStaticsSays) {
    const auto model = makeBar(anchoredBar({200, 200, 400}));  // small angles
    TestWorld scene;
    btPliantBody* bar = scene.addBar(model, btVector3(0, 1, 0), dampedBar(20));
    const double mass = 0.4, arm = 0.8;
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(0.05)), mass, btVector3(btScalar(0.5 + arm), 1, 0));
    ball->setDamping(btScalar(0.5), btScalar(0.5));
    ball->forceActivationState(DISABLE_DEACTIVATION);
    btPliantFixedConstraint bracket(*bar, *ball, frameOnBar(0.5),
                                    btTransform(btMatrix3x3::getIdentity(), btVector3(btScalar(-arm), 0, 0)));
    scene.world.addConstraint(&bracket, true);
    scene.step(1200);
    const Vector3 force(0, -mass * standardGravity, 0), couple(0, 0, -mass * standardGravity * arm),
        down(0, -standardGravity, 0);
    RigidTransform frame;
    frame.translation = Vector3(0.8, -0.2, 0.1);
    const MaterialFrame tip(*model, bar->locate(onBar(0.5)), frame);
    VectorX load = model->inertia.translation.transpose() * down, withoutCouple = load;
    tip.addGeneralised(force, couple, load.data());
    tip.addGeneralised(force, Vector3::Zero(), withoutCouple.data());
    ASSERT_GT((load - withoutCouple).norm(), 0.1 * load.norm());
    const VectorX expected = solved(model->energy.linearStiffness, load);
    EXPECT_LT((bar->getReducedCoordinates() - expected).norm(), 1e-2 * expected.norm());
    EXPECT_NEAR(bracket.getAngularImpulse().z(), -mass * standardGravity * arm / 120,
                0.01 * mass * standardGravity * arm / 120);
    scene.world.removeConstraint(&bracket);
}

// Bullet's own rows hold these, and the joint tells what they carry all the same.
TEST(Joint, BetweenPlainBodiesTellsItsImpulse) {
    TestWorld scene;
    const double mass = 2.0, arm = 0.3, weight = mass * standardGravity / 120;
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(0.05)), mass, btVector3(0, 1, 0));
    btRigidBody* block = scene.addRigid(new btSphereShape(btScalar(0.05)), mass, btVector3(btScalar(1), 1, 0));
    for (btRigidBody* body : {ball, block}) body->forceActivationState(DISABLE_DEACTIVATION);
    btPliantPoint2PointConstraint hook(*ball, btVector3(0, btScalar(0.2), 0));
    btPliantFixedConstraint bracket(
        *block, btTransform(btMatrix3x3::getIdentity(), btVector3(static_cast<btScalar>(arm), 0, 0)));
    scene.world.addConstraint(&hook);
    scene.world.addConstraint(&bracket);
    scene.step(240);
    EXPECT_NEAR(static_cast<double>(hook.getLinearImpulse().y()), weight, 1e-3 * weight) << "on the ball";
    EXPECT_NEAR(static_cast<double>(hook.getAngularImpulse().length()), 0, 1e-3 * weight);
    EXPECT_NEAR(static_cast<double>(bracket.getLinearImpulse().y()), weight, 1e-3 * weight);
    EXPECT_NEAR(static_cast<double>(bracket.getAngularImpulse().z()), -weight * arm, 1e-2 * weight * arm);
    EXPECT_EQ(hook.getJointFeedback(), nullptr) << "the user has asked for none";
    btJointFeedback own;
    hook.setJointFeedback(&own);
    scene.step();
    EXPECT_NEAR(static_cast<double>(own.m_appliedForceBodyA.y()) / 120, weight, 1e-3 * weight);
    EXPECT_NEAR(static_cast<double>(hook.getLinearImpulse().y()), weight, 1e-3 * weight);
    EXPECT_EQ(hook.getJointFeedback(), &own);
    hook.setEnabled(false);
    scene.step();
    EXPECT_EQ(hook.getLinearImpulse().length(), 0) << "it holds nothing any more";
    scene.world.removeConstraint(&hook);
    scene.world.removeConstraint(&bracket);
}

TEST(Joint, BreaksAtItsThreshold) {
    const auto model = makeBar();
    const double weight = model->totalMass() * standardGravity / 120;
    TestWorld scene;
    // Straight down, so that nothing but its weight is on the joint.
    btPliantBody* bar = scene.addBar(model, btVector3(0, btScalar(-0.5), 0), dampedBar(20),
                                     btQuaternion(btVector3(0, 0, 1), btScalar(-SIMD_HALF_PI)));
    bar->forceActivationState(DISABLE_DEACTIVATION);
    btPliantPoint2PointConstraint hook(*bar, onBar(-0.5));
    scene.world.addConstraint(&hook);
    scene.step(360);
    EXPECT_NEAR(hook.getAppliedImpulse(), weight, 1e-3 * weight);
    hook.setBreakingImpulseThreshold(static_cast<btScalar>(1.02 * weight));
    scene.step(60);
    EXPECT_TRUE(hook.isEnabled());
    const double held = static_cast<double>(bar->getCenterOfMassPosition().y());
    EXPECT_NEAR(held, -0.5, 0.01);
    hook.setBreakingImpulseThreshold(static_cast<btScalar>(0.98 * weight));
    scene.step(1);
    EXPECT_FALSE(hook.isEnabled());
    EXPECT_NEAR(hook.getAppliedImpulse(), 0.98 * weight, 1e-3 * weight) << "cut off at the threshold";
    scene.step(60);
    EXPECT_NEAR(held - static_cast<double>(bar->getCenterOfMassPosition().y()), 0.5 * standardGravity * 0.25, 0.03);
    scene.world.removeConstraint(&hook);
}

}  // namespace
}  // namespace pliant::test
