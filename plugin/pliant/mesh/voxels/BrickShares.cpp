// SPDX-License-Identifier: Zlib
#include "pliant/mesh/voxels/BrickShares.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double leastOfMean = 0.05;
/// Of the weights in bending: K stays definite to rounding where walls are far thinner than their bricks. Bricks a
/// thousand times as wide as the wall need less.
constexpr double leastBending = 1e-6;
/// Layers of bricks in bodies whose bricks have an assumed strain. Plain bricks in five layers bend 2 % too fast.
constexpr int mostLayers = 4;

std::array<int, 3> beside(std::array<int, 3> cell, int face) {
    cell[static_cast<std::size_t>(face / 2)] += face % 2 == 0 ? -1 : 1;
    return cell;
}

/// Cells that hold more than fits give it to the filled ones beside them that have room, in equal parts, in a few
/// rounds; what finds none is lost.
void spreadExcess(const VoxelGrid& grid, std::vector<double>& shares) {
    for (int round = 0; round < 16; ++round) {
        std::vector<double> given(shares.size(), 0.0);
        bool any = false;
        forEachFilled(grid, [&](int i, int j, int k) {
            double& own = shares[grid.index(i, j, k)];
            if (!(own > 1.0)) return;
            std::vector<std::size_t> room;
            for (int face = 0; face < 6; ++face) {
                const std::array<int, 3> c = beside({i, j, k}, face);
                if (grid.filled(c[0], c[1], c[2]) && shares[grid.index(c[0], c[1], c[2])] < 1.0)
                    room.push_back(grid.index(c[0], c[1], c[2]));
            }
            if (room.empty()) return;
            for (const std::size_t c : room) given[c] += (own - 1.0) / static_cast<double>(room.size());
            own = 1.0;
            any = true;
        });
        for (std::size_t c = 0; c < shares.size(); ++c) shares[c] += given[c];
        if (!any) break;
    }
    constexpr double rounding = 1e-5;  // of coordinates: such cells are full
    for (double& share : shares) share = share > 1.0 - rounding ? 1.0 : share;
}

/// The box of what fills a cell; whole where that is all of it, or nothing.
/// @param mean share of the cells: what a cell has less than `scarce` of it is made up for by material all over the
/// cell
FilledBox boxOf(const CellFilling& cell, double mean) {
    constexpr double least = 0.02;  // sides of boxes: thinner ones make K ill-conditioned
    constexpr double scarce = 0.08, spreadMost = 0.02;
    if (!(cell.share > 0.0 && cell.share < 1.0 - 1e-5)) return {};
    const double spread = spreadMost * std::max(0.0, mean - cell.share / scarce), all = cell.share + spread;
    const Vector3 middle = ((cell.first + Vector3::Constant(spread / 2.0)) / all).cwiseMax(least).cwiseMin(1.0 - least);
    const Vector3 square = (cell.second + Vector3::Constant(spread / 3.0)) / all - middle.cwiseAbs2();
    const Vector3 reach = (3.0 * square).cwiseMax(least * least / 4.0).cwiseMin(3.0).cwiseSqrt();
    return {middle - reach, middle + reach};
}

}  // namespace

VectorX brickShares(const VoxelGrid& grid, std::vector<double> all) {
    spreadExcess(grid, all);
    VectorX shares(grid.filledCount());
    Eigen::Index next = 0;
    forEachFilled(grid, [&](int i, int j, int k) { shares[next++] = all[grid.index(i, j, k)]; });
    const double least = leastOfMean * shares.mean();
    double lent = 0.0, spare = 0.0;
    for (const double share : shares) {
        lent += std::max(0.0, least - share);
        if (share > least && share < 1.0) spare += share - least;
    }
    const double kept = spare > lent ? 1.0 - lent / spare : 0.0;
    for (double& share : shares) {
        if (share < least)
            share = least;
        else if (share < 1.0)
            share = least + kept * (share - least);
    }
    return shares;
}

FilledBoxes filledBoxes(const VoxelGrid& grid, const std::vector<CellFilling>& cells) {
    FilledBoxes boxes(6, grid.filledCount());
    const Vector3 fill = brickFill(grid);
    bool isCut = false;
    double mean = 0.0;
    forEachFilled(grid, [&](int i, int j, int k) { mean += std::min(1.0, cells[grid.index(i, j, k)].share); });
    mean /= grid.filledCount();
    Eigen::Index next = 0;
    forEachFilled(grid, [&](int i, int j, int k) {
        FilledBox box = boxOf(cells[grid.index(i, j, k)], mean);
        for (int axis = 0; axis < 3; ++axis)
            if (fill[axis] < 1.0) {
                box.lower[axis] = 0.0;
                box.upper[axis] = 1.0;
            }
        isCut = isCut || !box.isWhole();
        boxes.col(next++) << box.lower, box.upper;
    });
    return isCut ? boxes : FilledBoxes();
}

Vector3 brickFill(const VoxelGrid& grid) {
    Vector3 fill = Vector3::Ones();
    for (int axis = 0; axis < 3; ++axis)
        if (grid.cells(axis) == 1) fill[axis] = grid.fillAlong(axis);
    return fill;
}

VectorX brickBending(const VoxelGrid& grid, const VectorX& shares, double nu) {
    const int layers = std::min({grid.cells(0), grid.cells(1), grid.cells(2)});
    if (layers > mostLayers) return VectorX();
    const double fill = brickFill(grid).minCoeff();
    const Vector3& side = grid.cellSize();
    int thin = 0;
    side.minCoeff(&thin);
    const double along = 0.5 * (side.squaredNorm() - side[thin] * side[thin]);  // mean L^2
    // All moduli over E.
    const double P = 1.0 / (1.0 - nu * nu), C11 = (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu)), mu = 0.5 / (1.0 + nu);
    const double full = P / (C11 + mu * along / (side[thin] * side[thin]));
    return VectorX::Constant(shares.size(), std::max(leastBending, full * fill * fill));
}

}  // namespace pliant
