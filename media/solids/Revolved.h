// SPDX-License-Identifier: Zlib
// Surfaces of revolution about z.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pliant/mesh/SurfaceMesh.h"

namespace solids {

using Vector2 = Eigen::Vector2d;

/// A closed curve in the half plane (distance from the axis, z), turned about z. Lengths in metres.
struct Revolved {
    std::string name;
    /// Seen with z upwards the shape lies to the left of it. A curve that begins and ends on the axis has poles there;
    /// any other comes back to its beginning.
    std::vector<Vector2> profile;
    int segments = 0;  ///< around the axis
    /// How far a point of the profile is moved into the shape at an angle; none: nowhere.
    std::function<double(const Vector2&, double angle)> depth;
    std::function<int(const Vector2&)> materialAt;
    std::vector<pliant::SurfaceMaterial> materials;
};

/// The surface; its normals are those of its triangles, by their angles.
pliant::SurfaceMesh surfaceOf(const Revolved& shape);

}  // namespace solids
