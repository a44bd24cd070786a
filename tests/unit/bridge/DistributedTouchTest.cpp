// SPDX-License-Identifier: Zlib
// Distributed contact in a Bullet world: depths that are known in closed form, friction, third law, energy.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "TestWorld.h"
#include "pliant/math/Error.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

constexpr double kGravity = 9.81;  // m/s^2
constexpr double kEdge = 0.2;      // m, of the cube
constexpr double kBall = 0.1;      // m, of the sphere

SolidMaterial stiff() {
    SolidMaterial material;
    material.young = 1e9;
    return material;
}

std::shared_ptr<const ReducedModel> stiffCube() {
    static const auto model = solidBox({kEdge, kEdge, kEdge}, stiff(), 0.1);
    return model;
}

std::shared_ptr<const ReducedModel> stiffSphere() {
    static const auto model = solidSphere(kBall, stiff());
    return model;
}

btPliantBodyInfo restful() {
    btPliantBodyInfo info;
    info.m_damping.stiffness = 1e-4;
    info.m_friction = btScalar(1);
    return info;
}

btPliantTouchSettings layer(double stiffness, double damping) {
    btPliantTouchSettings settings;
    settings.m_stiffness = stiffness;
    settings.m_damping = damping;
    settings.m_points = 2000;
    return settings;
}

/// Depth of a resting body on the ground, m. @param height of its centre of mass where it just touches
double restingDepth(const std::shared_ptr<const ReducedModel>& model, double height,
                    const btPliantTouchSettings& settings, btPliantContactPatch& patch) {
    TestWorld scene;
    btRigidBody* ground = scene.addGround();
    btPliantBody* body = scene.addBar(model, btVector3(0, static_cast<btScalar>(height), 0), restful());
    scene.system->setTouch(*body, nullptr, settings);
    scene.step(600, 1.0 / 240.0);  // a ball that stood on a corner of its triangles has rolled onto one by then
    EXPECT_LT(body->getLinearVelocity().length(), 2e-3) << "round bodies rock on their triangles";
    EXPECT_TRUE(scene.system->getContactPatch(*body, *ground, patch));
    EXPECT_EQ(scene.system->getStatus(), "");
    return height - static_cast<double>(body->getCenterOfMassPosition().y());
}

TEST(DistributedTouch, ACubeSinksByItsWeightOverStiffnessAndArea) {
    const double weight = stiffCube()->totalMass() * kGravity, stiffness = 2e6;
    btPliantContactPatch patch;
    const double depth = restingDepth(stiffCube(), kEdge / 2, layer(stiffness, 0.02), patch);
    EXPECT_NEAR(depth, weight / (stiffness * kEdge * kEdge), 0.01 * depth);
    EXPECT_NEAR(patch.m_force.y(), weight, 1e-3 * weight);
    EXPECT_NEAR(patch.m_area, kEdge * kEdge, 1e-6);
    EXPECT_NEAR(patch.m_depth, depth, 0.02 * depth);
    EXPECT_NEAR(patch.m_centroid.x(), 0, 1e-3);
    double force = 0;
    for (const auto& point : patch.m_points) force += point.m_pressure * point.m_area * point.m_normal.y();
    EXPECT_NEAR(force, weight, 1e-3 * weight);
}

// A polyhedron of 1,280 triangles within the sphere: its corners are as far out as this, its faces 0.3 % less.
TEST(DistributedTouch, ASphereSinksByTheVolumeOfItsCap) {
    const double weight = stiffSphere()->totalMass() * kGravity, depth = 0.01;
    const double stiffness = weight / (M_PI * depth * depth * (kBall - depth / 3));
    btPliantContactPatch patch;
    EXPECT_NEAR(restingDepth(stiffSphere(), kBall, layer(stiffness, 0.02), patch), depth, 0.04 * depth);
}

TEST(DistributedTouch, EveryLawCarriesTheWeight) {
    const double weight = stiffCube()->totalMass() * kGravity, pressure = weight / (kEdge * kEdge), depth = 1e-3;
    btPliantContactPatch patch;
    btPliantTouchSettings hertz = layer(pressure / std::sqrt(depth), 0.02);
    hertz.m_law = btPliantPressureLaw::Hertz;
    EXPECT_NEAR(restingDepth(stiffCube(), kEdge / 2, hertz, patch), depth, 0.02 * depth);
    btPliantTouchSettings stiffening = layer(pressure / depth / 2, 0.02);
    stiffening.m_law = btPliantPressureLaw::Stiffening;
    stiffening.m_maxDepth = 2 * depth;
    EXPECT_NEAR(restingDepth(stiffCube(), kEdge / 2, stiffening, patch), depth, 0.02 * depth);
}

