// SPDX-License-Identifier: Zlib
// How much of every cell of a grid a surface fills, exactly: triangles are cut by the planes of the grid.
#pragma once

#include <vector>

#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/mesh/voxels/VoxelGrid.h"

namespace pliant {

/// What of a cell is filled, in units of the cell and from its lower corner.
struct CellFilling {
    double share = 0.0;                ///< Of the cell's volume.
    Vector3 first = Vector3::Zero();   ///< Integral of the place.
    Vector3 second = Vector3::Zero();  ///< Integral of the place's square, along each axis.
};

/// What of every cell (VoxelGrid::index) lies inside, by the divergence theorem; shares are those of volumeShares().
/// @param outward  triangles of a closed surface with their normals out of the material (SurfaceClosure)
std::vector<CellFilling> volumeFillings(const VoxelGrid& grid, const Points& positions, const Triangles& outward);

/// The share of every cell (VoxelGrid::index) that lies inside, by the divergence theorem: 1 inside, 0 outside, between
/// them where the surface cuts; twice covered volume counts once where it makes a cell more than full. Shares within
/// 1e-5 of 0 or 1 are 0 or 1: coordinates are rounded.
/// @param outward  triangles of a closed surface with their normals out of the material (SurfaceClosure)
std::vector<double> volumeShares(const VoxelGrid& grid, const Points& positions, const Triangles& outward);

/// How many layers stand for a wall in a grid. @param cellSize sides of a cell, m @param thickness of the wall, m
int wallLayers(const Vector3& cellSize, double thickness);

/// What of every cell a wall fills whose middle is the surface, above 1 where more comes together than fits: the sum is
/// area times thickness. The wall is taken as layers that are an eighth of a cell apart, three at least, each with its
/// own thickness; what lies in the plane between two cells counts to one of them.
/// @param thickness  of the wall, m
std::vector<CellFilling> sheetFillings(const VoxelGrid& grid, const SurfaceMesh& surface, double thickness);

}  // namespace pliant
