// SPDX-License-Identifier: Zlib
#pragma once

#include "world/SceneWorld.h"

namespace pliant::program {

/// An axis-aligned box.
struct Bounds {
    Vector3 least = Vector3::Constant(1.0e30);
    Vector3 most = Vector3::Constant(-1.0e30);

    void add(const Vector3& x) {
        least = least.cwiseMin(x);
        most = most.cwiseMax(x);
    }
    Vector3 centre() const { return 0.5 * (least + most); }
    double radius() const { return 0.5 * (most - least).norm(); }
};

/// Of all bodies as they stand, and of their shadows straight down on the ground.
Bounds boundsOf(const SceneWorld& world);

/// A unit vector perpendicular to `up`: the world's x where that is horizontal.
Vector3 horizontal(const Vector3& up);

}  // namespace pliant::program
