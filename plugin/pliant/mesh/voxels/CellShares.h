// SPDX-License-Identifier: Zlib
// How much of every cell of a grid a surface fills, exactly: triangles are cut by the planes of the grid.
#pragma once

#include <vector>

#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/mesh/voxels/VoxelGrid.h"

namespace pliant {

/// The share of every cell (VoxelGrid::index) that lies inside, by the divergence theorem: 1 inside, 0 outside, between
/// them where the surface cuts; twice covered volume counts once where it makes a cell more than full. Shares within
/// 1e-5 of 0 or 1 are 0 or 1: coordinates are rounded.
/// @param outward  triangles of a closed surface with their normals out of the material (SurfaceClosure)
std::vector<double> volumeShares(const VoxelGrid& grid, const Points& positions, const Triangles& outward);

/// The area of the surface in every cell, m^2; what lies in the plane between two cells counts to one of them.
std::vector<double> cellAreas(const VoxelGrid& grid, const SurfaceMesh& surface);

}  // namespace pliant
