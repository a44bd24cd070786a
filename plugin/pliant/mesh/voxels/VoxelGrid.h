// SPDX-License-Identifier: Zlib
// A grid of cubic cells, some filled.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

class VoxelGrid {
public:
    /// Empty grid around the surface, centred on its bounding box. @param resolution cells along the longest side
    VoxelGrid(const SurfaceMesh& surface, int resolution);

    int cells(int axis) const { return m_cells[static_cast<std::size_t>(axis)]; }
    bool filled(int i, int j, int k) const { return inside(i, j, k) && m_filled[index(i, j, k)] != 0; }
    double cellSize() const { return m_size; }
    int filledCount() const;

    /// Position of lattice point (i, j, k), 0 <= i <= cells(0) and so on (metres).
    Vector3 corner(int i, int j, int k) const;

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
    std::size_t index(int i, int j, int k) const {
        return (static_cast<std::size_t>(i) * static_cast<std::size_t>(cells(1)) + static_cast<std::size_t>(j)) *
                   static_cast<std::size_t>(cells(2)) +
               static_cast<std::size_t>(k);
    }
    void fillTriangle(const std::array<Vector3, 3>& corners);
    int repairAround(int i, int j, int k);
    int filledNeighbours(const std::array<int, 3>& cell) const;

    std::array<int, 3> m_cells{};
    double m_size = 0.0;
    Vector3 m_origin;
    std::vector<std::uint8_t> m_filled;
};

}  // namespace pliant
