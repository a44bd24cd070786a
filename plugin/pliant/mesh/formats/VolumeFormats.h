// SPDX-License-Identifier: Zlib
// The readers behind readVolume(), one a format: what the file says, in its own units, before any repair.
#pragma once

#include <string>

#include "pliant/mesh/ReadVolume.h"

namespace pliant {

/// Vega's binary .vegb: tetrahedra or bricks with materials and regions. @throws Error
VolumeFile readVegb(const std::string& path);

/// Gmsh .msh, ASCII and binary, 2.2 or 4.1: linear solids (SolidCells.h); physical volumes become regions, points,
/// lines and surfaces are passed over. @throws Error with file:line, or the byte of a binary file; solids of higher
/// order are refused
VolumeFile readGmsh(const std::string& path);

/// Legacy .vtk, ASCII, UNSTRUCTURED_GRID: linear solids (SolidCells.h); cells of lower dimension are passed over.
/// @throws Error with file:line
VolumeFile readVtk(const std::string& path);

/// XML .vtu: linear solids (SolidCells.h); arrays as VtuArray.h says. @throws Error with file:line
VolumeFile readVtu(const std::string& path);

}  // namespace pliant
