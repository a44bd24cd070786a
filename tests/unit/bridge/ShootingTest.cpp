// SPDX-License-Identifier: Zlib
// Bodies that come far in a step: they stop at what they hit, whatever it is, and pass what they miss.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "TestWorld.h"
#include "btPliant/data/BodyData.h"
#include "pliant/collision/body/DeformedBody.h"

namespace {

using pliant::Vector3;
using pliant::test::BarOptions;
using pliant::test::doublePrecision;
using pliant::test::linearMomentum;
using pliant::test::makeBar;
using pliant::test::TestWorld;
using pliant::test::totalAngularMomentum;

constexpr double kThickness = 0.01;  // radius of the bars' segments, m

/// 40 cm long, 2 cm thick.
std::shared_ptr<const pliant::ReducedModel> thinBar() {
    BarOptions options;
    options.length = 0.4;
    options.halfThickness = kThickness;
    options.frequencies = {600, 600, 2000};
    return makeBar(options);
}

std::shared_ptr<const pliant::ReducedModel> heldBar() {
    BarOptions options;
    options.length = 0.4;
    options.halfThickness = kThickness;
    options.density = 4000;
    options.frequencies = {600, 600, 2000};
    options.anchored = true;
    return makeBar(options);
}

/// World y of the middle of a bar's axis.
double middle(const btPliantBody& body) {
    pliant::DeformedBody deformed(std::make_shared<pliant::CollisionModel>(body.getSharedModel()));
    pliant::RigidTransform frame;
    const btTransform& world = body.getWorldTransform();
    for (int row = 0; row < 3; ++row) {
        frame.translation[row] = static_cast<double>(world.getOrigin()[row]);
        for (int k = 0; k < 3; ++k) frame.rotation(row, k) = static_cast<double>(world.getBasis()[row][k]);
    }
    deformed.update(body.getReducedCoordinates().data(), frame);
    return deformed.segmentPoint(3, 1.0).y();
}

/// What stands at y = 0, up to 1 cm above it.
void addTarget(TestWorld& scene, const std::string& name) {
    const auto wall = btScalar(0.005);
    if (name == "plane") scene.addGround();
    if (name == "box") scene.addRigid(new btBoxShape(btVector3(1, wall, 1)), 0, btVector3(0, 0, 0));
    if (name == "cylinder") scene.addRigid(new btCylinderShapeZ(btVector3(wall, wall, 1)), 0, btVector3(0, 0, 0));
    if (name == "compound") {
        auto* compound = new btCompoundShape;
        scene.shapes.emplace_back(new btBoxShape(btVector3(1, wall, 1)));
        compound->addChildShape(btTransform(btQuaternion::getIdentity(), btVector3(0, wall, 0)),
                                scene.shapes.back().get());
        scene.addRigid(compound, 0, btVector3(0, 0, 0));
    }
    if (name == "held bar") {
        btPliantBodyInfo info;
        info.m_damping.stiffness = 1e-3;
        scene.addBar(heldBar(), btVector3(0, 0, btScalar(-0.02)), info, btQuaternion(btVector3(0, 1, 0), SIMD_HALF_PI));
    }
}

class Shooting : public testing::TestWithParam<std::tuple<std::string, double, double>> {};

TEST_P(Shooting, StopsAtTheTarget) {
    const auto [name, speed, step] = GetParam();
    for (int phase = 0; phase < 5; ++phase) {
        TestWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        std::unique_ptr<btTriangleMesh> mesh;
        if (name == "triangles") {
            mesh = std::make_unique<btTriangleMesh>();
            const btVector3 corner[4] = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
            mesh->addTriangle(corner[0], corner[1], corner[2]);
            mesh->addTriangle(corner[0], corner[2], corner[3]);
            scene.addRigid(new btBvhTriangleMeshShape(mesh.get(), true), 0, btVector3(0, 0, 0));
        }
        addTarget(scene, name);
        btPliantBodyInfo info;
        info.m_damping.stiffness = 1e-3;
        info.m_linearVelocity = btVector3(0, static_cast<btScalar>(-speed), 0);
        const double start = 1.0 + phase * 0.2 * speed * step;
        btPliantBody* bar = scene.addBar(thinBar(), btVector3(0, static_cast<btScalar>(start), 0), info);
        const int held = scene.system->getNumBodies() - 2;
        bool hit = false;
        for (int i = 0; i < static_cast<int>(1.5 * start / (speed * step)) + 10; ++i) {
            scene.step(1, step);
            const double floor = held >= 0 ? middle(*scene.system->getBody(held)) : 0.0;
            ASSERT_GT(middle(*bar), floor) << "phase " << phase << ", step " << i;
            hit = hit || bar->getLinearVelocity().y() > btScalar(-0.6 * speed);
        }
        EXPECT_TRUE(hit) << "phase " << phase;
    }
}

INSTANTIATE_TEST_SUITE_P(AtTargets, Shooting,
                         testing::Combine(testing::Values<std::string>("plane", "box", "cylinder", "compound",
                                                                       "triangles", "held bar"),
                                          testing::Values(5.0, 20.0, 80.0), testing::Values(1.0 / 60, 1.0 / 240)),
                         [](const auto& shot) {
                             std::string name = std::get<0>(shot.param);
                             for (char& c : name)
                                 if (c == ' ') c = '_';
                             return name + "_" + std::to_string(static_cast<int>(std::get<1>(shot.param))) + "_" +
                                    std::to_string(static_cast<int>(std::lround(1 / std::get<2>(shot.param))));
                         });

TEST(ShootingAt, ABallDoesNotPassAHeldBar) {
    for (const double speed : {5.0, 30.0}) {
        TestWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        btPliantBodyInfo info;
        info.m_damping.stiffness = 1e-3;
        const btPliantBody* bar = scene.addBar(heldBar(), btVector3(0, 0, 0), info);
        btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(0.01)), 0.02, btVector3(0, 1, 0));
        ball->setLinearVelocity(btVector3(0, static_cast<btScalar>(-speed), 0));
        for (int i = 0; i < static_cast<int>(1.5 * 60 / speed) + 5; ++i) {
            scene.step(1, 1.0 / 60);
            ASSERT_GT(ball->getWorldTransform().getOrigin().y(), middle(*bar)) << speed << ", step " << i;
        }
        EXPECT_GT(ball->getLinearVelocity().y(), -0.5 * speed);
    }
}

