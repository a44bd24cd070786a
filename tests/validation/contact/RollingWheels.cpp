// SPDX-License-Identifier: Zlib
// Wheels and discs that roll without slip on a plane, a box and a slab keep their speed.
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "SolidBodies.h"
#include "unit/bridge/TestWorld.h"

namespace pliant::test {
namespace {

struct Wheel {
    double radius = 0, length = 0;  // m
    double step = 0, kept = 0;      // s; share of the speed that is kept
};

/// Speed after half a second of a wheel that begins with 1 m/s.
double rolls(const std::shared_ptr<const ReducedModel>& wheel, const std::shared_ptr<const ReducedModel>& slab,
             bool onBox, const Wheel& how) {
    TestWorld scene;
    btPliantBodyInfo info;
    info.m_friction = btScalar(0.8);
    info.m_damping.stiffness = 1e-4;
    double top = 0.0;
    if (onBox)
        scene.addRigid(new btBoxShape(btVector3(3, btScalar(0.5), 3)), 0, btVector3(0, btScalar(-0.5), 0));
    else
        scene.addGround();
    if (slab) scene.addBar(slab, btVector3(0, btScalar(top = 0.1) / 2, 0), info);
    const btQuaternion upright(btVector3(1, 0, 0), static_cast<btScalar>(std::acos(0.0)));
    btPliantBody* body =
        scene.addBar(wheel, btVector3(-1, static_cast<btScalar>(top + how.radius + 1e-4), 0), info, upright);
    body->setLinearVelocity(btVector3(1, 0, 0));
    body->setAngularVelocity(btVector3(0, 0, static_cast<btScalar>(-1.0 / how.radius)));
    scene.step(static_cast<int>(0.5 / how.step), how.step);
    return static_cast<double>(body->getLinearVelocity().x());
}

// The drawn wheels have 64 sides or so, and their rows lose some of the speed. Where what comes down ahead of the axle
// had a row of its own, the first of these kept 0.59 and 0.79.
TEST(RollingWheels, KeepTheirSpeed) {
    SolidMaterial firm;
    firm.young = 1e8;
    firm.density = 600;
    const auto slab = solidBox(Vector3(3, 0.1, 0.6), firm);
    for (const Wheel& how : {Wheel{0.1, 0.1, 1.0 / 60, 0.88}, Wheel{0.1, 0.1, 1.0 / 120, 0.88},
                             Wheel{0.1, 0.02, 1.0 / 120, 0.86}, Wheel{0.03, 0.2, 1.0 / 120, 0.86}}) {
        const auto wheel = solidCylinder(how.radius, how.length, firm);
        EXPECT_GT(rolls(wheel, nullptr, false, how), how.kept) << how.radius << ", " << how.length << ", plane";
        EXPECT_GT(rolls(wheel, nullptr, true, how), how.kept) << how.radius << ", " << how.length << ", box";
        EXPECT_GT(rolls(wheel, slab, false, how), how.kept) << how.radius << ", " << how.length << ", slab";
    }
}

}  // namespace
}  // namespace pliant::test
