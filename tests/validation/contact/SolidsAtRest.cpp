// SPDX-License-Identifier: Zlib
// Solids on the default path: they lie where they are seen, stand in stacks, slide and roll as rigid ones do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "SolidBodies.h"
#include "unit/bridge/TestWorld.h"

namespace pliant::test {
namespace {

constexpr double kSize = 0.2;  // m

std::shared_ptr<const ReducedModel> cube() {
    static const auto model = solidBox({kSize, kSize, kSize});
    return model;
}
std::shared_ptr<const ReducedModel> sphere() {
    static const auto model = solidSphere(0.1);
    return model;
}
std::shared_ptr<const ReducedModel> plate() {
    static const auto model = solidBox({0.4, 0.002, 0.3}, {2e9, 500, 6, 10, 40}, 0.025);
    return model;
}

btPliantBodyInfo damped() {
    btPliantBodyInfo info;
    info.m_damping.stiffness = 0.002;
    info.m_friction = btScalar(0.5);
    return info;
}

/// Degrees between the body's own up axis, turned as it lies, and the world's.
double tilt(const btPliantBody& body) {
    const btTransform mesh = body.getMeshTransform();
    double most = 0;
    for (int k = 0; k < 3; ++k) most = std::max(most, static_cast<double>(std::fabs(mesh.getBasis()[1][k])));
    return std::acos(std::min(1.0, most)) * 180 / 3.14159265358979323846;
}

TEST(SolidsAtRest, HaveAContactSurface) {
    EXPECT_TRUE(cube()->contactSurface.exists());
    EXPECT_TRUE(sphere()->contactSurface.exists());
    EXPECT_TRUE(plate()->contactSurface.exists());
    EXPECT_NEAR(cube()->contactSurface.thickness, 0.1, 0.002);
    EXPECT_NEAR(sphere()->contactSurface.thickness, 0.1, 0.002);
    EXPECT_NEAR(plate()->contactSurface.thickness, 0.001, 0.00002);
}

TEST(SolidsAtRest, ACubeLiesOnItsFace) {
    TestWorld scene;
    scene.addGround();
    btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(0.15), 0), damped());
    scene.step(360);
    const double height = static_cast<double>(body->getMeshTransform().getOrigin().y());
    EXPECT_NEAR(height, kSize / 2, 1e-3 * kSize);
    EXPECT_LT(tilt(*body), 0.05);
}

TEST(SolidsAtRest, APlateLiesOnTheGround) {
    TestWorld scene;
    scene.addGround();
    btPliantBody* body = scene.addBar(plate(), btVector3(0, btScalar(0.05), 0), damped());
    scene.step(480);
    const double height = static_cast<double>(body->getMeshTransform().getOrigin().y());
    EXPECT_NEAR(height, 0.001, 0.4e-3);
    EXPECT_LT(tilt(*body), 0.05);
}

struct Stack {
    double tilt = 0;      ///< degrees, the largest
    double height = 0;    ///< m, of the uppermost body's middle
    double sideways = 0;  ///< m, the farthest that a body is from its place
    int asleep = 0;
};

/// Cubes let fall onto each other. @param gap between them at the start, m
Stack settledStack(int count, double gap, double seconds, const std::shared_ptr<const ReducedModel>& model = cube()) {
    TestWorld scene;
    scene.addGround();
    std::vector<btPliantBody*> bodies;
    for (int i = 0; i < count; ++i) {
        const double height = kSize / 2 + gap / 2 + (kSize + gap) * i;
        bodies.push_back(scene.addBar(model, btVector3(0, static_cast<btScalar>(height), 0), damped()));
    }
    scene.step(static_cast<int>(120 * seconds));
    Stack stack;
    for (const btPliantBody* body : bodies) {
        const btVector3 place = body->getMeshTransform().getOrigin();
        stack.height = static_cast<double>(place.y());
        stack.sideways =
            std::max(stack.sideways, std::hypot(static_cast<double>(place.x()), static_cast<double>(place.z())));
        stack.tilt = std::max(stack.tilt, tilt(*body));
        stack.asleep += !body->isActive();
    }
    return stack;
}

TEST(SolidsAtRest, StacksStand) {
    for (const int count : {4, 6}) {
        const Stack stack = settledStack(count, 0.001, 10);
        EXPECT_NEAR(stack.height, kSize * (count - 0.5), 2e-3 * count * kSize);
        EXPECT_LT(stack.sideways, 0.01);
        EXPECT_EQ(stack.asleep, count);
    }
}

