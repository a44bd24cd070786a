// SPDX-License-Identifier: Zlib
#include <array>
#include <cmath>
#include <map>

#include "ImplicitShape.h"

namespace solids {
namespace {

using pliant::Vector3;

/// Values of the distance at the corners of a grid of cubes.
class Grid {
public:
    explicit Grid(const ImplicitShape& shape) : m_shape(shape) {
        for (int a = 0; a < 3; ++a)
            m_cells[static_cast<std::size_t>(a)] =
                static_cast<int>(std::ceil((shape.upper[a] - shape.lower[a]) / shape.cell[a]));
        m_values.reserve(static_cast<std::size_t>((m_cells[0] + 1) * (m_cells[1] + 1) * (m_cells[2] + 1)));
        for (int k = 0; k <= m_cells[2]; ++k)
            for (int j = 0; j <= m_cells[1]; ++j)
                for (int i = 0; i <= m_cells[0]; ++i) m_values.push_back(shape.distance(corner({i, j, k})));
    }

    using Index = std::array<int, 3>;
    int cells(int axis) const { return m_cells[static_cast<std::size_t>(axis)]; }
    Vector3 corner(const Index& at) const {
        return m_shape.lower + m_shape.cell.cwiseProduct(Vector3(at[0], at[1], at[2]));
    }
    double value(const Index& at) const { return m_values[static_cast<std::size_t>(number(at))]; }
    int number(const Index& at) const { return (at[2] * (m_cells[1] + 1) + at[1]) * (m_cells[0] + 1) + at[0]; }

private:
    const ImplicitShape& m_shape;
    Index m_cells{};
    std::vector<double> m_values;
};

Vector3 gradient(const ImplicitShape& shape, const Vector3& p) {
    const double h = 1e-3 * shape.cell.minCoeff();
    Vector3 g;
    for (int a = 0; a < 3; ++a) {
        const Vector3 step = h * Vector3::Unit(a);
        g[a] = (shape.distance(p + step) - shape.distance(p - step)) / (2.0 * h);
    }
    return g;
}

/// Newton's steps along the gradient, none longer than half a cell's side.
Vector3 onSurface(const ImplicitShape& shape, Vector3 p) {
    const double longest = 0.5 * shape.cell.minCoeff();
    for (int i = 0; i < 8; ++i) {
        const Vector3 g = gradient(shape, p);
        Vector3 step = -shape.distance(p) * g / std::max(1e-6, g.squaredNorm());
        if (step.norm() > longest) step *= longest / step.norm();
        p += step;
    }
    return p;
}

/// The vertices of cells that the surface passes through, made when first asked for.
class Vertices {
public:
    Vertices(const ImplicitShape& shape, const Grid& grid) : m_shape(shape), m_grid(grid) {}

    int of(const Grid::Index& cell) {
        const auto [entry, isNew] = m_numbers.try_emplace(m_grid.number(cell), static_cast<int>(positions.size()));
        if (isNew) positions.push_back(onSurface(m_shape, middleOfCrossings(cell)));
        return entry->second;
    }

    std::vector<Vector3> positions;

private:
    /// Mean of the points where the cell's twelve edges cross the surface.
    Vector3 middleOfCrossings(const Grid::Index& cell) const {
        Vector3 sum = Vector3::Zero();
        int count = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (int other = 0; other < 4; ++other) {
                Grid::Index from = cell;
                from[(axis + 1) % 3] += other & 1;
                from[(axis + 2) % 3] += other >> 1;
                Grid::Index to = from;
                ++to[axis];
                const double a = m_grid.value(from), b = m_grid.value(to);
                if ((a < 0) == (b < 0)) continue;
                sum += m_grid.corner(from) + a / (a - b) * (m_grid.corner(to) - m_grid.corner(from));
                ++count;
            }
        return sum / count;
    }

    const ImplicitShape& m_shape;
    const Grid& m_grid;
    std::map<int, int> m_numbers;
};

/// The four cells around an edge of the grid, anticlockwise seen from the edge's far end.
std::array<Grid::Index, 4> cellsAround(const Grid::Index& from, std::size_t axis) {
    std::array<Grid::Index, 4> cells;
    const int back[4][2] = {{1, 1}, {0, 1}, {0, 0}, {1, 0}};
    for (std::size_t c = 0; c < 4; ++c) {
        cells[c] = from;
        cells[c][(axis + 1) % 3] -= back[c][0];
        cells[c][(axis + 2) % 3] -= back[c][1];
    }
    return cells;
}

}  // namespace

pliant::SurfaceMesh surfaceOf(const ImplicitShape& shape) {
    const Grid grid(shape);
    Vertices vertices(shape, grid);
    std::vector<std::array<int, 3>> triangles;
    const auto addEdge = [&](const Grid::Index& from, std::size_t axis) {
        Grid::Index to = from;
        ++to[axis];
        const bool leaves = grid.value(from) < 0;
        if (leaves == (grid.value(to) < 0)) return;
        std::array<int, 4> quad{};
        const std::array<Grid::Index, 4> cells = cellsAround(from, axis);
        for (std::size_t c = 0; c < 4; ++c) quad[c] = vertices.of(cells[leaves ? c : 3 - c]);
        const auto length = [&](std::size_t a, std::size_t b) {
            return (vertices.positions[static_cast<std::size_t>(quad[a])] -
                    vertices.positions[static_cast<std::size_t>(quad[b])])
                .norm();
        };
        const std::size_t s = length(0, 2) <= length(1, 3) ? 0 : 1;
        triangles.push_back({quad[s], quad[s + 1], quad[s + 2]});
        triangles.push_back({quad[s], quad[s + 2], quad[(s + 3) % 4]});
    };
    for (int k = 1; k < grid.cells(2); ++k)
        for (int j = 1; j < grid.cells(1); ++j)
            for (int i = 1; i < grid.cells(0); ++i)
                for (std::size_t axis = 0; axis < 3; ++axis) addEdge({i, j, k}, axis);

    pliant::SurfaceMesh mesh;
    const auto n = static_cast<Eigen::Index>(vertices.positions.size());
    mesh.positions.resize(3, n);
    mesh.normals.resize(3, n);
    mesh.texcoords.resize(2, 0);
    mesh.colours.resize(4, 0);
    for (Eigen::Index v = 0; v < n; ++v) {
        const Vector3& p = vertices.positions[static_cast<std::size_t>(v)];
        mesh.positions.col(v) = p;
        mesh.normals.col(v) = gradient(shape, p).normalized();
    }
    mesh.triangles.resize(3, static_cast<Eigen::Index>(triangles.size()));
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        Vector3 middle = Vector3::Zero();
        for (int c = 0; c < 3; ++c) {
            const int v = triangles[t][static_cast<std::size_t>(c)];
            mesh.triangles(c, static_cast<Eigen::Index>(t)) = v;
            middle += vertices.positions[static_cast<std::size_t>(v)] / 3.0;
        }
        mesh.triangleMaterial.push_back(shape.materialAt(middle));
    }
    mesh.materials = shape.materials;
    return mesh;
}

}  // namespace solids
