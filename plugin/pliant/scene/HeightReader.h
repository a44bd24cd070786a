// SPDX-License-Identifier: Zlib
/// @file
/// Tables of heights, which height fields are made of.
#pragma once

#include <string>

#include "pliant/math/Api.h"
#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/scene/SceneDescription.h"

namespace pliant::scene {

/// Reads a table of numbers, separated by commas, semicolons or blanks: a line a row along x, the first line with the
/// least y; empty lines and lines that begin with # are left out.
/// @param spacing of the grid, m  @param scale metres in a unit of the heights
/// @throws Error with file:line: what is no number or not finite, rows of different lengths, fewer than two rows or
///     columns, more than 16 million heights
PLIANT_INTERNAL_API HeightTable readHeightTable(const std::string& path, double spacing, double scale);

/// The triangles of a height field, as Bullet cuts its squares; their vertices in the order of the heights.
PLIANT_INTERNAL_API SurfaceMesh surfaceOf(const HeightTable& table);

}  // namespace pliant::scene
