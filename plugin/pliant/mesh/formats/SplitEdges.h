// SPDX-License-Identifier: Zlib
// Finer triangles where somebody asks for them.
#pragma once

#include <functional>

#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// Whether the flat piece between these points is too coarse; two points (an edge) or three (a triangle), one a column.
/// Must depend on the points alone, not on their order.
using IsCoarse = std::function<bool(const Eigen::Matrix3Xd& corners)>;

/// Halves edges that are coarse, and the longest edge of coarse triangles, until none is; shorter ones than
/// `shortestEdge` (m) stay. Halving an edge halves the longest ones of both of its triangles too, so shapes stay as
/// good as they were. Edges are told apart by the positions of their ends: vertices at one position (texture seams,
/// hard edges) are split alike, and no crack opens. New vertices lie on the middle of their edge, with the mean of
/// texture coordinates, colours and (normalised) normals; they are appended, and the vertices that were there keep
/// their numbers.
/// @return the number of triangles that were added
int splitCoarseEdges(SurfaceMesh& mesh, const IsCoarse& isCoarse, double shortestEdge);

}  // namespace pliant
