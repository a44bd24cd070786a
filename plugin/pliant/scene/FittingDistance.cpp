// SPDX-License-Identifier: Zlib
#include "pliant/scene/FittingDistance.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace pliant::scene {

double fittingDistance(const Bounds& bounds, const Vector3& back, const ViewPoint& view, double aspect) {
    constexpr double room = 1.1;  // of the picture over what it shows
    const double tangent = std::tan(0.5 * view.fieldOfView * M_PI / 180.0);
    const Vector3 right = view.up.cross(back).normalized(), above = back.cross(right);
    double distance = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
        Vector3 x;
        for (int k = 0; k < 3; ++k) x[k] = (corner >> k & 1 ? bounds.most : bounds.least)[k];
        x -= bounds.centre();
        // What the corner needs on each side of the line of sight, as tangents of half the picture.
        const double side = std::max(std::abs(x.dot(right)) / aspect, std::abs(x.dot(above)));
        distance = std::max(distance, x.dot(back) + room * side / tangent);
    }
    return std::max(distance, 1e-3);
}

}  // namespace pliant::scene
