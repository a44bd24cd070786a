// SPDX-License-Identifier: Zlib
#include "pliant/mesh/voxels/CellShares.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

/// A convex piece of a triangle, in units of cells: cut by six planes it has nine corners at most.
struct Piece {
    std::array<Vector3, 9> corner;
    std::size_t count = 0;

    /// GCC does not see that corners beyond `count` are never read.
    Piece() { corner.fill(Vector3::Zero()); }
    void add(const Vector3& x) {
        if (count < corner.size()) corner[count++] = x;
    }
};

/// The part with sign * x[axis] <= sign * border.
Piece cut(const Piece& piece, int axis, double border, double sign) {
    Piece result;
    for (std::size_t c = 0; c < piece.count; ++c) {
        const Vector3 &a = piece.corner[c], &b = piece.corner[(c + 1) % piece.count];
        const double da = sign * (a[axis] - border), db = sign * (b[axis] - border);
        if (da <= 0.0) result.add(a);
        if ((da < 0.0 && db > 0.0) || (da > 0.0 && db < 0.0)) {
            Vector3 x = a + (da / (da - db)) * (b - a);
            x[axis] = border;
            result.add(x);
        }
    }
    return result;
}

/// Calls visit(cell along the axis, part in it). A piece in the plane between two cells belongs to the upper one.
template <typename Visit>
void forEachSlab(const Piece& piece, int axis, int cells, const Visit& visit) {
    double lower = piece.corner[0][axis], upper = lower;
    for (std::size_t c = 1; c < piece.count; ++c) {
        lower = std::min(lower, piece.corner[c][axis]);
        upper = std::max(upper, piece.corner[c][axis]);
    }
    const int first = std::clamp(static_cast<int>(std::floor(lower)), 0, cells - 1);
    const int last = std::clamp(static_cast<int>(std::ceil(upper)) - 1, first, cells - 1);
    for (int i = first; i <= last; ++i) {
        Piece part = piece;
        if (i > first) part = cut(part, axis, i, -1.0);
        if (i < last) part = cut(part, axis, i + 1, 1.0);
        if (part.count >= 3) visit(i, part);
    }
}

/// Calls visit(i, j, k, piece in units of cells) for every cell that a triangle has a part in. @param corners  a column
/// each, m
template <typename Visit>
void forEachPiece(const VoxelGrid& grid, const Matrix3& corners, const Visit& visit) {
    Piece whole;
    for (int c = 0; c < 3; ++c) whole.add(grid.inCells(corners.col(c)));
    forEachSlab(whole, 0, grid.cells(0), [&](int i, const Piece& inX) {
        forEachSlab(inX, 1, grid.cells(1), [&](int j, const Piece& inY) {
            forEachSlab(inY, 2, grid.cells(2), [&](int k, const Piece& inZ) { visit(i, j, k, inZ); });
        });
    });
}

/// Corners of a triangle, a column each.
Matrix3 cornersOf(const Points& positions, const Triangles& triangles, Eigen::Index t) {
    Matrix3 corners;
    for (int c = 0; c < 3; ++c) corners.col(c) = positions.col(triangles(c, t));
    return corners;
}

double snapped(double share) {
    constexpr double rounding = 1e-5;
    if (share < rounding) return 0.0;
    return share > 1.0 - rounding ? 1.0 : share;
}

/// Calls visit(weight, place) at six points of a triangle; the weights' sum is 1, and polynomials of degree 4 are exact
/// [D85].
template <typename Visit>
void forEachPoint(const Vector3& a, const Vector3& b, const Vector3& c, const Visit& visit) {
    struct Orbit {
        double weight, near;  // barycentric: twice `near`, and once what is left
    };
    constexpr std::array<Orbit, 2> orbits = {
        {{0.22338158967801146570, 0.44594849091596488632}, {0.10995174365532186764, 0.09157621350977074346}}};
    for (const Orbit& orbit : orbits) {
        const double far = 1.0 - 2.0 * orbit.near;
        visit(orbit.weight, Vector3(far * a + orbit.near * (b + c)));
        visit(orbit.weight, Vector3(far * b + orbit.near * (a + c)));
        visit(orbit.weight, Vector3(far * c + orbit.near * (a + b)));
    }
}

/// A triangle seen from above, with the sign of its normal along z, and its mean height over a floor.
struct Column {
    double area, height;
};
Column columnOf(const Vector3& a, const Vector3& b, const Vector3& c, double floor) {
    return {0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])), (a[2] + b[2] + c[2]) / 3.0 - floor};
}

/// Adds the column between a triangle and the floor of the cell at `floor`, and what is added of it to each cell below.
void addColumn(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& floor, CellFilling& own,
               CellFilling& below) {
    const Column column = columnOf(a, b, c, floor[2]);
    const double area = column.area;
    own.share += area * column.height;
    below.share += area;
    forEachPoint(a - floor, b - floor, c - floor, [&](double weight, const Vector3& x) {
        const double w = area * weight, h = x[2];
        own.first += w * h * Vector3(x[0], x[1], 0.5 * h);
        own.second += w * h * Vector3(x[0] * x[0], x[1] * x[1], h * h / 3.0);
        below.first += w * Vector3(x[0], x[1], 0.5);
        below.second += w * Vector3(x[0] * x[0], x[1] * x[1], 1.0 / 3.0);
    });
}

