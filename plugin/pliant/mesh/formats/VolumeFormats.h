// SPDX-License-Identifier: Zlib
// The readers behind readVolume(), one a format: what the file says, in its own units, before any repair.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pliant/mesh/ReadVolume.h"

namespace pliant {

/// Vega's binary .vegb: tetrahedra or bricks with materials and regions. @throws Error
VolumeFile readVegb(const std::string& path);

/// Gmsh .msh, ASCII 2.2 or 4.1: tetrahedra (element type 4); physical volumes become regions, points, lines and
/// triangles are passed over. @throws Error with file:line; binary files and other solids are refused
VolumeFile readGmsh(const std::string& path);

/// Legacy .vtk, ASCII, UNSTRUCTURED_GRID: tetrahedra (cell type 10); cells of lower dimension are passed over.
/// @throws Error with file:line
VolumeFile readVtk(const std::string& path);

/// XML .vtu: ASCII or inline base64 without compression, tetrahedra. @throws Error with file:line
VolumeFile readVtu(const std::string& path);

/// Collects tetrahedra with the number of their region in the file; makes a material, with default constants, of each.
class TetrahedronCollector {
public:
    void add(const int (&vertices)[4], int region);

    /// @param names of regions; those without one are called "region_NUMBER"
    /// @param positions 3 x n of the file
    VolumeFile finish(Points positions, const std::map<int, std::string>& names) const;

    int count() const { return static_cast<int>(m_regions.size()); }

private:
    std::vector<int> m_corners;
    std::vector<int> m_regions;
};

/// What to do with a VTK cell type: 10 is a tetrahedron, points, lines and polygons are passed over (false).
/// @throws Error(where, ...) for other solids
bool isTetrahedronCell(int vtkType, const std::string& where);

/// A region's number, whole. @throws Error(where, ...) for anything else
int regionNumber(double value, const std::string& where);

/// Names of integer cell arrays that are taken as regions, in this order.
const std::vector<std::string>& regionArrayNames();

}  // namespace pliant
