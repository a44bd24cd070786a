// SPDX-License-Identifier: Zlib
// The solid elements of other programs, which all become tetrahedra: bodies of Pliant are made of tetrahedra, or of
// bricks that are boxes. Hexahedra, prisms and pyramids are split by the rule of Dompierre, Labbé, Vallet and Camarero
// ("How to subdivide pyramids, prisms and hexahedra into tetrahedra", 1999): every quadrangle is cut through the lowest
// of its vertices, so that neighbours cut their common face alike whatever they are. Vertices are ordered by position,
// not by number: two that stand at one place count as one.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pliant/mesh/ReadVolume.h"

namespace pliant {

enum class SolidKind { Tetrahedron, Pyramid, Prism, Hexahedron };

/// 4, 5, 6 or 8.
int cornerCount(SolidKind kind);

/// Collects solids with the number of their region in the file; makes a material, with default constants, of each.
/// Corners are in VTK's order, which is Gmsh's too.
class SolidCollector {
public:
    /// @param corners cornerCount(kind) vertices of the file
    void add(SolidKind kind, const int* corners, int region);

    /// @param positions 3 x n of the file
    /// @param names of regions; those without one are called "region_NUMBER"
    /// @throws Error(where, ...) for cells whose corners turn inside out
    VolumeFile finish(Points positions, const std::map<int, std::string>& names, const std::string& where) const;

    bool isEmpty() const { return m_cells.empty(); }

private:
    struct Cell {
        SolidKind kind;
        std::size_t first;  ///< of its corners
        int region;
    };
    std::vector<int> m_corners;
    std::vector<Cell> m_cells;
};

/// What to do with a VTK cell type: solids give their kind, points, lines and polygons are passed over (false).
/// @throws Error(where, ...) for other solids
bool solidOfVtk(int vtkType, const std::string& where, SolidKind& kind);

/// Whether VTK's corners are those of a voxel (type 11), whose third and fourth of each layer are exchanged.
inline bool isVtkVoxel(int vtkType) {
    return vtkType == 11;
}

/// A region's number, whole. @throws Error(where, ...) for anything else
int regionNumber(double value, const std::string& where);

/// Names of integer cell arrays that are taken as regions, in this order.
const std::vector<std::string>& regionArrayNames();

}  // namespace pliant
