// SPDX-License-Identifier: Zlib
/// @file
/// How large a scene is, and where one looks at it from: plain numbers, from physics to pictures.
#pragma once

#include <cmath>

#include "pliant/math/Types.h"

namespace pliant::scene {

/// An axis-aligned box, m. Empty at first.
struct Bounds {
    Vector3 least = Vector3::Constant(1.0e30);  ///< Its lower corner.
    Vector3 most = Vector3::Constant(-1.0e30);  ///< Its upper corner.

    /// Makes it hold x.
    void add(const Vector3& x) {
        least = least.cwiseMin(x);
        most = most.cwiseMax(x);
    }
    /// Its middle.
    Vector3 centre() const { return 0.5 * (least + most); }
    /// Half of its diagonal.
    double radius() const { return 0.5 * (most - least).norm(); }
};

/// Where one looks from.
struct ViewPoint {
    Vector3 eye = Vector3::Zero();     ///< The eye, m.
    Vector3 centre = Vector3::Zero();  ///< What it looks at, m.
    Vector3 up = Vector3::UnitZ();     ///< What is up in the picture.
    double fieldOfView = 35.0;         ///< Vertical, degrees.
};

/// A unit vector perpendicular to `up`: the world's x where that is horizontal.
inline Vector3 horizontal(const Vector3& up) {
    const Vector3 axis = std::abs(up.x()) < 0.9 ? Vector3(Vector3::UnitX()) : Vector3(Vector3::UnitY());
    return (axis - axis.dot(up) * up).normalized();
}

}  // namespace pliant::scene
