// SPDX-License-Identifier: Zlib
// Shares and bending weights of the filled cells of a grid: what makes bricks that a surface cuts weigh and bend as
// what is in them.
#pragma once

#include <vector>

#include "pliant/mesh/ElasticMaterial.h"
#include "pliant/mesh/FilledBox.h"
#include "pliant/mesh/voxels/CellShares.h"
#include "pliant/mesh/voxels/VoxelGrid.h"

namespace pliant {

/// Shares of the filled cells, in their order (z fastest), in (0, 1]; their sum is that of `shares` over these cells.
/// @param shares  of all cells; above 1 in a sheet's cells that hold more than fits: goes to neighbours with room
///
/// An element's share multiplies its mass and its stiffness alike, and the largest eigenvalue of K x = lambda M x is no
/// larger than the largest of any single element [IT71], where the share cancels. Boxes that are smaller than their
/// bricks raise it by the square of that. Slivers do make K and M as ill-conditioned as the shares differ, so no cell
/// gets less than a twentieth of the mean; the other cut cells give what this takes.
VectorX brickShares(const VoxelGrid& grid, std::vector<double> shares);

/// Boxes that stand for the material in the filled cells (VolumeMesh::filledBoxes), none where all are full. Along an
/// axis with a lone layer that is thicker than the body (brickFill()) they are whole, and so where nothing is known.
///
/// The stiffness of a brick in bending goes with the second moment of its material about the middle of the wall. Taken
/// as spread over its brick, the material of walls of two bricks has 1.7 times its own, and that of a wall in one brick
/// that is twice as thick, four times. Cells with less than a twelfth of the mean share have some of their material all
/// over them: a wall that goes through an edge of the grid is else joined there by nothing but slivers, which leave it
/// a hinge.
FilledBoxes filledBoxes(const VoxelGrid& grid, const std::vector<CellFilling>& cells);

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
