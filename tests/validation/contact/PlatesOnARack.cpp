// SPDX-License-Identifier: Zlib
// A thin plate that comes down edge first on upright slats as thin as it is, tips over and slaps onto them with its
// face.
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "SolidBodies.h"
#include "unit/bridge/TestWorld.h"

namespace pliant::test {
namespace {

const Vector3 kRackPlate(0.3, 0.5, 0.003);  // m
constexpr double kSlatTop = 0.15;           // m

struct Rack {
    explicit Rack(TestWorld& scene)
        : world(scene.world), slat(btVector3(btScalar(0.0015), btScalar(0.05), btScalar(0.4))) {
        constexpr int slats = 6;
        for (int i = 0; i < slats; ++i) {
            bodies.push_back(
                std::make_unique<btRigidBody>(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &slat)));
            bodies.back()->setWorldTransform(
                btTransform(btQuaternion::getIdentity(), btVector3(btScalar(0.08 * i - 0.2), btScalar(0.1), 0)));
            world.addRigidBody(bodies.back().get());
        }
    }
    ~Rack() {
        for (const auto& body : bodies) world.removeRigidBody(body.get());
    }

    btDiscreteDynamicsWorld& world;
    btBoxShape slat;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
};

/// Height of the middle of a plate above the slats after two seconds, m.
double liesAbove(const std::shared_ptr<const ReducedModel>& plate, double step, double lean, double yaw) {
    TestWorld scene;
    scene.addGround();
    const Rack rack(scene);
    btPliantBodyInfo info;
    info.m_damping.stiffness = 1e-3;
    const btQuaternion turned =
        btQuaternion(btVector3(0, 1, 0), btScalar(yaw)) * btQuaternion(btVector3(1, 0, 0), btScalar(lean));
    const btPliantBody* body = scene.addBar(plate, btVector3(0, btScalar(kSlatTop + 0.3), 0), info, turned);
    scene.step(static_cast<int>(2.0 / step), step);
    return static_cast<double>(body->getMeshTransform().getOrigin().y()) - kSlatTop;
}

// The points of the plate are 20 mm apart, and it slaps down at 5 m/s: it is the points of the slats that hold it,
// looked for in fast steps as well. Of 18 plates all had slats in them.
TEST(PlatesOnARack, LieOnTheSlats) {
    SolidMaterial stiff;
    stiff.young = 2e9;
    stiff.density = 1500;
    const auto plate = solidBox(kRackPlate, stiff);
    for (const double step : {1.0 / 60.0, 1.0 / 120.0, 1.0 / 240.0})
        for (const double lean : {0.02, 0.1})
            for (const double yaw : {0.0, 0.05, 0.3})
                EXPECT_NEAR(liesAbove(plate, step, lean, yaw), 0.5 * kRackPlate.z(), 3e-4)
                    << "steps of " << step << " s, leaning by " << lean << ", turned by " << yaw;
}

}  // namespace
}  // namespace pliant::test
