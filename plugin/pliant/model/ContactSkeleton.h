// SPDX-License-Identifier: Zlib
// The collision geometry of a reduced body: capsule segments, swept by spheres, that follow the deformation.
//
// A sphere of it is the largest inside the drawn surface that touches it at a sample (or, for open surfaces, inside the
// simulation mesh); a segment joins two spheres that are neighbours on the surface. The union of the swept segments is
// the solid that collides: exact for tubes (wicker), a medial approximation for other bodies.
#pragma once

#include <vector>

#include "pliant/math/Types.h"

namespace pliant {

struct ContactSkeleton {
    PointsF restCentres;                      ///< 3 x b, body frame, metres
    VectorXf radii;                           ///< b, metres, > 0
    MatrixXf basis;                           ///< 3b x r, displacement of the sphere centres per unit q
    Matrix<int, 2, Eigen::Dynamic> segments;  ///< 2 x s, sphere numbers; both equal for a lone sphere

    int sphereCount() const { return static_cast<int>(radii.size()); }
    int segmentCount() const { return static_cast<int>(segments.cols()); }
};

}  // namespace pliant
