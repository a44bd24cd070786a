// SPDX-License-Identifier: Zlib
// The world whose states are restored: two bars and a sphere in contact on the ground.
#pragma once

#include <memory>

#include "unit/bridge/TestWorld.h"

namespace pliant::fuzz {

inline std::unique_ptr<test::TestWorld> makeStateWorld() {
    auto scene = std::make_unique<test::TestWorld>();
    scene->addGround();
    test::BarOptions options;
    options.segments = 2;
    const auto model = test::makeBar(options);
    for (const double height : {0.06, 0.2}) scene->addBar(model, btVector3(0, static_cast<btScalar>(height), 0));
    scene->addRigid(new btSphereShape(btScalar(0.1)), 1, btVector3(btScalar(0.2), btScalar(0.4), 0));
    scene->step(60);
    return scene;
}

}  // namespace pliant::fuzz
