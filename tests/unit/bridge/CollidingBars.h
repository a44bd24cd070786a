// SPDX-License-Identifier: Zlib
// Two bars that meet in flight.
#pragma once

#include "BarModel.h"
#include "TestWorld.h"

namespace pliant::test {

/// Bodies 0 and 1 of an empty world, without gravity.
/// @param info settings of both
inline void addCollidingBars(TestWorld& scene, btPliantBodyInfo info = btPliantBodyInfo()) {
    scene.world.setGravity(btVector3(0, 0, 0));
    const auto model = makeBar();
    info.m_linearVelocity = btVector3(0, btScalar(-2), btScalar(0.3));
    info.m_angularVelocity = btVector3(btScalar(0.5), 1, btScalar(-0.7));
    scene.addBar(model, btVector3(btScalar(0.2), btScalar(0.35), 0), info,
                 btQuaternion(btVector3(0, 1, 0), btScalar(1.2)));
    info.m_linearVelocity = btVector3(0, 1, 0);
    info.m_angularVelocity = btVector3(0, 0, btScalar(0.4));
    scene.addBar(model, btVector3(0, 0, 0), info);
}

}  // namespace pliant::test
