// SPDX-License-Identifier: Zlib
// Which bricks of a voxelised surface hold a part of that surface.
#pragma once

#include <vector>

#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

/// Bricks that any of some triangles touches, by the exact test that made the bricks (TriangleBoxTest.h), or a layer of
/// its wall.
/// @param bricks equal ones on one lattice, as voxelise() makes them, in any orientation
/// @param wanted one a triangle of `surface`
/// @param thickness of the wall whose middle the surface is, m
/// @return one a brick
std::vector<bool> touchedBricks(const VolumeMesh& bricks, const SurfaceMesh& surface, const std::vector<bool>& wanted,
                                double thickness = 0.0);

}  // namespace pliant
