// SPDX-License-Identifier: Zlib
// The collision geometry of a reduced body: sphere-swept segments ("strands") that follow the deformation.
//
// A ball is the largest sphere inside the drawn surface that touches it at a sample (or, for open surfaces, inside the
// simulation mesh); a segment joins two balls that are neighbours on the surface. The union of the swept segments is
// the solid that collides: exact for tubes (wicker), a medial approximation for other bodies.
#pragma once

#include <vector>

#include "pliant/math/Types.h"

namespace pliant {

struct ContactSkeleton {
    PointsF restCentres;                      ///< 3 x b, body frame, metres
    VectorXf radii;                           ///< b, metres, > 0
    MatrixXf basis;                           ///< 3b x r, displacement of the ball centres per unit q
    Matrix<int, 2, Eigen::Dynamic> segments;  ///< 2 x s, ball numbers; both equal for a lone ball

    int ballCount() const { return static_cast<int>(radii.size()); }
    int segmentCount() const { return static_cast<int>(segments.cols()); }
};

}  // namespace pliant