// How far a stack slips in the second in which it lands differs from one start to the next, and between processors: of
// 40 gaps from 0 to 4 mm the median is 2.7 mm, three are beyond 10 mm, and the largest is 25 mm, a quarter of what
// topples it; behind 3 s nothing has moved. Six are beyond 5 mm. At these rates five or more of twelve beyond 10 mm
// have a chance of 1 in 800, seven or more beyond 5 mm of 1 in 1,400. None may come near to falling over: half of what
// topples it.
TEST(SolidsAtRest, StacksOfTenStandAMinute) {
    std::vector<double> ways;
    for (int i = 0; i < 12; ++i) {
        const double gap = 0.2e-3 * i;
        const Stack stack = settledStack(10, gap, 60);
        EXPECT_NEAR(stack.height, kSize * 9.5, 2e-3 * 10 * kSize) << gap;
        EXPECT_LT(stack.sideways, kSize / 4) << gap;
        EXPECT_EQ(stack.asleep, 10) << gap;
        EXPECT_NEAR(stack.sideways, settledStack(10, gap, 5).sideways, 1e-3) << gap;
        ways.push_back(stack.sideways);
    }
    std::sort(ways.begin(), ways.end());
    EXPECT_LT(ways[5], 0.005);
    EXPECT_LT(ways[7], 0.01);
}

// The mesh of media: where two rounded edges lie on each other both surfaces curve away. Five of them leaned by 4
// degrees and 49 mm, two lay 2 mm too high, when a round point was held against the plane below it in place of the
// other surface.
TEST(SolidsAtRest, StacksOfCubesWithRoundedEdgesStand) {
    const auto rounded = solidOfFile(std::string(PLIANT_MEDIA_DIR) + "/solids/jelly.obj");
    for (const int count : {2, 5}) {
        const Stack stack = settledStack(count, 0.0005, 5, rounded);
        EXPECT_NEAR(stack.height, kSize * (count - 0.5), 2e-3 * count * kSize) << count;
        EXPECT_LT(stack.tilt, 0.3) << count;
        EXPECT_LT(stack.sideways, 0.005) << count;
        EXPECT_EQ(stack.asleep, count) << count;
    }
}

TEST(SolidsAtRest, FrictionHoldsACubeUpToItsAngle) {
    for (const double share : {0.99, 1.01, 1.2}) {
        TestWorld scene;
        const double tangent = 0.5 * share, angle = std::atan(tangent);
        scene.world.setGravity(btVector3(static_cast<btScalar>(9.81 * std::sin(angle)),
                                         static_cast<btScalar>(-9.81 * std::cos(angle)), 0));
        scene.addGround()->setFriction(1);
        btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(0.1), 0), damped());
        scene.step(120);
        const double before = static_cast<double>(body->getLinearVelocity().x());
        scene.step(120);
        const double acceleration = static_cast<double>(body->getLinearVelocity().x()) - before;
        const double expected = std::max(0.0, 9.81 * (std::sin(angle) - 0.5 * std::cos(angle)));
        EXPECT_NEAR(acceleration, expected, 0.02 * 9.81 * std::cos(angle) * 0.5);
    }
}

TEST(SolidsAtRest, ASphereRollsDownASlope) {
    for (const double degrees : {5.0, 20.0}) {
        TestWorld scene;
        const double angle = degrees * 3.14159265358979323846 / 180;
        scene.world.setGravity(btVector3(static_cast<btScalar>(9.81 * std::sin(angle)),
                                         static_cast<btScalar>(-9.81 * std::cos(angle)), 0));
        scene.addGround()->setFriction(1);
        btPliantBody* body = scene.addBar(sphere(), btVector3(0, btScalar(0.1), 0), damped());
        scene.step(120);
        const double I = sphere()->inertia.principalInertia.mean(), m = sphere()->totalMass();
        const double expected = 9.81 * std::sin(angle) / (1 + I / (m * 0.01));
        const double speed = static_cast<double>(body->getLinearVelocity().x());
        EXPECT_NEAR(speed, expected, 0.02 * expected);
    }
}

// From several starts, as their way is chaotic: sharp edges held two cubes 61 mm apart for good from one of them.
TEST(SolidsAtRest, TwoThatCoincidePart) {
    for (const double start : {0.006, 0.009, 0.010, 0.015}) {
        TestWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        btPliantBody* first = scene.addBar(cube(), btVector3(0, 0, 0), damped());
        btPliantBody* second = scene.addBar(cube(), btVector3(static_cast<btScalar>(start), 0, 0), damped());
        scene.step(240);
        const btVector3 way = first->getMeshTransform().getOrigin() - second->getMeshTransform().getOrigin();
        EXPECT_GT(static_cast<double>(way.length()), 0.195) << start;
        EXPECT_LT(static_cast<double>(way.length()), 0.22) << start;
    }
}

}  // namespace
}  // namespace pliant::test
