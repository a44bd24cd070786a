// SPDX-License-Identifier: Zlib
// Round sticks that fall into a cup and lean over its rim.
//
// A stick whose sides are two triangles from end to end had one segment as long as itself. The distance of that to the
// cup was asked at nine places alone, 22 mm from each other, and one of them could be a contact: a wall of 6 mm went
// into the stick unseen, and then it was held by the side of the wall that it had come through, for ever. With bricks
// as fine as here such a stick is a solid, unless segments are asked for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "SolidBodies.h"
#include "pliant/runtime/DefaultDamping.h"
#include "unit/bridge/TestWorld.h"

namespace pliant::test {
namespace {

constexpr double kStickStep = 1.0 / 240.0, kStickRadius = 0.006, kStickLength = 0.18;  // s, m
constexpr double kInnerRadius = 0.044, kOuterRadius = 0.05, kCupWall = kOuterRadius - kInnerRadius,
                 kCupHeight = 0.2;  // m

std::shared_ptr<const ReducedModel> tumbler() {
    SolidMaterial stiff;
    stiff.young = 1e9;
    stiff.density = 1000;
    static const auto cup = solidOfRevolution({{0, 0},
                                               {kOuterRadius, 0},
                                               {kOuterRadius, kCupHeight},
                                               {kInnerRadius, kCupHeight},
                                               {kInnerRadius, kCupWall},
                                               {0, kCupWall}},
                                              stiff);
    return cup;
}

std::shared_ptr<const ReducedModel> stick(ContactGeometry contact) {
    SolidMaterial wood;
    wood.young = 1e9;
    wood.density = 600;
    wood.contact = contact;
    return solidCylinder(kStickRadius, kStickLength, wood, 12);
}

/// m, from a place to a rectangle in the plane of radius and height, 0 inside.
double fromRectangle(double r, double z, const std::pair<double, double>& radii,
                     const std::pair<double, double>& heights) {
    const double beside = std::max({radii.first - r, r - radii.second, 0.0}),
                 above = std::max({heights.first - z, z - heights.second, 0.0});
    return std::hypot(beside, above);
}

/// How deep a stick is in the cup, m, by the places of both alone: they hardly bend.
double depthInCup(const btTransform& cup, const btTransform& stick) {
    constexpr int places = 100;
    double deepest = 0.0;
    for (int i = 0; i <= places; ++i) {
        const double along = (static_cast<double>(i) / places - 0.5) * (kStickLength - 2.0 * kStickRadius);
        const btVector3 x = cup.inverse() * (stick * btVector3(0, btScalar(along), 0));
        const double r = std::hypot(static_cast<double>(x.x()), static_cast<double>(x.y())),
                     z = static_cast<double>(x.z());
        const double distance = std::min(fromRectangle(r, z, {kInnerRadius, kOuterRadius}, {0.0, kCupHeight}),
                                         fromRectangle(r, z, {0.0, kOuterRadius}, {0.0, kCupWall}));
        // Not a number is deep, too.
        if (!(kStickRadius - distance <= deepest)) deepest = kStickRadius - distance;
    }
    return deepest;
}

struct Fallen {
    double deepest = 0.0;  ///< m
    int inside = 0;        ///< sticks whose middle is in the cup
    int putBack = 0;       ///< bodies, once a step
};

/// Three layers of nine sticks that stand above the cup, a little beside each other, fall for a second and a half.
Fallen fallIntoTheCup(const std::shared_ptr<const ReducedModel>& stick, unsigned seed) {
    TestWorld scene;
    scene.addGround()->setFriction(btScalar(0.5));
    btPliantBodyInfo info;
    info.m_friction = btScalar(0.5);
    info.m_damping = defaultDamping(*tumbler(), kStickStep);
    const btPliantBody* cup = scene.addBar(tumbler(), btVector3(0, btScalar(0.5 * kCupHeight), 0), info,
                                           btQuaternion(btVector3(1, 0, 0), -SIMD_HALF_PI));
    info.m_damping = defaultDamping(*stick, kStickStep);
    std::mt19937 generator(seed);
    const auto chance = [&] { return 2.0 * static_cast<double>(generator()) / 4294967295.0 - 1.0; };
    std::vector<const btPliantBody*> sticks;
    for (int i = 0; i < 27; ++i) {
        const int layer = i / 9;
        const double x = 0.025 * (i % 3 - 1) + 0.004 * chance(), z = 0.025 * (i / 3 % 3 - 1) + 0.004 * chance();
        const btQuaternion tilt(btVector3(btScalar(chance()), 0, btScalar(chance() + 2e-9)).normalized(),
                                btScalar(0.09 * chance()));
        const btVector3 place(btScalar(x), btScalar(0.32 + 0.2 * layer), btScalar(z));
        sticks.push_back(scene.addBar(stick, place, info, tilt));
    }
    Fallen fallen;
    for (int step = 0; step < 360; ++step) {
        scene.step(1, kStickStep);
        fallen.putBack += scene.system->getStats().m_restoredBodies;
    }
    for (const btPliantBody* each : sticks) {
        const double depth = depthInCup(cup->getMeshTransform(), each->getMeshTransform());
        if (!(depth <= fallen.deepest)) fallen.deepest = depth;
        const btVector3 middle = cup->getMeshTransform().inverse() * each->getCenterOfMassPosition();
        fallen.inside += std::hypot(middle.x(), middle.y()) < btScalar(kInnerRadius) && middle.z() > 0 &&
                         middle.z() < btScalar(kCupHeight);
    }
    return fallen;
}

// The cup's sides stand in by 0.1 mm of the circle, the stick's by 0.2 mm, and contacts are a few hundredths deep.
// Before, the middle lines of sticks were in the wall.
TEST(SticksInACup, StayOutOfItsWall) {
    const auto segments = stick(ContactGeometry::Segments);
    for (const unsigned seed : {1u, 2u}) {
        const Fallen fallen = fallIntoTheCup(segments, seed);
        EXPECT_LT(fallen.deepest, 5e-4) << "seed " << seed;
        EXPECT_GE(fallen.inside, 5) << "seed " << seed;
    }
}

// Contacts without a direction in the middle of a tube put such sticks back (PointsInABeaker).
TEST(SticksInACup, StayOutOfItsWallAsSolids) {
    const auto solid = stick(ContactGeometry::Automatic);
    ASSERT_GT(solid->contactSurface.shell.areas.size(), 0) << "it has more segments than its surface has points";
    for (const unsigned seed : {1u, 2u}) {
        const Fallen fallen = fallIntoTheCup(solid, seed);
        EXPECT_LT(fallen.deepest, 5e-4) << "seed " << seed;
        EXPECT_GE(fallen.inside, 5) << "seed " << seed;
        EXPECT_EQ(fallen.putBack, 0) << "seed " << seed;
    }
}

}  // namespace
}  // namespace pliant::test