TEST(DistributedTouch, FrictionHoldsASlopeWithoutCreepAndSlidesOnASteeperOne) {
    for (const bool slides : {false, true}) {
        TestWorld scene;
        const double angle = slides ? 0.7 : 0.3, friction = 0.5;
        const btVector3 normal(static_cast<btScalar>(std::sin(angle)), static_cast<btScalar>(std::cos(angle)), 0);
        scene.addRigid(new btStaticPlaneShape(normal, 0), 0, btVector3(0, 0, 0));
        btPliantBody* body = scene.addBar(stiffCube(), normal * btScalar(kEdge / 2), restful(),
                                          btQuaternion(btVector3(0, 0, 1), static_cast<btScalar>(-angle)));
        btPliantTouchSettings settings = layer(1e7, 0.01);
        settings.m_friction = static_cast<btScalar>(friction);
        scene.system->setTouch(*body, nullptr, settings);
        btPliantContactSensorInfo watched;
        watched.m_of = {body};
        const btPliantContactSensor* sensor = scene.system->createContactSensor(watched);
        scene.step(120, 1.0 / 240.0);
        const btVector3 start = body->getCenterOfMassPosition(), velocity = body->getLinearVelocity();
        scene.step(240, 1.0 / 240.0);
        const auto way = static_cast<double>((body->getCenterOfMassPosition() - start).length());
        if (slides) {
            const double speed = static_cast<double>((body->getLinearVelocity() - velocity).length());
            EXPECT_NEAR(speed, kGravity * (std::sin(angle) - friction * std::cos(angle)), 0.03 * speed);
        } else {
            EXPECT_LT(way, 1e-5);
            // The weight, of which the slope's sine is friction.
            const double weight = stiffCube()->totalMass() * kGravity;
            EXPECT_NEAR(static_cast<double>(sensor->getForce().y()), weight, 1e-3 * weight);
            EXPECT_LT(std::fabs(static_cast<double>(sensor->getForce().x())), 1e-3 * weight);
            EXPECT_NEAR(static_cast<double>(sensor->getFrictionImpulse().length()) * 240.0, weight * std::sin(angle),
                        1e-2 * weight);
        }
    }
}

// Two cubes thrown at each other without gravity: what one gets the other loses.
TEST(DistributedTouch, BothSolidsGetOppositeWrenches) {
    for (const bool twoWay : {false, true}) {
        TestWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        btPliantBodyInfo left, right;
        left.m_linearVelocity = btVector3(1, 0, 0);
        left.m_angularVelocity = btVector3(0, 1, 2);
        right.m_linearVelocity = btVector3(-1, btScalar(0.1), 0);
        btPliantBody* a = scene.addBar(stiffCube(), btVector3(btScalar(-0.13), 0, 0), left,
                                       btQuaternion(btVector3(1, 1, 0).normalized(), btScalar(0.5)));
        btPliantBody* b = scene.addBar(stiffCube(), btVector3(btScalar(0.13), btScalar(0.05), 0), right);
        btPliantTouchSettings settings = layer(1e8, 0);
        settings.m_twoWay = twoWay;
        scene.system->setTouch(*a, b, settings);
        scene.system->setTouch(*b, a, settings);
        const auto momentum = [&] { return btVector3(linearMomentum(*a) + linearMomentum(*b)); };
        const btVector3 linear = momentum(), angular = totalAngularMomentum(scene);
        const double energy = scene.system->getStats().totalEnergy();
        double touched = 0;
        for (int i = 0; i < 400; ++i) {
            scene.step(1, 1e-3);
            btPliantContactPatch onA;
            if (!scene.system->getContactPatch(*a, *b, onA)) continue;
            touched = std::max(touched, static_cast<double>(onA.m_force.length()));
            EXPECT_LT(scene.system->getStats().totalEnergy(), energy * (1 + 1e-4)) << i;
        }
        const double precision = doublePrecision ? 1e-9 : 1e-4;
        EXPECT_GT(touched, 100.0);
        EXPECT_LT((momentum() - linear).length(), precision);
        EXPECT_LT((totalAngularMomentum(scene) - angular).length(), precision);
        EXPECT_LT(a->getLinearVelocity().x(), 0) << "they have bounced";
    }
}

