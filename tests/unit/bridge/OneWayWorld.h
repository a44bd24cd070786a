// SPDX-License-Identifier: Zlib
// A world with Bullet's own solver, which knows nothing of the deformation.
#pragma once

#include "TestWorld.h"

namespace pliant::test {

struct OneWayWorld : TestWorld {
    explicit OneWayWorld(const btPliantSystemInfo& info = oneThread()) : TestWorld(info) {
        system.reset();
        world.setConstraintSolver(&plain);
        system = std::make_unique<btPliantSystem>(&world, info);
    }
    ~OneWayWorld() { system.reset(); }
    btSequentialImpulseConstraintSolver plain;
};

}  // namespace pliant::test