/// Adds a triangle of a sheet. @param corners  a column each, m  @param across  the sheet's normal times its thickness,
/// m
void addLayer(const VoxelGrid& grid, const Matrix3& corners, const Vector3& across, std::vector<CellFilling>& cells) {
    const Vector3& size = grid.cellSize();
    const Vector3 spread = across.cwiseQuotient(size).cwiseAbs2() / 12.0;
    forEachPiece(grid, corners, [&](int i, int j, int k, const Piece& piece) {
        CellFilling& cell = cells[grid.index(i, j, k)];
        const Vector3 floor(i, j, k);
        for (std::size_t c = 2; c < piece.count; ++c) {
            const Vector3 &a = piece.corner[0], &b = piece.corner[c - 1], &d = piece.corner[c];
            const double area = 0.5 * (b - a).cwiseProduct(size).cross((d - a).cwiseProduct(size)).norm();
            const double share = area * across.norm() / grid.cellVolume();
            cell.share += share;
            cell.second += share * spread;
            forEachPoint(a - floor, b - floor, d - floor, [&](double weight, const Vector3& x) {
                cell.first += share * weight * x;
                cell.second += share * weight * x.cwiseAbs2();
            });
        }
    });
}

}  // namespace

// What is in a cell is the sum, over all pieces of the surface above its floor, of the column between the piece and the
// floor (at most up to the ceiling), with the sign of the piece's normal along z.
std::vector<CellFilling> volumeFillings(const VoxelGrid& grid, const Points& positions, const Triangles& outward) {
    std::vector<CellFilling> cells(grid.cellCount()), over(grid.cellCount());
    for (Eigen::Index t = 0; t < outward.cols(); ++t)
        forEachPiece(grid, cornersOf(positions, outward, t), [&](int i, int j, int k, const Piece& piece) {
            const std::size_t cell = grid.index(i, j, k);
            for (std::size_t c = 2; c < piece.count; ++c)
                addColumn(piece.corner[0], piece.corner[c - 1], piece.corner[c], Vector3(i, j, k), cells[cell],
                          over[cell]);
        });
    for (int i = 0; i < grid.cells(0); ++i)
        for (int j = 0; j < grid.cells(1); ++j) {
            CellFilling above;
            for (int k = grid.cells(2) - 1; k >= 0; --k) {
                const std::size_t index = grid.index(i, j, k);
                CellFilling& cell = cells[index];
                cell.share = snapped(cell.share + above.share);
                cell.first += above.first;
                cell.second += above.second;
                above.share += over[index].share;
                above.first += over[index].first;
                above.second += over[index].second;
            }
        }
    return cells;
}

std::vector<double> volumeShares(const VoxelGrid& grid, const Points& positions, const Triangles& outward) {
    std::vector<double> shares(grid.cellCount(), 0.0), over(grid.cellCount(), 0.0);
    for (Eigen::Index t = 0; t < outward.cols(); ++t)
        forEachPiece(grid, cornersOf(positions, outward, t), [&](int i, int j, int k, const Piece& piece) {
            const std::size_t cell = grid.index(i, j, k);
            for (std::size_t c = 2; c < piece.count; ++c) {
                const Column column = columnOf(piece.corner[0], piece.corner[c - 1], piece.corner[c], k);
                shares[cell] += column.area * column.height;
                over[cell] += column.area;
            }
        });
    for (int i = 0; i < grid.cells(0); ++i)
        for (int j = 0; j < grid.cells(1); ++j) {
            double above = 0.0;
            for (int k = grid.cells(2) - 1; k >= 0; --k) {
                const std::size_t cell = grid.index(i, j, k);
                shares[cell] = snapped(shares[cell] + above);
                above += over[cell];
            }
        }
    return shares;
}

int wallLayers(const Vector3& cellSize, double thickness) {
    constexpr double layersInCell = 8.0;
    constexpr int most = 2560;  // more than a grid has room for
    return std::clamp(static_cast<int>(std::ceil(layersInCell * thickness / cellSize.minCoeff())), 3, most);
}

std::vector<CellFilling> sheetFillings(const VoxelGrid& grid, const SurfaceMesh& surface, double thickness) {
    const int layers = wallLayers(grid.cellSize(), thickness);
    const double thin = thickness / layers;
    std::vector<CellFilling> cells(grid.cellCount());
    for (Eigen::Index t = 0; t < surface.triangles.cols(); ++t) {
        const Matrix3 corners = cornersOf(surface.positions, surface.triangles, t);
        const Vector3 normal =
            (corners.col(1) - corners.col(0)).cross(corners.col(2) - corners.col(0)).stableNormalized();
        for (int layer = 0; layer < layers; ++layer) {
            const double offset = (layer + 0.5) * thin - 0.5 * thickness;
            addLayer(grid, corners.colwise() + offset * normal, thin * normal, cells);
        }
    }
    return cells;
}

}  // namespace pliant
