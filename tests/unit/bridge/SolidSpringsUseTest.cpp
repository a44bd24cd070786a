// SPDX-License-Identifier: Zlib
// Penalty contact of solids: where springs by area apply, and what they do with bodies that others move.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>

#include "BarPoints.h"
#include "CubeModel.h"
#include "btPliant/data/ManifoldPoint.h"
#include "pliant/runtime/IntegratorTraits.h"

namespace pliant::test {
namespace {

btScalar stiffnessOf(double share, double h) {
    return static_cast<btScalar>(share * cube()->totalMass() / (h * h));
}

// A spring of h^2 k / m >> 1 may stop a body within one step, and then holds all of its energy while nothing moves:
// what it gives back in the next step is no divergence. Where in the step it touches decides whether it does.
TEST(SolidSpringsUse, AStiffReboundIsNoDivergence) {
    constexpr double h = 1.0 / 120.0, speed = 2.0;
    constexpr int phases = 60;
    for (const double share : {1e2, 1e4, 1e6})
        for (int i = 0; i < phases; ++i) {
            TestWorld scene;
            scene.world.setGravity(btVector3(0, 0, 0));
            scene.addGround();
            btPliantBodyInfo info;
            info.m_linearVelocity = btVector3(0, btScalar(-speed), 0);
            const double gap = h * speed * (1.0 + static_cast<double>(i) / phases);
            btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(kCubeSize / 2 + gap), 0), info);
            body->setContactStiffnessAndDamping(stiffnessOf(share, h), 0);
            for (int k = 0; k < 6; ++k) {
                scene.step(1, h);
                ASSERT_NE(body->getStatus(), BodyStatus::RestoredLastState) << share << " phase " << i << " step " << k;
            }
            EXPECT_GT(body->getLinearVelocity().y(), 0.0) << share << " phase " << i;
        }
}

/// Points of all manifolds, and how many of them are springs by area.
struct PointCount {
    int all = 0, springs = 0;
};

PointCount countPoints(TestWorld& scene) {
    PointCount count;
    for (int m = 0; m < scene.dispatcher.getNumManifolds(); ++m) {
        const btPersistentManifold& manifold = *scene.dispatcher.getManifoldByIndexInternal(m);
        for (int i = 0; i < manifold.getNumContacts(); ++i) {
            ++count.all;
            if (btPliantInternal::isSurfaceSpring(manifold.getContactPoint(i))) ++count.springs;
        }
    }
    return count;
}

// The law of the springs takes it that an impulse moves modes by half a step of what it changes their velocities by.
// Others have the penalty of strands, each of whose contacts has the stiffness that was asked for.
TEST(SolidSpringsUse, AreOfIntegratorsThatMoveByHalfAStep) {
    for (const auto& [integrator, gamma, areSprings] :
         {std::tuple(Integrator::Newmark, 0.5, true), std::tuple(Integrator::Newmark, 0.7, false),
          std::tuple(Integrator::Analytic, 0.5, true), std::tuple(Integrator::Static, 0.5, false),
          std::tuple(Integrator::CentralDifferences, 0.5, false)}) {
        constexpr double h = 1.0 / 4800.0;  // resolves the cube's modes, as CentralDifferences needs
        TestWorld scene;
        scene.addGround();
        btPliantBodyInfo info = dampedCube();
        info.m_integrator = integrator;
        info.m_newmark.gamma = gamma;
        btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(kCubeSize / 2), 0), info);
        body->setContactStiffnessAndDamping(btScalar(1e4), btScalar(100));
        body->forceActivationState(DISABLE_DEACTIVATION);
        scene.step(480, h);
        const PointCount count = countPoints(scene);
        const std::string which = std::string(traitsOf(integrator).name) + ", gamma " + std::to_string(gamma);
        EXPECT_GT(count.all, 0) << which;
        EXPECT_EQ(count.springs, areSprings ? count.all : 0) << which;
        EXPECT_NE(body->getStatus(), BodyStatus::RestoredLastState) << which;
    }
}

}  // namespace
}  // namespace pliant::test
