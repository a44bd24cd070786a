// SPDX-License-Identifier: Zlib
// Friction of a sliding body is mu times the normal force and opposes the slip, in every direction of the plane.
#include <gtest/gtest.h>

#include <cmath>

#include "TestWorld.h"

namespace {

using pliant::test::BarOptions;
using pliant::test::makeBar;
using pliant::test::TestWorld;

// A bar turns about its length far more easily than about anything else, so its contacts weigh four times as much along
// one tangent as along the other. Rolling friction holds it, so that it slips as it moves.
TEST(FrictionDirection, OpposesTheSlipWhateverTheMassesAlongTheTangents) {
    BarOptions options;
    options.length = 0.4;
    options.frequencies = {3000, 3000, 4000};
    const auto model = makeBar(options);
    constexpr double h = 1.0 / 240, mu = 0.5, pi = 3.141592653589793;
    for (const double degrees : {0.0, 15.0, 30.0, 45.0, 60.0, 75.0, 90.0}) {
        TestWorld scene;
        scene.addGround()->setFriction(1);
        btPliantBodyInfo info;
        info.m_friction = btScalar(mu);
        info.m_rollingFriction = btScalar(0.02);
        const double angle = degrees * pi / 180;
        info.m_linearVelocity =
            btVector3(static_cast<btScalar>(2 * std::cos(angle)), 0, static_cast<btScalar>(2 * std::sin(angle)));
        const btPliantBody* bar = scene.addBar(model, btVector3(0, btScalar(0.05), 0), info);
        scene.step(1, h);
        for (int i = 0; i < 10; ++i) {
            const btVector3 before = bar->getLinearVelocity();
            scene.step(1, h);
            const btVector3 change = bar->getLinearVelocity() - before;
            const double normal = static_cast<double>(change.y()) + 9.81 * h;
            btVector3 slip = before;
            slip.setY(0);
            slip.normalize();
            const btVector3 friction(change.x(), 0, change.z());
            const auto along = static_cast<double>(-friction.dot(slip));
            EXPECT_NEAR(along, mu * normal, 0.02 * mu * normal) << degrees << " degrees";
            EXPECT_LT(static_cast<double>((friction + slip * static_cast<btScalar>(along)).length()),
                      0.01 * mu * normal)
                << degrees << " degrees";
        }
    }
}

}  // namespace
