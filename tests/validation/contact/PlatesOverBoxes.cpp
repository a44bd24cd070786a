// SPDX-License-Identifier: Zlib
// Thin plates that land on a floor of boxes side by side, and slide on over the seams between them.
#include <BulletCollision/CollisionDispatch/btGhostObject.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "SolidBodies.h"
#include "unit/bridge/TestWorld.h"

namespace pliant::test {
namespace {

const Vector3 kSlidingPlate(0.4, 0.004, 0.24);                       // m
constexpr double kFloorLength = 4.0, kDuration = 0.6, kFall = 0.02;  // m, s, m

struct Landing {
    double speed = 1.0, step = 1.0 / 240.0;  ///< m/s, s
    double tilt = 0.0, yaw = 0.0;            ///< rad
};

/// A floor in the plane y = 0 from boxes of some length, without friction.
struct BoxFloor {
    BoxFloor(TestWorld& scene, double length)
        : world(scene.world), box(btVector3(btScalar(0.5 * length), btScalar(0.5), 2)) {
        const int count = static_cast<int>(std::lround(kFloorLength / length));
        for (int i = 0; i < count; ++i) {
            bodies.push_back(std::make_unique<btRigidBody>(
                btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &box, btVector3(0, 0, 0))));
            const auto middle = static_cast<btScalar>((i + 0.5) * length - 0.5 * kFloorLength);
            bodies.back()->setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(middle, -0.5, 0)));
            bodies.back()->setFriction(0);
            world.addRigidBody(bodies.back().get());
        }
    }
    ~BoxFloor() {
        for (const auto& body : bodies) world.removeRigidBody(body.get());
    }

    btDiscreteDynamicsWorld& world;
    btBoxShape box;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
};

/// How far a plate comes in 0.6 s, m, that falls 2 cm onto boxes of some length. @param most set to the largest upward
/// velocity of it, m/s
double comesFar(const std::shared_ptr<const ReducedModel>& plate, double boxLength, const Landing& landing,
                double& most) {
    TestWorld scene;
    const BoxFloor floor(scene, boxLength);
    btPliantBodyInfo info;
    info.m_damping.stiffness = 1e-3;
    info.m_friction = 0;
    info.m_linearVelocity = btVector3(btScalar(landing.speed), 0, 0);
    constexpr double start = -1.5;
    const btQuaternion turned = btQuaternion(btVector3(0, 1, 0), btScalar(landing.yaw)) *
                                btQuaternion(btVector3(0, 0, 1), btScalar(landing.tilt));
    const double height = kFall + 0.5 * kSlidingPlate.x() * std::abs(std::sin(landing.tilt));
    const btPliantBody* body = scene.addBar(plate, btVector3(btScalar(start), btScalar(height), 0), info, turned);
    most = 0.0;
    for (int i = 0; i < static_cast<int>(kDuration / landing.step); ++i) {
        scene.step(1, landing.step);
        most = std::max(most, static_cast<double>(body->getLinearVelocity().y()));
    }
    return static_cast<double>(body->getCenterOfMassPosition().x()) - start;
}

std::vector<Landing> landings(double tilt) {
    std::vector<Landing> all;
    for (const double yaw : {0.0, 0.3, 0.8})
        for (const double speed : {1.0, 2.5})
            for (const double step : {1.0 / 60.0, 1.0 / 240.0}) all.push_back({speed, step, tilt, yaw});
    return all;
}

