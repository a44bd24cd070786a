// SPDX-License-Identifier: Zlib
// Round sticks that fall into a cup and lean over its rim.
//
// A stick whose sides are two triangles from end to end had one segment as long as itself. The distance of that to the
// cup was asked at nine places alone, 22 mm from each other, and one of them could be a contact: a wall of 6 mm went
// into the stick unseen, and then it was held by the side of the wall that it had come through, for ever.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "SolidBodies.h"
#include "pliant/runtime/DefaultDamping.h"
#include "unit/bridge/TestWorld.h"

namespace pliant::test {
namespace {

constexpr double kStep = 1.0 / 240.0, kStickRadius = 0.006, kStickLength = 0.18;  // s, m

/// Inner radius 44 mm, wall 6 mm, 0.2 m high.
std::shared_ptr<const ReducedModel> tumbler() {
    SolidMaterial stiff;
    stiff.young = 1e9;
    stiff.density = 1000;
    static const auto cup =
        solidOfRevolution({{0, 0}, {0.05, 0}, {0.05, 0.2}, {0.044, 0.2}, {0.044, 0.006}, {0, 0.006}}, stiff);
    return cup;
}

std::shared_ptr<const ReducedModel> stick() {
    SolidMaterial wood;
    wood.young = 1e9;
    wood.density = 600;
    static const auto cylinder = solidCylinder(kStickRadius, kStickLength, wood, 12);
    return cylinder;
}

/// m, by which a contact of two objects says that one is in the other, at most.
double deepestContact(btDispatcher& dispatcher, const btCollisionObject* a) {
    double deepest = 0.0;
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
        if (manifold.getBody0() != a && manifold.getBody1() != a) continue;
        for (int k = 0; k < manifold.getNumContacts(); ++k)
            deepest = std::max(deepest, -static_cast<double>(manifold.getContactPoint(k).getDistance()));
    }
    return deepest;
}

/// Three layers of nine sticks that stand above the cup, a little beside each other, fall for a second and a half.
/// @return m, how deep contacts of the cup are in the last quarter of a second
double depthInTheCup(unsigned seed) {
    TestWorld scene;
    scene.addGround()->setFriction(btScalar(0.5));
    btPliantBodyInfo info;
    info.m_friction = btScalar(0.5);
    const btQuaternion upright(btVector3(1, 0, 0), -SIMD_HALF_PI);
    info.m_damping = defaultDamping(*tumbler(), kStep);
    const btPliantBody* cup = scene.addBar(tumbler(), btVector3(0, btScalar(0.1), 0), info, upright);
    info.m_damping = defaultDamping(*stick(), kStep);
    std::mt19937 generator(seed);
    const auto chance = [&] { return 2.0 * static_cast<double>(generator()) / 4294967295.0 - 1.0; };
    for (int i = 0; i < 27; ++i) {
        const int layer = i / 9;
        const double x = 0.025 * (i % 3 - 1) + 0.004 * chance(), z = 0.025 * (i / 3 % 3 - 1) + 0.004 * chance();
        const btQuaternion tilt(btVector3(btScalar(chance()), 0, btScalar(chance() + 2e-9)).normalized(),
                                btScalar(0.09 * chance()));
        scene.addBar(stick(), btVector3(btScalar(x), btScalar(0.32 + 0.2 * layer), btScalar(z)), info, tilt);
    }
    double deepest = 0.0;
    for (int i = 0; i < 360; ++i) {
        scene.step(1, kStep);
        if (i >= 300) deepest = std::max(deepest, deepestContact(scene.dispatcher, cup));
    }
    return deepest;
}

TEST(SticksInACup, StayOutOfItsWall) {
    for (const unsigned seed : {1u, 2u}) EXPECT_LT(depthInTheCup(seed), 1e-3) << "seed " << seed;
}

}  // namespace
}  // namespace pliant::test