TEST(ShootingAt, ASpinningBarDoesNotPassAPost) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    // The bar turns in the plane of x and z about y; a thin post stands in the way of its end.
    scene.addRigid(new btCylinderShape(btVector3(btScalar(0.005), 1, btScalar(0.005))), 0,
                   btVector3(btScalar(0.15), 0, btScalar(-0.1)));
    btPliantBodyInfo info;
    info.m_damping.stiffness = 1e-3;
    info.m_angularVelocity = btVector3(0, 60, 0);  // 9 m/s where the post is
    const btPliantBody* bar = scene.addBar(thinBar(), btVector3(0, 0, 0), info);
    scene.step(4, 1.0 / 60);
    EXPECT_LT(bar->getAngularVelocity().y(), 30) << "it went through";
    EXPECT_GT(bar->getLinearVelocity().length(), 1) << "nothing pushed it away";
}

// Its end comes farther in a step than the whole bar is high, while its middle stays.
TEST(ShootingAt, ASpinningBarDoesNotPassAPlaneOrABarBesideIt) {
    for (const bool plane : {true, false}) {
        TestWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        btPliantBodyInfo info;
        info.m_damping.stiffness = 1e-3;
        if (plane)
            scene.addGround();
        else
            scene.addBar(heldBar(), btVector3(btScalar(0.12), btScalar(0.05), 0), info,
                         btQuaternion(btVector3(0, 1, 0), SIMD_HALF_PI));
        info.m_angularVelocity = btVector3(0, 0, -60);
        const btPliantBody* bar = scene.addBar(thinBar(), btVector3(0, btScalar(0.15), 0), info);
        scene.step(2, 1.0 / 60);
        EXPECT_GT(bar->getLinearVelocity().y(), 1) << "nothing has pushed it away";
        EXPECT_GT(bar->getAngularVelocity().z(), -40) << "it went through";
    }
}

TEST(ShootingAt, ADrivenPlaneTakesAlongWhatItReaches) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btRigidBody* plane = scene.addGround();
    plane->setCollisionFlags(plane->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    plane->setActivationState(DISABLE_DEACTIVATION);
    btPliantBodyInfo info;
    info.m_damping.stiffness = 1e-3;
    const btPliantBody* bar = scene.addBar(thinBar(), btVector3(0, btScalar(0.6), 0), info);
    for (int i = 1; i <= 10; ++i) {
        btTransform at = btTransform::getIdentity();
        at.getOrigin().setY(btScalar(i / 6.0));  // 40 m/s
        ASSERT_GT(middle(*bar), at.getOrigin().y()) << "it has not seen the plane come, step " << i;
        plane->setWorldTransform(at);
        scene.step(1, 1.0 / 240);
    }
    EXPECT_GT(bar->getLinearVelocity().y(), 30);
}

TEST(ShootingAt, NothingHappensToWhatMisses) {
    const btVector3 velocity(0, -40, 0);  // 67 cm a step
    const std::function<void(TestWorld&)> targets[] = {
        [](TestWorld& scene) {
            scene.addRigid(new btBoxShape(btVector3(btScalar(0.1), btScalar(0.1), 1)), 0,
                           btVector3(btScalar(0.36), 0, 0));
        },
        [](TestWorld& scene) { scene.addBar(thinBar(), btVector3(0, 0, btScalar(0.06))); },
        [](TestWorld& scene) { scene.addRigid(new btSphereShape(btScalar(0.1)), 1, btVector3(0, 0, btScalar(0.16))); },
    };
    for (const auto& target : targets) {
        TestWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        target(scene);
        btPliantBodyInfo info;
        info.m_linearVelocity = velocity;
        const btPliantBody* bar = scene.addBar(thinBar(), btVector3(0, 1, 0), info);
        scene.step(6, 1.0 / 60);
        EXPECT_LT(bar->getWorldTransform().getOrigin().y(), -2);
        EXPECT_LT((bar->getLinearVelocity() - velocity).length(), 1e-5);
        EXPECT_LT(bar->getAngularVelocity().length(), 1e-5);
        EXPECT_LT(bar->getReducedVelocities().norm(), 1e-5);
    }
}

