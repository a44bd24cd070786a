// SPDX-License-Identifier: Zlib
// Penalty contact of solids: where springs by area apply, and what they do with bodies that others move.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
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
          std::tuple(Integrator::Analytic, 0.5, false), std::tuple(Integrator::Static, 0.5, false),
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

/// A cube on a box, with springs by area that it comes to rest on.
struct RestingCube {
    RestingCube() {
        ground = scene.addRigid(new btBoxShape(btVector3(1, btScalar(0.5), 1)), 0, btVector3(0, btScalar(-0.5), 0));
        body = scene.addBar(cube(), btVector3(0, btScalar(kCubeSize / 2), 0), dampedCube());
        body->forceActivationState(DISABLE_DEACTIVATION);
    }
    void soften() { body->setContactStiffnessAndDamping(btScalar(kStiffness), btScalar(200)); }
    /// m, under where the bodies would touch
    double depth() const {
        return kCubeSize / 2 + 0.5 +
               static_cast<double>(ground->getWorldTransform().getOrigin().y() - body->getCenterOfMassPosition().y());
    }
    void expectRest(const char* when) {
        scene.step(360);
        EXPECT_NEAR(depth(), kDepth, 0.05 * kDepth) << when;
    }

    static constexpr double kStiffness = 1e4;                                  // N/m
    const double kDepth = cube()->totalMass() * standardGravity / kStiffness;  // m
    TestWorld scene;
    btRigidBody* ground;
    btPliantBody* body;
};

// The depth of weight over stiffness, whatever the length of the step.
TEST(SolidSpringsUse, HoldABodyWhereItsWeightPutsIt) {
    for (const double h : {1.0 / 60.0, 1.0 / 240.0, 1.0 / 960.0}) {
        TestWorld scene;
        scene.addGround();
        btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(kCubeSize / 2), 0), dampedCube());
        body->setContactStiffnessAndDamping(btScalar(1e4), btScalar(200));
        body->forceActivationState(DISABLE_DEACTIVATION);
        const double answer = cube()->totalMass() * standardGravity / 1e4;
        for (const double until : {1.5, 3.0}) {
            scene.step(static_cast<int>(1.5 / h), h);
            const double depth = kCubeSize / 2 - static_cast<double>(body->getCenterOfMassPosition().y());
            EXPECT_NEAR(depth, answer, 0.05 * answer) << "1/" << std::round(1.0 / h) << " s, after " << until << " s";
        }
    }
}

// A pair that touches already gets the energy of what its user does to it, as one that is put together does.
TEST(SolidSpringsUse, PushOutWhatIsPutDeeperWhileItTouches) {
    for (const double way : {0.003, 0.03}) {
        RestingCube moved;
        moved.soften();
        moved.expectRest("before");
        btTransform place = moved.body->getCenterOfMassTransform();
        place.getOrigin() -= btVector3(0, btScalar(way), 0);
        moved.body->setCenterOfMassTransform(place);
        moved.expectRest("the body was moved");

        RestingCube raised;
        raised.soften();
        raised.expectRest("before");
        place = raised.ground->getWorldTransform();
        place.getOrigin() += btVector3(0, btScalar(way), 0);
        raised.ground->setWorldTransform(place);
        raised.scene.world.updateSingleAabb(raised.ground);
        raised.expectRest("the ground was raised");
    }
}

TEST(SolidSpringsUse, PushOutWhatGetsThePenaltyWhereItIsDeep) {
    RestingCube cube;
    btTransform place = cube.body->getCenterOfMassTransform();
    place.getOrigin() -= btVector3(0, btScalar(0.03), 0);
    cube.body->setCenterOfMassTransform(place);
    cube.scene.step(2);
    ASSERT_GT(cube.depth(), 0.01);
    cube.soften();
    cube.expectRest("softened");
}

// What a rejected step has left behind begins anew: without an account it would sink by its weight once more.
TEST(SolidSpringsUse, HoldABodyThatWasPutBack) {
    RestingCube cube;
    cube.soften();
    cube.expectRest("before");
    cube.body->applyCentralForce(btVector3(0, std::numeric_limits<btScalar>::quiet_NaN(), 0));
    cube.scene.step();
    EXPECT_EQ(cube.body->getStatus(), BodyStatus::RestoredLastState);
    cube.expectRest("put back");
}

// Four boxes in one object, over whose middle a cube stands, are as stiff as one box: a quarter of the cube on each.
TEST(SolidSpringsUse, OfACompoundAreAsStiffAsOfOneShape) {
    TestWorld scene;
    auto* floor = new btCompoundShape();
    constexpr double half = 0.1;
    auto* tile = new btBoxShape(btVector3(btScalar(half), btScalar(half), btScalar(half)));
    scene.shapes.emplace_back(tile);
    for (const double x : {-half, half})
        for (const double z : {-half, half})
            floor->addChildShape(btTransform(btQuaternion::getIdentity(),
                                             btVector3(static_cast<btScalar>(x), 0, static_cast<btScalar>(z))),
                                 tile);
    scene.addRigid(floor, 0, btVector3(0, btScalar(-half), 0));
    btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(kCubeSize / 2), 0), dampedCube());
    body->setContactStiffnessAndDamping(btScalar(1e4), btScalar(200));
    body->forceActivationState(DISABLE_DEACTIVATION);
    scene.step(360);
    const double depth = cube()->totalMass() * standardGravity / 1e4;
    const double found = kCubeSize / 2 - static_cast<double>(body->getCenterOfMassPosition().y());
    // Points on a seam touch both sides of it: of the nine or more in a row across the cube one for each seam, so that
    // it is stiffer by (1 + 1/9)^2 at most.
    EXPECT_GT(found, 0.81 * depth);
    // Points that are nearer to a seam than they are deep find their way out to it: both sides of both seams lack a rim
    // as wide as the depth at most.
    const double rims = 1 - 2 * found / kCubeSize;
    EXPECT_LT(found, 1.02 * depth / (rims * rims));
}

// m_contactCFM shares its memory with the stiffness in Bullet's points: rigid contacts leave it alone.
TEST(SolidSpringsUse, LeaveRigidContactsAlone) {
    TestWorld scene;
    scene.addGround();
    scene.addBar(cube(), btVector3(0, btScalar(kCubeSize / 2), 0), dampedCube());
    scene.step(2);
    ASSERT_GT(countPoints(scene).all, 0);
    for (int m = 0; m < scene.dispatcher.getNumManifolds(); ++m) {
        const btPersistentManifold& manifold = *scene.dispatcher.getManifoldByIndexInternal(m);
        for (int i = 0; i < manifold.getNumContacts(); ++i)
            EXPECT_EQ(manifold.getContactPoint(i).m_contactCFM, btScalar(0));
    }
}

}  // namespace
}  // namespace pliant::test
