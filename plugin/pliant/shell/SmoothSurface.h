// SPDX-License-Identifier: Zlib
// Normals and curvatures of the smooth surface that flat triangles stand for. Internal to makeShell.
#pragma once

#include <vector>

#include "pliant/shell/OrientedSurface.h"

namespace pliant {

/// Edges that turn by more than this are drawn as edges, rad (35 degrees): a twelve-sided cylinder is round, an
/// eight-sided one and a chamfer at 45 degrees are not.
constexpr double sharpTurn = 0.6108652381980153;

struct SmoothSurface {
    /// Outward unit normals of the triangles' corners, 3 x 3m, corner k of triangle t in column 3t + k; corners that
    /// meet at a vertex without a sharp edge between them share one.
    Points cornerNormals;
    std::vector<int> cornerGroups;  ///< Group of each of the 3m corners, equal for those that share a normal.
    /// Patch of each of the m triangles, equal for those that are joined by edges which are not sharp.
    std::vector<int> patches;
    /// Curvature of each of the m triangles, symmetric, 1/m: the normal changes by curvature dx along the surface.
    std::vector<Matrix3> curvature;

    /// Outward unit normal at barycentric coordinates of a triangle.
    Vector3 normalAt(int triangle, const Vector3& weights) const;
};

SmoothSurface smoothSurface(const OrientedSurface& surface);

}  // namespace pliant