// The broadphase pairs them all: a plane is everywhere, and its boxes are wide.
TEST(ShootingAt, WhatStaysApartLooksNowhere) {
    struct Case {
        double height, above, bends;  // of the bar that falls, of the other than it, m; q' of the other
        bool looks;
    };
    for (const Case& c : {Case{50, 0.1, 0, false}, Case{50, -0.1, 0, true}, Case{0.1, 0.1, 0, true},
                          Case{50, 0.1, 20, true}, Case{50, 5, 20, false}}) {
        TestWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        scene.addGround();
        btPliantBodyInfo info;
        info.m_linearVelocity = btVector3(0, -40, 0);  // 17 cm a step
        btPliantBody* falls = scene.addBar(thinBar(), btVector3(0, static_cast<btScalar>(c.height), 0), info);
        info.m_linearVelocity = btVector3(40, 0, 0);
        btPliantBody* other = scene.addBar(thinBar(), btVector3(0, static_cast<btScalar>(c.height + c.above), 0), info);
        other->setReducedVelocities(pliant::VectorX::Unit(3, 0) * c.bends);
        scene.world.getDispatchInfo().m_timeStep = btScalar(1.0 / 240);
        scene.world.performDiscreteCollisionDetection();
        EXPECT_EQ(scene.world.getPairCache()->getNumOverlappingPairs(), c.above < 1 ? 3 : 2) << c.height;
        EXPECT_EQ(btPliantInternal::dataOf(*falls).deformed->hasPrediction(), c.looks)
            << c.height << " " << c.above << " " << c.bends;
    }
}

// The ball passes; what the bar foresaw then does not hold any more.
TEST(ShootingAt, ABarAtRestSeesTheVelocityThatItIsGiven) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    scene.addRigid(new btBoxShape(btVector3(1, btScalar(0.005), 1)), 0, btVector3(0, 0, 0));
    btPliantBody* bar = scene.addBar(thinBar(), btVector3(0, btScalar(0.4), 0));
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(0.05)), 1, btVector3(0, btScalar(0.49), -1));
    ball->setLinearVelocity(btVector3(0, 0, 60));
    scene.step(1, 1.0 / 60);
    ASSERT_EQ(bar->getLinearVelocity().length(), 0);
    bar->setLinearVelocity(btVector3(0, -60, 0));
    for (int i = 0; i < 4; ++i) {
        scene.step(1, 1.0 / 60);
        ASSERT_GT(middle(*bar), 0) << i;
    }
}

TEST(ShootingAt, FreeBarsKeepMomentumAndTheirSides) {
    for (const double step : {1.0 / 60, 1.0 / 240}) {
        btPliantSystemInfo settings = TestWorld::oneThread();
        settings.m_penetrationRecovery = 0;
        TestWorld scene(settings);
        scene.world.setGravity(btVector3(0, 0, 0));
        btPliantBodyInfo info;
        info.m_damping.stiffness = 1e-3;
        info.m_linearVelocity = btVector3(3, -40, 0);
        info.m_angularVelocity = btVector3(0, 1, 2);
        const btPliantBody* upper = scene.addBar(thinBar(), btVector3(btScalar(-0.05), 1, 0), info);
        info.m_linearVelocity = btVector3(0, 15, btScalar(-1));
        const btPliantBody* lower =
            scene.addBar(thinBar(), btVector3(0, 0, 0), info, btQuaternion(btVector3(0, 1, 0), SIMD_HALF_PI));
        const btVector3 linear = linearMomentum(*upper) + linearMomentum(*lower), angular = totalAngularMomentum(scene),
                        before = linearMomentum(*upper);
        for (int i = 0; i < static_cast<int>(0.03 / step) + 2; ++i) {
            scene.step(1, step);
            ASSERT_GT(middle(*upper), middle(*lower)) << "step " << i << " of " << step;
        }
        EXPECT_GT((linearMomentum(*upper) - before).length(), 0.3 * before.length()) << "they did not meet";
        const double tolerance = doublePrecision ? 1e-9 : 2e-5;
        EXPECT_LT((linearMomentum(*upper) + linearMomentum(*lower) - linear).length(), tolerance * before.length());
        EXPECT_LT((totalAngularMomentum(scene) - angular).length(), tolerance * before.length());
    }
}

}  // namespace
