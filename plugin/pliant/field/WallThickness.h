// SPDX-License-Identifier: Zlib
// How thin a body is. Internal to makeDistanceField.
#pragma once

#include <vector>

#include "pliant/skeleton/SurfaceDistance.h"

namespace pliant {

/// Thickness at places spread evenly over a surface: from one side of a wall to the other, where both are parallel to
/// within 25 degrees; infinite elsewhere (a wedge has no thickness, however sharp its edge).
class WallThickness {
public:
    /// @param outer, outerDistance the sides of the walls  @param closed tells the inside by an odd number of crossings
    WallThickness(const Points& points, const Triangles& outer, const SurfaceDistance& outerDistance,
                  const SurfaceDistance& closed);

    /// The thickness that a share of the surface stays below, m.
    double atShare(double share) const;
    /// The share of the surface where the body is thinner, 0..1.
    double shareBelow(double thickness) const;
    /// A place where the body is thinnest.
    Vector3 thinnestPlace() const { return m_samples.empty() ? Vector3(Vector3::Zero()) : m_samples.front().place; }

private:
    struct Sample {
        double thickness;
        Vector3 place;
    };
    std::vector<Sample> m_samples;  ///< Samples of the wall, the thinnest first.
};

}  // namespace pliant