TEST(DistributedTouch, NoStiffnessGainsEnergy) {
    SolidMaterial soft;
    soft.young = 1e6;
    const auto model = solidBox({0.3, 0.1, 0.1}, soft, 0.05);
    for (const double stiffness : {1e5, 1e8, 1e13}) {
        TestWorld scene;
        scene.addGround();
        btPliantBody* body = scene.addBar(model, btVector3(0, btScalar(0.3), 0), btPliantBodyInfo(),
                                          btQuaternion(btVector3(0, 0, 1), btScalar(0.4)));
        btPliantTouchSettings settings = layer(stiffness, 0);
        settings.m_friction = 0;
        scene.system->setTouch(*body, nullptr, settings);
        const double start = scene.system->getStats().totalEnergy();
        double most = 0;
        for (int i = 0; i < 300; ++i) {
            scene.step(1, 1.0 / 240.0);
            most = std::max(most, scene.system->getStats().totalEnergy() / start);
        }
        EXPECT_LT(most, 1.002) << stiffness;
        EXPECT_GT(body->getCenterOfMassPosition().y(), -0.1) << stiffness;
    }
}

TEST(DistributedTouch, APairHasFourManifoldPointsAtMost) {
    TestWorld scene;
    scene.addGround();
    btPliantBody* body = scene.addBar(stiffCube(), btVector3(0, btScalar(kEdge / 2), 0), restful());
    scene.system->setTouch(*body, nullptr, layer(1e7, 0.01));
    scene.step(100);
    ASSERT_EQ(scene.dispatcher.getNumManifolds(), 1);
    const btPersistentManifold& manifold = *scene.dispatcher.getManifoldByIndexInternal(0);
    EXPECT_EQ(manifold.getNumContacts(), 4);
    double impulse = 0;
    for (int i = 0; i < manifold.getNumContacts(); ++i)
        impulse += static_cast<double>(manifold.getContactPoint(i).m_appliedImpulse);
    EXPECT_NEAR(impulse, stiffCube()->totalMass() * kGravity / 120, 1e-3);
    scene.system->clearTouch(*body, nullptr);
    scene.step(200);
    EXPECT_NEAR(body->getCenterOfMassPosition().y(), kEdge / 2, 1e-3) << "everyday contact takes over";
}

TEST(DistributedTouch, WithWhatHasNoFieldTouchesAsBeforeAndSaysSo) {
    btVector3 places[2];
    for (const bool asks : {false, true}) {
        TestWorld scene;
        btTriangleMesh mesh;
        mesh.addTriangle(btVector3(-5, 0, -5), btVector3(0, 0, 5), btVector3(5, 0, -5));
        scene.addRigid(new btBvhTriangleMeshShape(&mesh, true), 0, btVector3(0, 0, 0));
        btPliantBody* body = scene.addBar(stiffCube(), btVector3(0, btScalar(kEdge / 2), 0), restful());
        if (asks) scene.system->setTouch(*body, nullptr, layer(1e7, btScalar(0.01)));
        scene.step(60);
        places[asks ? 1 : 0] = body->getCenterOfMassPosition();
        const bool isTold =
            scene.system->getStatus().find("a triangles is touched as without setTouch()") != std::string::npos;
        EXPECT_EQ(isTold, asks) << scene.system->getStatus();
    }
    EXPECT_EQ((places[1] - places[0]).length(), 0) << "the same bits";
}

TEST(DistributedTouch, WhatIsLiftedOffPressesOnNothing) {
    TestWorld scene;
    btRigidBody* ground = scene.addGround();
    btPliantBody* body = scene.addBar(stiffCube(), btVector3(0, static_cast<btScalar>(kEdge / 2), 0), restful());
    scene.system->setTouch(*body, nullptr, layer(2e6, 0.02));
    btPliantContactSensorInfo watched;
    watched.m_of = {body};
    const btPliantContactSensor* sensor = scene.system->createContactSensor(watched);
    scene.step(100, 1.0 / 240.0);
    btPliantContactPatch patch;
    ASSERT_TRUE(scene.system->getContactPatch(*body, *ground, patch));
    EXPECT_GT(patch.m_force.y(), 1);
    body->setLinearVelocity(btVector3(0, 2, 0));
    scene.step(2, 1.0 / 240.0);  // 16 mm: their boxes overlap as yet
    ASSERT_TRUE(scene.system->getContactPatch(*body, *ground, patch));
    EXPECT_EQ(patch.m_force.length(), 0);
    EXPECT_EQ(patch.m_area, 0);
    EXPECT_TRUE(patch.m_points.empty());
    EXPECT_EQ(sensor->getForce().length(), 0);
}

