// SPDX-License-Identifier: Zlib
#include "pliant/touch/SurfaceCap.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace pliant {

// With m the direction of the cap that is nearest to -n, the farthest point is x + rho (m - N).
Vector3 capReach(const PointShell& shell, int sphere, const Vector3& outward, const Vector3& normal) {
    if (sphere >= shell.count() || !(shell.capRadii[sphere] > 0.0f)) return Vector3::Zero();
    const double radius = static_cast<double>(shell.capRadii[sphere]),
                 opening = static_cast<double>(shell.capAngles[sphere]);
    const Vector3 tangential = -normal + normal.dot(outward) * outward;
    const double sine = tangential.norm(), cosine = -normal.dot(outward);
    if (!(sine > 0.0)) return Vector3::Zero();
    const double least = std::cos(opening);
    if (cosine >= least) return radius * (tangential + (cosine - 1.0) * outward);
    return radius * (std::sqrt(1.0 - least * least) / sine * tangential + (least - 1.0) * outward);
}

bool capFaces(const PointShell& shell, int sphere, const Vector3& outward, const Vector3& normal) {
    if (sphere >= shell.count() || !(shell.capRadii[sphere] > 0.0f)) return true;
    return -normal.dot(outward) >= std::cos(static_cast<double>(shell.capAngles[sphere]));
}

}  // namespace pliant
