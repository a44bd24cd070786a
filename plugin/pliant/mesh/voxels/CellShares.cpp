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

/// Calls visit(i, j, k, piece in units of cells) for every cell that a triangle has a part in.
template <typename Visit>
void forEachPiece(const VoxelGrid& grid, const Points& positions, const Triangles& triangles, const Visit& visit) {
    for (Eigen::Index t = 0; t < triangles.cols(); ++t) {
        Piece whole;
        for (int c = 0; c < 3; ++c) whole.add(grid.inCells(positions.col(triangles(c, t))));
        forEachSlab(whole, 0, grid.cells(0), [&](int i, const Piece& inX) {
            forEachSlab(inX, 1, grid.cells(1), [&](int j, const Piece& inY) {
                forEachSlab(inY, 2, grid.cells(2), [&](int k, const Piece& inZ) { visit(i, j, k, inZ); });
            });
        });
    }
}

double snapped(double share) {
    constexpr double rounding = 1e-5;
    if (share < rounding) return 0.0;
    return share > 1.0 - rounding ? 1.0 : share;
}

}  // namespace

// The volume of material in a cell is the sum, over all pieces of the surface above its floor, of the column between
// the piece and the floor (at most up to the ceiling), with the sign of the piece's normal along z.
std::vector<double> volumeShares(const VoxelGrid& grid, const Points& positions, const Triangles& outward) {
    std::vector<double> share(grid.cellCount(), 0.0), over(grid.cellCount(), 0.0);
    forEachPiece(grid, positions, outward, [&](int i, int j, int k, const Piece& piece) {
        double area = 0.0, column = 0.0;  // seen from above, and times the height over the cell's floor
        for (std::size_t c = 2; c < piece.count; ++c) {
            const Vector3 &a = piece.corner[0], &b = piece.corner[c - 1], &d = piece.corner[c];
            const double part = 0.5 * ((b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0]));
            area += part;
            column += part * ((a[2] + b[2] + d[2]) / 3.0 - k);
        }
        const std::size_t cell = grid.index(i, j, k);
        share[cell] += column;
        over[cell] += area;
    });
    for (int i = 0; i < grid.cells(0); ++i)
        for (int j = 0; j < grid.cells(1); ++j) {
            double above = 0.0;
            for (int k = grid.cells(2) - 1; k >= 0; --k) {
                const std::size_t cell = grid.index(i, j, k);
                share[cell] = snapped(share[cell] + above);
                above += over[cell];
            }
        }
    return share;
}

std::vector<double> cellAreas(const VoxelGrid& grid, const SurfaceMesh& surface) {
    std::vector<double> areas(grid.cellCount(), 0.0);
    const Vector3& size = grid.cellSize();
    forEachPiece(grid, surface.positions, surface.triangles, [&](int i, int j, int k, const Piece& piece) {
        Vector3 normal = Vector3::Zero();
        for (std::size_t c = 2; c < piece.count; ++c)
            normal += (piece.corner[c - 1] - piece.corner[0])
                          .cwiseProduct(size)
                          .cross((piece.corner[c] - piece.corner[0]).cwiseProduct(size));
        areas[grid.index(i, j, k)] += 0.5 * normal.norm();
    });
    return areas;
}

}  // namespace pliant