TEST(DistributedTouch, SettingsOutOfRangeAreRefused) {
    TestWorld scene;
    btPliantBody* strand = scene.addBar(makeBar(), btVector3(0, 1, 0));
    EXPECT_THROW(scene.system->setTouch(*strand, nullptr, layer(1e7, 0)), Error);
    btPliantBody* body = scene.addBar(stiffCube(), btVector3(0, 3, 0));
    EXPECT_THROW(scene.system->setTouch(*body, nullptr, layer(0, 0)), Error);
    EXPECT_THROW(scene.system->setTouch(*body, nullptr, layer(1e7, -1)), Error);
    btPliantTouchSettings settings = layer(1e7, 0);
    settings.m_levels = 9;
    EXPECT_THROW(scene.system->setTouch(*body, nullptr, settings), Error);
    settings = layer(1e7, 0);
    settings.m_points = 4000001;
    EXPECT_THROW(scene.system->setTouch(*body, nullptr, settings), Error);
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double none : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity})
        for (double btPliantTouchSettings::*number :
             {&btPliantTouchSettings::m_stiffness, &btPliantTouchSettings::m_maxDepth,
              &btPliantTouchSettings::m_damping, &btPliantTouchSettings::m_budgetMicroseconds}) {
            settings = layer(1e7, 0);
            settings.*number = none;
            EXPECT_THROW(scene.system->setTouch(*body, nullptr, settings), Error) << none;
        }
    for (const double none : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity}) {
        settings = layer(1e7, 0);
        settings.m_friction = static_cast<btScalar>(none);
        EXPECT_THROW(scene.system->setTouch(*body, nullptr, settings), Error) << none;
    }
    scene.system->setTouch(*body, nullptr, layer(1e7, 0));
}

// Nothing moves but the size of a shape: what rests near it is looked at anew.
TEST(DistributedTouch, AShapeThatGrowsIsFelt) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    constexpr double radius = 0.05, gap = 1e-3, depth = 2e-3;  // m
    auto* sphere = new btSphereShape(btScalar(radius));
    const btRigidBody* ball = scene.addRigid(sphere, 0, btVector3(0, 0, 0));
    btPliantBody* body = scene.addBar(stiffCube(), btVector3(0, btScalar(radius + gap + kEdge / 2), 0));
    body->setActivationState(DISABLE_DEACTIVATION);
    scene.system->setTouch(*body, ball, layer(1e7, 0));
    scene.step(30, 1.0 / 240.0);
    btPliantContactPatch patch;
    EXPECT_FALSE(scene.system->getContactPatch(*body, *ball, patch) && patch.m_area > 0);
    sphere->setUnscaledRadius(btScalar(radius + gap + depth));
    scene.step(1, 1.0 / 240.0);
    ASSERT_TRUE(scene.system->getContactPatch(*body, *ball, patch));
    EXPECT_GT(patch.m_force.y(), 0);
}

// Below what cells cost the coarsest points are taken whatever is near: the world says so, and what would be enough.
TEST(DistributedTouch, ABudgetBelowWhatCellsCostIsTold) {
    const auto told = [](double budget, bool twoWay) {
        TestWorld scene;
        btPliantTouchSettings settings = layer(1e6, 0.02);
        settings.m_budgetMicroseconds = budget;
        settings.m_twoWay = twoWay;
        for (const double height : {0.0999, 0.2998}) {
            btPliantBody* body = scene.addBar(stiffCube(), btVector3(0, static_cast<btScalar>(height), 0), restful());
            scene.system->setTouch(*body, nullptr, settings);
        }
        scene.step(2, 1.0 / 240.0);
        return scene.system->getStatus();
    };
    const std::string few = told(1, false);
    const std::size_t at = few.find("us is less than the ");
    ASSERT_NE(at, std::string::npos) << few;
    const double least = std::stod(few.substr(at + 20));
    EXPECT_GT(least, 1);
    EXPECT_NE(told(least - 1, false), "");
    EXPECT_EQ(told(least, false), "");
    EXPECT_EQ(told(0, false), "") << "any time";
    EXPECT_NE(told(least, true), "") << "two roles share it";
    EXPECT_EQ(told(2 * least, true), "");
}

