// SPDX-License-Identifier: Zlib
// A world whose steps change in length: what the solver starts from are forces, not impulses.
#include <gtest/gtest.h>

#include "TestWorld.h"
#include "btPliant/btPliantJoints.h"

namespace {

using pliant::test::makeBar;
using pliant::test::TestWorld;

double impulseOnGround(TestWorld& scene, const btRigidBody* ground) {
    double sum = 0;
    for (int i = 0; i < scene.dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold* manifold = scene.dispatcher.getManifoldByIndexInternal(i);
        if (manifold->getBody0() != ground && manifold->getBody1() != ground) continue;
        for (int k = 0; k < manifold->getNumContacts(); ++k)
            sum += static_cast<double>(manifold->getContactPoint(k).getAppliedImpulse());
    }
    return sum;
}

// With a single iteration there is next to nothing but what it starts from.
TEST(StepChange, AStackStandsOnInLongerAndInShorterSteps) {
    for (const double then : {1.0 / 60, 1.0 / 2000}) {
        TestWorld scene;
        const btRigidBody* ground = scene.addGround();
        double weight = 0;
        for (int i = 0; i < 3; ++i) {
            btPliantBodyInfo info;
            info.m_damping.mass = 4;
            info.m_damping.stiffness = 2e-3;
            btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, btScalar(0.051 + 0.1 * i), 0), info);
            bar->forceActivationState(DISABLE_DEACTIVATION);
            weight += 9.81 / static_cast<double>(bar->getInvMass());
        }
        scene.step(1500, 1.0 / 480);
        EXPECT_NEAR(impulseOnGround(scene, ground), weight / 480, 0.02 * weight / 480);
        scene.world.getSolverInfo().m_numIterations = 1;
        scene.world.getSolverInfo().m_warmstartingFactor = 1;
        scene.step(1, then);
        EXPECT_NEAR(impulseOnGround(scene, ground), weight * then, 0.1 * weight * then);
    }
}

TEST(StepChange, AJointHoldsOnInLongerSteps) {
    TestWorld scene;
    btPliantBodyInfo info;
    info.m_damping.mass = 4;
    info.m_damping.stiffness = 2e-3;
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 2, 0), info);
    bar->forceActivationState(DISABLE_DEACTIVATION);
    btPliantPoint2PointConstraint joint(*bar, btVector3(btScalar(0.3), btScalar(-0.2), btScalar(0.1)));  // its centre
    scene.world.addConstraint(&joint);
    scene.step(1500, 1.0 / 480);
    const double weight = 9.81 / static_cast<double>(bar->getInvMass());
    EXPECT_NEAR(static_cast<double>(joint.getLinearImpulse().length()), weight / 480, 0.02 * weight / 480);
    scene.world.getSolverInfo().m_numIterations = 0;  // nothing but what it starts from
    scene.world.getSolverInfo().m_warmstartingFactor = 1;
    scene.step(1, 1.0 / 60);
    EXPECT_NEAR(static_cast<double>(joint.getLinearImpulse().length()), weight / 60, 0.1 * weight / 60);
    scene.world.removeConstraint(&joint);
}

}  // namespace
