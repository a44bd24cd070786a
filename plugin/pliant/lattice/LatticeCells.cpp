// SPDX-License-Identifier: Zlib
#include "pliant/lattice/LatticeCells.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "pliant/mesh/voxels/TriangleBoxTest.h"
#include "pliant/skeleton/PointTree.h"

namespace pliant {

CellGrid gridAround(const SurfaceMesh& surface, const Vector3& anchor, double spacing) {
    CellGrid grid;
    grid.spacing = spacing;
    const Vector3 lower = surface.positions.rowwise().minCoeff(), upper = surface.positions.rowwise().maxCoeff();
    for (int k = 0; k < 3; ++k) {
        // A surface that ends at a cell's face up to rounding ends there.
        const double first = std::floor((lower[k] - anchor[k]) / spacing + 1e-6) - 2.0;
        const double last = std::ceil((upper[k] - anchor[k]) / spacing - 1e-6) + 2.0;
        grid.origin[k] = anchor[k] + first * spacing;
        grid.cells[k] = static_cast<int>(last - first);
    }
    return grid;
}

std::vector<int> cellsNearSurface(const SurfaceMesh& surface, const CellGrid& grid) {
    std::vector<char> near(static_cast<std::size_t>(grid.count()), 0);
    for (int t = 0; t < surface.triangleCount(); ++t) {
        std::array<Vector3, 3> corners;
        for (std::size_t k = 0; k < 3; ++k)
            corners[k] =
                (surface.positions.col(surface.triangles(static_cast<int>(k), t)) - grid.origin) / grid.spacing;
        const Vector3 lower = corners[0].cwiseMin(corners[1]).cwiseMin(corners[2]);
        const Vector3 upper = corners[0].cwiseMax(corners[1]).cwiseMax(corners[2]);
        const TriangleBoxTest test(corners);
        Eigen::Vector3i first, last;
        for (int k = 0; k < 3; ++k) {
            first[k] = std::clamp(static_cast<int>(std::floor(lower[k] - 1e-6)), 1, grid.cells[k] - 2);
            last[k] = std::clamp(static_cast<int>(std::floor(upper[k] + 1e-6)), 1, grid.cells[k] - 2);
        }
        for (int z = first[2]; z <= last[2]; ++z)
            for (int y = first[1]; y <= last[1]; ++y)
                for (int x = first[0]; x <= last[0]; ++x) {
                    char& mark = near[static_cast<std::size_t>(grid.number(x, y, z))];
                    if (mark != 2 && test.touches(Vector3(x + 0.5, y + 0.5, z + 0.5))) mark = 2;
                }
    }
    std::vector<int> cells;
    for (int c = 0; c < grid.count(); ++c) {
        if (near[static_cast<std::size_t>(c)] != 2) continue;
        const Eigen::Vector3i at = grid.place(c);  // never at the grid's border
        for (int z = -1; z <= 1; ++z)
            for (int y = -1; y <= 1; ++y)
                for (int x = -1; x <= 1; ++x) {
                    char& mark = near[static_cast<std::size_t>(grid.number(at[0] + x, at[1] + y, at[2] + z))];
                    if (mark == 0) mark = 1;
                }
    }
    for (int c = 0; c < grid.count(); ++c)
        if (near[static_cast<std::size_t>(c)] != 0) cells.push_back(c);
    return cells;
}

std::vector<int> nearestCells(const CellGrid& grid, const std::vector<int>& cells) {
    Points places(3, static_cast<Eigen::Index>(cells.size()));
    std::vector<int> numbers(static_cast<std::size_t>(grid.count()), -1);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        places.col(static_cast<Eigen::Index>(i)) = grid.place(cells[i]).cast<double>();
        numbers[static_cast<std::size_t>(cells[i])] = static_cast<int>(i);
    }
    const PointTree tree(places);
    for (int c = 0; c < grid.count(); ++c)
        if (int& number = numbers[static_cast<std::size_t>(c)]; number < 0)
            number = tree.nearest(grid.place(c).cast<double>());
    return numbers;
}

std::vector<int> cellVertices(const CellGrid& grid, const std::vector<int>& cells,
                              Matrix<int, 8, Eigen::Dynamic>& corners) {
    const int X = grid.cells[0] + 1, Y = grid.cells[1] + 1;
    corners.resize(8, static_cast<Eigen::Index>(cells.size()));
    std::vector<int> vertices;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Eigen::Vector3i at = grid.place(cells[i]);
        for (int c = 0; c < 8; ++c) {
            const int vertex = at[0] + (c & 1) + X * (at[1] + (c >> 1 & 1) + Y * (at[2] + (c >> 2)));
            corners(c, static_cast<Eigen::Index>(i)) = vertex;
            vertices.push_back(vertex);
        }
    }
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    for (Eigen::Index i = 0; i < corners.size(); ++i) {
        int& corner = corners.data()[i];
        corner = static_cast<int>(std::lower_bound(vertices.begin(), vertices.end(), corner) - vertices.begin());
    }
    return vertices;
}

}  // namespace pliant