std::vector<double> bitsOf(const TestWorld& scene) {
    std::vector<double> bits;
    for (int i = 0; i < scene.system->getNumBodies(); ++i) {
        const btPliantBody& body = *scene.system->getBody(i);
        for (int k = 0; k < 3; ++k) bits.push_back(static_cast<double>(body.getCenterOfMassPosition()[k]));
        for (int k = 0; k < 3; ++k) bits.push_back(static_cast<double>(body.getLinearVelocity()[k]));
        for (const double q : body.getReducedCoordinates()) bits.push_back(q);
    }
    return bits;
}

/// Two soft blocks on each other, both with points on the other, pushed sideways by less than slides; few points may be
/// looked at, so that levels change, too.
std::unique_ptr<TestWorld> pushedBlocks(int threads = 1, int islands = 1) {
    SolidMaterial soft;
    soft.young = 2e5;
    static const auto model = solidBox({0.3, 0.1, 0.1}, soft, 0.05);
    btPliantSystemInfo workers;
    workers.m_threads = threads;
    auto scene = std::make_unique<TestWorld>(workers);
    scene->world.getDispatchInfo().m_deterministicOverlappingPairs = true;
    scene->world.setGravity(btVector3(2, btScalar(-9.81), 0));
    scene->addGround();
    for (int i = 0; i < 2 * islands; ++i) {
        const double height = i % 2 == 0 ? 0.0505 : 0.1512;
        btPliantBody* body = scene->addBar(
            model, btVector3(0, static_cast<btScalar>(height), btScalar(0.3) * btScalar(i / 2)), restful());
        btPliantTouchSettings settings = layer(1e6, 0.02);
        settings.m_twoWay = true;
        settings.m_budgetMicroseconds = 400 + 300 * (i / 2);
        scene->system->setTouch(*body, nullptr, settings);
    }
    return scene;
}

// With straight bristles the blocks would start to slip again.
TEST(DistributedTouch, ARestoredWorldGoesOnWithTheSameBits) {
    const auto scene = pushedBlocks();
    scene->step(37, 1.0 / 240.0);
    std::vector<std::byte> blob;
    scene->system->saveState(blob);
    const std::vector<double> saved = bitsOf(*scene);
    scene->step(40, 1.0 / 240.0);
    const std::vector<double> bits = bitsOf(*scene);
    EXPECT_NE(bits, saved);
    ASSERT_EQ(scene->system->restoreState(blob.data(), blob.size()), pliant::StateStatus::Ok);
    EXPECT_EQ(bitsOf(*scene), saved);
    scene->step(40, 1.0 / 240.0);
    EXPECT_EQ(bitsOf(*scene), bits);
    const auto other = pushedBlocks();
    other->step(3, 1.0 / 240.0);
    ASSERT_EQ(other->system->restoreState(blob.data(), blob.size()), pliant::StateStatus::Ok);
    other->step(40, 1.0 / 240.0);
    EXPECT_EQ(bitsOf(*other), bits);
}

TEST(DistributedTouch, HasTheSameBitsForAnyNumberOfWorkers) {
    for (const int islands : {1, 5}) {
        std::vector<double> ofOne;
        for (const int threads : {1, 2, 4}) {
            const auto scene = pushedBlocks(threads, islands);
            scene->step(60, 1.0 / 240.0);
            std::set<int> tags;
            for (int i = 0; i < islands; ++i) {
                const btPliantBody &lower = *scene->system->getBody(2 * i), &upper = *scene->system->getBody(2 * i + 1);
                btPliantContactPatch patch;
                ASSERT_TRUE(scene->system->getContactPatch(lower, upper, patch));
                EXPECT_GT(patch.m_area, 0);
                tags.insert(lower.getIslandTag());
            }
            EXPECT_EQ(static_cast<int>(tags.size()), islands) << "towers are islands of their own";
            if (threads == 1) ofOne = bitsOf(*scene);
            EXPECT_EQ(bitsOf(*scene), ofOne) << threads;
        }
    }
}

}  // namespace
}  // namespace pliant::test
