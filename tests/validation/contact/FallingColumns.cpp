// SPDX-License-Identifier: Zlib
// Solids that fall above each other onto the ground: they do not come towards each other until the lowest one is
// stopped, within a step, and then the next one does by its whole way of that step.
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "SolidBodies.h"
#include "unit/bridge/TestWorld.h"

namespace pliant::test {
namespace {

constexpr double kRadius = 0.03;  // m

/// Largest depth of a contact of two spheres of a column of four in 0.5 s, m.
double deepest(const std::shared_ptr<const ReducedModel>& sphere, double gap, double speed) {
    constexpr double step = 1.0 / 120.0;
    TestWorld scene;
    const btRigidBody* ground = scene.addGround();
    btPliantBodyInfo info;
    info.m_damping.stiffness = 1e-5;
    for (int i = 0; i < 4; ++i) {
        btPliantBody* body =
            scene.addBar(sphere, btVector3(0, btScalar(0.2 + kRadius + (2 * kRadius + gap) * i), 0), info);
        body->setLinearVelocity(btVector3(0, btScalar(-speed), 0));
    }
    double largest = 0.0;
    for (int i = 0; i < 60; ++i) {
        scene.step(1, step);
        for (int k = 0; k < scene.dispatcher.getNumManifolds(); ++k) {
            const btPersistentManifold& manifold = *scene.dispatcher.getManifoldByIndexInternal(k);
            if (manifold.getBody0() == ground || manifold.getBody1() == ground) continue;
            for (int j = 0; j < manifold.getNumContacts(); ++j)
                largest = std::max(largest, -static_cast<double>(manifold.getContactPoint(j).getDistance()));
        }
    }
    return largest;
}

// A step's way at 2 m/s is 17 mm, the gap up to 14: what was left of it they were in each other, a quarter of their
// size.
TEST(FallingColumns, StopBeforeEachOther) {
    SolidMaterial glass;
    glass.young = 1e8;
    glass.density = 2500;
    const auto sphere = solidSphere(kRadius, glass);
    double sum = 0.0;
    int count = 0;
    for (const double speed : {1.0, 2.0})
        for (const double gap : {0.002, 0.006, 0.010, 0.014}) {
            const double depth = deepest(sphere, gap, speed);
            EXPECT_LT(depth, 0.1 * kRadius) << "gap " << gap << " m, " << speed << " m/s";
            sum += depth;
            ++count;
        }
    EXPECT_GT(count, 0);
    RecordProperty("mean_depth_um", static_cast<int>(1e6 * sum / count));
}

}  // namespace
}  // namespace pliant::test
