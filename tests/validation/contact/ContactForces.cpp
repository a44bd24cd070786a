// SPDX-License-Identifier: Zlib
// Weights of what `pliant reduce` makes of meshes: a basket of strands, a cube, a thin plate, on a plane and on each
// other, as contact sensors tell them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ReducedOnce.h"
#include "SolidBodies.h"
#include "unit/bridge/TestWorld.h"

namespace pliant::test {
namespace {

std::shared_ptr<const ReducedModel> basket() {
    static const auto model = [] {
        ReduceOptions options;
        options.modes = 4;
        options.dimension = 6;
        options.voxels = 10;
        options.solid = false;
        options.youngsModulus = 2e6;
        options.poissonRatio = 0.3;
        options.density = 400;
        return reducedOnce(PLIANT_MEDIA_DIR "/basket/basket.obj", options);
    }();
    return model;
}
std::shared_ptr<const ReducedModel> cube() {
    static const auto model = solidBox({0.2, 0.2, 0.2});
    return model;
}
std::shared_ptr<const ReducedModel> plate() {
    static const auto model = solidBox({0.4, 0.002, 0.3}, {2e9, 500, 6, 10, 40}, 0.025);
    return model;
}

struct Weights {
    double lower = 0, upper = 0;  ///< N, of the bodies themselves, and what their momentum has changed by in a second
    btVector3 onUpper, onLower;   ///< N, of the one on the other; and of the ground on the lower one
};

btPliantContactSensor* watch(TestWorld& scene, btPliantBody* of, const btCollisionObject* with) {
    btPliantContactSensorInfo info;
    info.m_of = {of};
    info.m_with = {with};
    return scene.system->createContactSensor(info);
}

/// N, over the time since the last reset.
btVector3 mean(const btPliantContactSensor& sensor) {
    return sensor.getAccumulatedImpulse() / static_cast<btScalar>(sensor.getAccumulatedSeconds());
}

/// Two bodies come to rest on a ground and on each other; they stay awake. What is told is the mean of five seconds:
/// weight, and change of momentum in that time, which is m v of the frames, since the deformation of a free body has
/// none.
/// @param heights of the centres of mass, m @param upright -90 degrees about x for models that stand along z
Weights settle(const std::shared_ptr<const ReducedModel>& lower, const std::shared_ptr<const ReducedModel>& upper,
               double lowerHeight, double upperHeight, bool lowerStandsAlongZ) {
    TestWorld scene;
    btRigidBody* ground = scene.addGround();
    btPliantBodyInfo info;
    info.m_damping.mass = 2.0;
    info.m_damping.stiffness = 2e-3;
    info.m_rollingFriction = btScalar(0.01);
    const btQuaternion turned(btVector3(1, 0, 0), -SIMD_HALF_PI), straight = btQuaternion::getIdentity();
    btPliantBody* below = scene.addBar(lower, btVector3(0, static_cast<btScalar>(lowerHeight), 0), info,
                                       lowerStandsAlongZ ? turned : straight);
    btPliantBody* above = scene.addBar(upper, btVector3(0, static_cast<btScalar>(upperHeight), 0), info);
    for (btPliantBody* body : {below, above}) body->setActivationState(DISABLE_DEACTIVATION);
    btPliantContactSensor *onUpper = watch(scene, above, below), *onLower = watch(scene, below, ground);
    scene.step(600);
    onUpper->resetAccumulated();
    onLower->resetAccumulated();
    const auto momentum = [](const btPliantBody& body, double mass) {
        return mass * static_cast<double>(body.getLinearVelocity().y());
    };
    const double below0 = momentum(*below, lower->totalMass()), above0 = momentum(*above, upper->totalMass());
    scene.step(600);
    const auto seconds = static_cast<double>(onUpper->getAccumulatedSeconds());
    const double belowRate = (momentum(*below, lower->totalMass()) - below0) / seconds;
    const double aboveRate = (momentum(*above, upper->totalMass()) - above0) / seconds;
    EXPECT_GT(above->getCenterOfMassPosition().y(), below->getCenterOfMassPosition().y()) << "it lies on it";
    return {9.81 * lower->totalMass() + belowRate, 9.81 * upper->totalMass() + aboveRate, mean(*onUpper),
            mean(*onLower)};
}

void expectWeights(const Weights& w) {
    const double all = w.lower + w.upper;
    EXPECT_NEAR(w.onUpper.y(), w.upper, 1e-6 * w.upper);
    EXPECT_NEAR(w.onLower.y(), all, 1e-6 * all);
    EXPECT_LT(std::hypot(static_cast<double>(w.onLower.x()), static_cast<double>(w.onLower.z())), 1e-3 * all);
}

TEST(ContactForces, ACubeOnABasket) {
    expectWeights(settle(basket(), cube(), 0.2, 0.6, true));
}
TEST(ContactForces, ACubeOnACube) {
    expectWeights(settle(cube(), cube(), 0.1005, 0.301, false));
}
TEST(ContactForces, APlateOnACube) {
    expectWeights(settle(cube(), plate(), 0.1005, 0.203, false));
}
TEST(ContactForces, ACubeOnAPlate) {
    expectWeights(settle(plate(), cube(), 0.002, 0.104, false));
}

/// Root of the mean square of the vertical velocities of a cube of 4 kg and the plate of 0.12 kg that it stands on, in
/// shares of what gravity gives in a step, in the third and fourth second. Anchors of friction, split impulses and the
/// deformation of the plate, which the step does not resolve (omega h from 0.4 to 1,400), all have their part in it.
double tremor(double h) {
    TestWorld scene;
    scene.addGround();
    scene.world.getSolverInfo().m_numIterations = 50;
    btPliantBodyInfo info;
    info.m_damping.mass = 2.0;
    info.m_damping.stiffness = 2e-3;
    info.m_rollingFriction = btScalar(0.01);
    btPliantBody* below = scene.addBar(plate(), btVector3(0, btScalar(0.002), 0), info);
    btPliantBody* above = scene.addBar(cube(), btVector3(0, btScalar(0.104), 0), info);
    for (btPliantBody* body : {below, above}) body->setActivationState(DISABLE_DEACTIVATION);
    const int second = static_cast<int>(std::lround(1.0 / h));
    scene.step(2 * second, h);
    double sum = 0.0;
    for (int i = 0; i < 2 * second; ++i) {
        scene.step(1, h);
        for (const btPliantBody* body : {below, above})
            sum += std::pow(static_cast<double>(body->getLinearVelocity().y()), 2) / (4 * second);
    }
    return std::sqrt(sum) / (9.81 * h);
}

// The energy guard made the plate's free steps again, which contact forces had thrown and contacts would have answered:
// the two trembled by 0.2 to 0.4 of what gravity gives in a step, for ever, the more the better contacts were solved.
TEST(ContactForces, ACubeOnAPlateComesToRest) {
    for (const double h : {1.0 / 120.0, 1.0 / 240.0}) EXPECT_LT(tremor(h), 0.01) << h;
}

}  // namespace
}  // namespace pliant::test