// Before, all of them were stopped at the first seams, after 60 to 440 mm. A plate that has bent comes down with one
// corner first, and beside a seam that costs speed: which of them lose some is chance, and others do on another
// processor. All together lose no more of their way than one does whose corner is stopped dead at the start: of a plate
// of the sides a (along its way) and b that is free, the share 1 / (1 + 3 b^2 / (a^2 + b^2)) of its speed, 0.56.
TEST(PlatesOverBoxes, GoOnWhereTheyLandFlat) {
    SolidMaterial stiff;
    stiff.young = 2e9;
    const auto plate = solidBox(kSlidingPlate, stiff);
    const std::vector<Landing> all = landings(0.0);
    double kept = 0.0;
    for (const Landing& landing : all) {
        double thrown = 0.0;
        const double share = comesFar(plate, 0.1, landing, thrown) / (landing.speed * kDuration);
        kept += share / static_cast<double>(all.size());
        EXPECT_LT(thrown, std::sqrt(2.0 * 9.81 * kFall)) << landing.speed << " m/s: it goes up no faster than it came";
    }
    const double a = kSlidingPlate.x(), b = kSlidingPlate.z();
    const double corner = 1.0 / (1.0 + 3.0 * b * b / (a * a + b * b));
    EXPECT_GT(kept, 1.0 - corner / static_cast<double>(all.size()));
}

// A corner that comes down in a step has the side of a box ahead of it more often than not; some are still stopped.
// Where they are is chance, and another one on another processor: the mean is asked for, which was 0.29.
TEST(PlatesOverBoxes, MostlyGoOnWhereTheyFallOnACorner) {
    SolidMaterial stiff;
    stiff.young = 2e9;
    const auto plate = solidBox(kSlidingPlate, stiff);
    double share = 0.0;
    int count = 0;
    for (const double tilt : {0.1, -0.1, 0.5, -0.5})
        for (const Landing& landing : landings(tilt)) {
            double thrown = 0.0;
            share += comesFar(plate, 0.1, landing, thrown) / (landing.speed * kDuration);
            ++count;
        }
    EXPECT_GT(share / count, 0.7);
}

/// How low the middle of a plate comes that falls onto one box of 20 mm, m. @param around what else is there
double fallsTo(const std::shared_ptr<const ReducedModel>& plate, double speed, double step, btCollisionObject& around) {
    TestWorld scene;
    btBoxShape box(btVector3(1, btScalar(0.01), 1));
    btRigidBody floor(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &box));
    floor.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, btScalar(-0.01), 0)));
    scene.world.addRigidBody(&floor);
    scene.world.addCollisionObject(&around);
    btPliantBodyInfo info;
    info.m_damping.stiffness = 1e-3;
    info.m_linearVelocity = btVector3(0, btScalar(-speed), 0);
    const btPliantBody* body = scene.addBar(plate, btVector3(0, btScalar(0.02), 0), info);
    double lowest = 1.0;
    for (int i = 0; i < static_cast<int>(0.2 / step); ++i) {
        scene.step(1, step);
        lowest = std::min(lowest, static_cast<double>(body->getCenterOfMassPosition().y()));
    }
    scene.world.removeCollisionObject(&around);
    scene.world.removeRigidBody(&floor);
    return lowest;
}

// A region that only tells who is in it stops nothing, so nothing slides on it.
TEST(PlatesOverBoxes, AreHeldByTheFloorWithinARegion) {
    SolidMaterial stiff;
    stiff.young = 2e9;
    const auto plate = solidBox(kSlidingPlate, stiff);
    btBoxShape region(btVector3(btScalar(1.1), btScalar(0.5), btScalar(1.1)));
    for (const double top : {0.3, 0.005})  // m, above the floor: around the plate from the start, or entered on its way
        for (const double speed : {0.5, 3.0, 6.0})
            for (const double step : {1.0 / 60.0, 1.0 / 240.0}) {
                btGhostObject ghost;
                ghost.setCollisionShape(&region);
                ghost.setCollisionFlags(ghost.getCollisionFlags() | btCollisionObject::CF_NO_CONTACT_RESPONSE);
                ghost.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, btScalar(top - 0.5), 0)));
                EXPECT_GT(fallsTo(plate, speed, step, ghost), -0.002)
                    << top << ' ' << speed << " m/s, steps of " << step << " s";
            }
}

}  // namespace
}  // namespace pliant::test
