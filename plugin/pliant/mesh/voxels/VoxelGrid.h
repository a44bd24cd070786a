// SPDX-License-Identifier: Zlib
// A grid of cells, some filled.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// What the cells of a grid measure.
enum class CellShape {
    Cubic,  ///< Cubes: the grid is wider than the surface along two axes.
    /// Cubes but for what it takes to fit the surface's box along every axis. A body that is thinner than a cube gets
    /// one layer of cells as thick as itself, down to a tenth of a cube's side.
    Fitted
};

class VoxelGrid {
public:
    static constexpr double flattest = 0.1;  ///< Least side of a fitted cell over that of a cube.

    /// Empty grid around the surface, centred on its bounding box.
    /// @param resolution cells along the longest side
    /// @param thickness  of the wall whose middle the surface is, m: it is in the grid as well; fitted cells
    VoxelGrid(const SurfaceMesh& surface, int resolution, CellShape shape = CellShape::Cubic, double thickness = 0.0);

    int cells(int axis) const { return m_cells[static_cast<std::size_t>(axis)]; }
    bool filled(int i, int j, int k) const { return inside(i, j, k) && m_filled[index(i, j, k)] != 0; }
    const Vector3& cellSize() const { return m_size; }   ///< Sides of every cell, m.
    double cellVolume() const { return m_size.prod(); }  ///< Volume of a cell, m^3.
    /// Which part of the cells along an axis the surface's box takes, (0, 1].
    double fillAlong(int axis) const { return m_fill[axis]; }
    int filledCount() const;

    /// Position of lattice point (i, j, k), 0 <= i <= cells(0) and so on (metres).
    Vector3 corner(int i, int j, int k) const;

    /// A point in units of cells from the grid's corner.
    Vector3 inCells(const Vector3& x) const { return (x - m_origin).cwiseQuotient(m_size); }
    /// Number of a cell in arrays of all cells, z fastest.
    std::size_t index(int i, int j, int k) const {
        return (static_cast<std::size_t>(i) * static_cast<std::size_t>(cells(1)) + static_cast<std::size_t>(j)) *
                   static_cast<std::size_t>(cells(2)) +
               static_cast<std::size_t>(k);
    }
    std::size_t cellCount() const { return m_filled.size(); }
    void setFilled(std::size_t cell, bool filled) { m_filled[cell] = filled ? 1 : 0; }
    bool filled(std::size_t cell) const { return m_filled[cell] != 0; }

    /// Fills every cell that a triangle touches.
    void fillShell(const SurfaceMesh& surface);

    /// Fills every cell that cannot be reached from outside through faces of empty cells.
    void fillInside();

    /// Fills cells until, around every lattice point, filled cells hang together by faces: no two of them are joined
    /// by an edge or a corner alone. @return cells added
    int repairHinges();

    /// Sizes of the face-connected parts, largest first.
    std::vector<int> partSizes() const;

private:
    bool inside(int i, int j, int k) const {
        return i >= 0 && j >= 0 && k >= 0 && i < cells(0) && j < cells(1) && k < cells(2);
    }
    void fillTriangle(const std::array<Vector3, 3>& corners);
    int repairAround(int i, int j, int k);
    int filledNeighbours(const std::array<int, 3>& cell) const;

    std::array<int, 3> m_cells{};
    Vector3 m_size, m_fill = Vector3::Ones();
    Vector3 m_origin;
    std::vector<std::uint8_t> m_filled;
};

/// Calls visit(i, j, k) for every filled cell, z fastest: the order of the bricks.
template <typename Visit>
void forEachFilled(const VoxelGrid& grid, const Visit& visit) {
    for (int i = 0; i < grid.cells(0); ++i)
        for (int j = 0; j < grid.cells(1); ++j)
            for (int k = 0; k < grid.cells(2); ++k)
                if (grid.filled(i, j, k)) visit(i, j, k);
}

}  // namespace pliant
