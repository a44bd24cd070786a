// SPDX-License-Identifier: Zlib
// Shares and bending weights of the filled cells of a grid: what makes bricks that a surface cuts weigh and bend as
// what is in them.
#pragma once

#include <vector>

#include "pliant/mesh/ElasticMaterial.h"
#include "pliant/mesh/voxels/VoxelGrid.h"

namespace pliant {

/// Shares of the filled cells, in their order (z fastest), in (0, 1]; their sum is that of `shares` over these cells.
/// @param shares  of all cells; above 1 in a sheet's cells that hold more than fits: goes to neighbours with room
///
/// An element's share multiplies its mass and its stiffness alike, and the largest eigenvalue of K x = lambda M x is no
/// larger than the largest of any single element [IT71], where the share cancels: slivers make no high
/// frequencies. They do make K and M as ill-conditioned as the shares differ, so no cell gets less than a twentieth of
/// the mean; the other cut cells give what this takes.
VectorX brickShares(const VoxelGrid& grid, std::vector<double> shares);

/// Weights of the strain's variation (VolumeMesh::elementBending) of the filled cells.
///
/// A trilinear brick under the curvature of a plate has the strains of the plate but for two: the thickness cannot
/// change linearly through it, and lines along the plate stay straight, which shears it [W73]. With sides h across and
/// L along the plate its bending energy is that of the modulus C_11 + mu (L / h)^2 in place of P = E / (1 - nu^2). The
/// assumed strain (fem/Element.h) leaves out both, whatever the number of bricks across, and scales what varies across
/// a lone layer by the share of it that is filled, so that a wall bends as thick as it is. What varies by more than one
/// axis at once has the weight P / (C_11 + mu (L / h)^2), times the square of that share: bends whose curvature changes
/// along the plate are in it.
///
/// Only bodies of up to four layers of bricks get weights; others none (an empty vector). Lone bricks in thin parts of
/// solids with weights of a few hundredths fold like hourglasses in impacts, where the energy of their variation is all
/// that resists: two of them gained 24 times the energy of their fall.
/// @param shares  as brickShares() returned them  @param poissonRatio  of the material
VectorX brickBending(const VoxelGrid& grid, const VectorX& shares, double poissonRatio);
/// Shares of the bricks' sides that material fills (VolumeMesh::bendingFill): below 1 along axes with a lone layer
/// that is thicker than the body.
Vector3 brickFill(const VoxelGrid& grid);

}  // namespace pliant
