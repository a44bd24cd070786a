// SPDX-License-Identifier: Zlib
// The guard over solutions leaves alone what a solve takes back of the impulses that it has begun with.
#include <gtest/gtest.h>

#include <algorithm>

#include "CharacterWorld.h"

namespace {

using namespace pliant::test;

constexpr double kThickness = 0.1;  // m, from the bones to the surface

// Bones press flesh into the ground and rise from it: the impulses that have held it are taken back within a few steps,
// which changes q' by as much as they have given, while hardly anything moves.
TEST(SolutionGuard, ALoadThatGoesIsNotDivergence) {
    constexpr double h = 1.0 / 240.0, depth = 0.02;
    for (const double speed : {0.02, 0.05, 0.1, 0.2}) {
        CharacterWorld w;
        w.addGround()->setFriction(btScalar(0.8));
        btPliantCharacterInfo info = standing({}, btVector3(0, btScalar(kThickness), 0));
        info.m_damping = {4.0, 0.002};
        btPliantCharacter* bar = w.add(info);
        double height = kThickness;
        const auto rise = [&](double by) {
            height += by;
            bar->setMeshTransform(
                btTransform(btQuaternion::getIdentity(), btVector3(0, static_cast<btScalar>(height), 0)));
            w.step(1, h);
        };
        for (int i = 0; i < 240; ++i) rise(-depth / 240);
        for (int i = 0; i < 240; ++i) rise(0.0);
        const double pressed = bar->getReducedCoordinates().norm();
        ASSERT_GT(w.system->getStats().m_contacts, 0);
        for (int i = 0; i < std::min(240.0, 2.0 * depth / (speed * h)); ++i) {
            rise(speed * h);
            ASSERT_EQ(bar->getStatus(), pliant::BodyStatus::Ok) << speed << " m/s, step " << i;
        }
        EXPECT_LT(bar->getReducedCoordinates().norm(), 0.3 * pressed) << speed << " m/s: nothing has pressed it";
    }
}

}  // namespace
