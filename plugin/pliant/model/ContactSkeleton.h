// SPDX-License-Identifier: Zlib
/// @file
/// The collision geometry of a reduced body: capsule segments that follow the deformation.
#pragma once

#include <vector>

#include "pliant/math/Types.h"

namespace pliant {

/// The collision geometry of a reduced body: capsule segments that follow the deformation.
///
/// A sphere of the skeleton is the largest one inside the drawn surface that touches it at a sample (or, for open
/// surfaces, inside the simulation mesh); a capsule segment is swept between two spheres that are neighbours on the
/// surface. The union of the capsule segments is the solid that collides: exact for tubes (wicker), a medial
/// approximation for other bodies.
struct ContactSkeleton {
    PointsF restCentres;  ///< Centres of the b spheres at rest, 3 x b, body frame, m.
    VectorXf radii;       ///< Radii of the spheres, b, m, > 0; 0 for points of a surface (PointShell).
    MatrixXf basis;       ///< Displacement of the centres per unit q, 3b x r.
    /// Sphere numbers at both ends, 2 x s; both equal for a lone sphere.
    Matrix<int, 2, Eigen::Dynamic> segments;

    /// The number b of spheres.
    int sphereCount() const { return static_cast<int>(radii.size()); }
    /// The number s of capsule segments.
    int segmentCount() const { return static_cast<int>(segments.cols()); }
};

}  // namespace pliant
