// SPDX-License-Identifier: Zlib
// Internal: points on the surface of a sphere, box, capsule or cylinder, each with the area vector of its piece: what a
// tool of such a shape feels the fields of rigid bodies with.
#pragma once

#include <cstddef>
#include <vector>

#include "pliant/math/Types.h"

namespace btPliantInternal {

/// In the frame of the shape. The area vectors of all points add up to nothing.
struct ToolPoints {
    /// Points that stand together, in a ball.
    struct Cluster {
        std::size_t first = 0, end = 0;
        pliant::Vector3 centre = pliant::Vector3::Zero();  ///< Centre, m.
        double radius = 0.0;                               ///< Radius, m.
    };
    std::vector<pliant::Vector3> positions;  ///< On the surface, m.
    std::vector<pliant::Vector3> areas;      ///< Of each point's piece, into the shape, m^2.
    std::vector<Cluster> clusters;           ///< Of all points, in their order.
};

// Of each about `count` points, and at least as many as the shape has faces.
/// @param radius m
ToolPoints pointsOfSphere(double radius, int count);
/// @param halfExtents m
ToolPoints pointsOfBox(const pliant::Vector3& halfExtents, int count);
/// @param halfLength of the axis, m  @param axis 0 to 2: along x, y or z
ToolPoints pointsOfCapsule(double radius, double halfLength, int axis, int count);
/// @param halfLength m  @param axis 0 to 2: along x, y or z
ToolPoints pointsOfCylinder(double radius, double halfLength, int axis, int count);

}  // namespace btPliantInternal
