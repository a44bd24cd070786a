// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/TriangleReach.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace btPliantInternal {

using pliant::Vector3;

TriangleReach::TriangleReach(const Vector3 corners[3], double reach, double sunk) {
    Vector3 up = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    const double area = up.norm();
    if (!(area > 1e-30)) return;
    up /= area;
    // Of a triangle that is nearly a line the normal is rounding: each plane lies beyond all corners.
    const auto beyondAll = [&](const Vector3& outward, double distance) {
        const double farthest = std::max({outward.dot(corners[0]), outward.dot(corners[1]), outward.dot(corners[2])});
        return Plane{outward, farthest + distance};
    };
    for (int k = 0; k < 3; ++k) {
        const Vector3 across = (corners[(k + 1) % 3] - corners[k]).cross(up);
        const double length = across.norm();
        if (length > 0.0) m_planes[k] = beyondAll(across / length, reach);
    }
    m_planes[3] = beyondAll(up, reach + sunk);
    m_planes[4] = beyondAll(-up, reach + sunk);
}

bool TriangleReach::mayTouch(const Vector3& centre, double radius) const {
    for (const Plane& plane : m_planes)
        if (plane.outward.dot(centre) - radius > plane.limit) return false;
    return true;
}

bool TriangleReach::mayTouch(const pliant::CapsuleSegment& segment) const {
    for (const Plane& plane : m_planes)
        if (std::min(plane.outward.dot(segment.end[0]) - segment.radius[0],
                     plane.outward.dot(segment.end[1]) - segment.radius[1]) > plane.limit)
            return false;
    return true;
}

}  // namespace btPliantInternal
