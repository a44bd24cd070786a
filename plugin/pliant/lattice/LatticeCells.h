// SPDX-License-Identifier: Zlib
// Which cells of a regular grid a contact lattice has. Internal to makeContactLattice.
#pragma once

#include <vector>

#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// A grid whose cells are numbered with x fastest.
struct CellGrid {
    Vector3 origin = Vector3::Zero();  ///< Lower corner, m.
    double spacing = 0.0;              ///< Width of a cell, m.
    Eigen::Vector3i cells{0, 0, 0};

    int count() const { return cells.prod(); }
    int number(int x, int y, int z) const { return x + cells[0] * (y + cells[1] * z); }
    Eigen::Vector3i place(int cell) const {
        return {cell % cells[0], cell / cells[0] % cells[1], cell / cells[0] / cells[1]};
    }
};

/// The grid with a corner at `anchor` that holds the surface and two cells more on every side.
CellGrid gridAround(const SurfaceMesh& surface, const Vector3& anchor, double spacing);

/// Cells that a triangle touches and their 26 neighbours, ascending.
std::vector<int> cellsNearSurface(const SurfaceMesh& surface, const CellGrid& grid);

/// For every cell of the grid the place in `cells` of the nearest of them, centre to centre.
std::vector<int> nearestCells(const CellGrid& grid, const std::vector<int>& cells);

/// Numbers of the grid's vertices that the cells have, ascending; a vertex (x, y, z) has number
/// x + (cells[0] + 1) (y + (cells[1] + 1) z). @param corners 8 x c, corner (x, y, z) in row x + 2 y + 4 z: places in
/// the result
std::vector<int> cellVertices(const CellGrid& grid, const std::vector<int>& cells,
                              Matrix<int, 8, Eigen::Dynamic>& corners);

}  // namespace pliant
