// SPDX-License-Identifier: Zlib
// Vega's simulation meshes (.veg) and lists of fixed vertices (.bou).
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

/// Reads tetrahedra (TET) or bricks (CUBIC): *VERTICES, *ELEMENTS, *MATERIAL (ENU: rho, E, nu), *SET, *REGION,
/// *INCLUDE (relative to the including file). Vertices and elements may count from 0 or from 1: their first number
/// tells. The mesh has passed checkVolumeMesh.
/// @throws Error with file:line for everything that is missing, out of range, unknown or defined twice
PLIANT_INTERNAL_API VolumeMesh readVeg(const std::string& path);

/// Writes a .veg that readVeg reads back with the same bits; written beside and renamed. @throws Error
PLIANT_INTERNAL_API void writeVeg(const VolumeMesh& mesh, const std::string& path);

/// Fixed vertices of a .bou (1-based, separated by commas or blanks) -> 0-based, ascending.
/// @param vertexCount  of the simulation mesh
/// @throws Error with file:line: not a number, out of range, named twice, or no vertex at all
PLIANT_INTERNAL_API std::vector<int> readBou(const std::string& path, int vertexCount);

}  // namespace pliant
