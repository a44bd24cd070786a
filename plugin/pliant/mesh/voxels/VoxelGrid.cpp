// SPDX-License-Identifier: Zlib
#include "pliant/mesh/voxels/VoxelGrid.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/math/Error.h"
#include "pliant/mesh/voxels/TriangleBoxTest.h"

namespace pliant {

namespace {

using Cell = std::array<int, 3>;

constexpr std::array<Cell, 6> faceSteps{{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}}};

Cell operator+(const Cell& a, const Cell& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

/// The eight cells around a lattice point as bits of a mask; bit b is at (b & 1, b >> 1 & 1, b >> 2).
/// Labels of the face-connected groups of a mask: label[b] >= 0 for filled cells. @return number of groups
int groupsAround(unsigned mask, std::array<int, 8>& label) {
    label.fill(-1);
    int groups = 0;
    for (unsigned seed = 0; seed < 8; ++seed) {
        if (!(mask >> seed & 1U) || label[seed] >= 0) continue;
        label[seed] = groups;
        for (int round = 0; round < 8; ++round)
            for (unsigned b = 0; b < 8; ++b)
                for (unsigned axis = 0; axis < 3; ++axis)
                    if (label[b] == groups && (mask >> (b ^ (1U << axis)) & 1U)) label[b ^ (1U << axis)] = groups;
        ++groups;
    }
    return groups;
}

/// Whether the filled cells around a lattice point are all face-connected, for each of the 256 masks.
std::array<bool, 256> connectedMasks() {
    std::array<bool, 256> connected{};
    std::array<int, 8> label{};
    for (unsigned mask = 0; mask < 256; ++mask) connected[mask] = groupsAround(mask, label) <= 1;
    return connected;
}

/// Different groups that share a face with empty cell b.
int groupsBeside(unsigned b, const std::array<int, 8>& label) {
    unsigned seen = 0;
    for (unsigned axis = 0; axis < 3; ++axis)
        if (const int g = label[b ^ (1U << axis)]; g >= 0) seen |= 1U << static_cast<unsigned>(g);
    return static_cast<int>((seen & 1U) + (seen >> 1 & 1U) + (seen >> 2 & 1U) + (seen >> 3 & 1U));
}

/// Of length 1; 0 where the triangle has no area but for rounding.
Vector3 triangleNormal(const SurfaceMesh& surface, int t) {
    const Vector3 a = surface.positions.col(surface.triangles(0, t));
    const Vector3 b = surface.positions.col(surface.triangles(1, t)),
                  c = surface.positions.col(surface.triangles(2, t));
    const Vector3 normal = (b - a).cross(c - a);
    const double longest = std::max({(b - a).squaredNorm(), (c - a).squaredNorm(), (c - b).squaredNorm()});
    return normal.norm() > 1e-9 * longest ? Vector3(normal.normalized()) : Vector3(Vector3::Zero());
}

}  // namespace

VoxelGrid::VoxelGrid(const SurfaceMesh& surface, int resolution, CellShape shape, double thickness) {
    // Only corners of triangles count: a stray vertex shall not widen the grid.
    Vector3 lower = Vector3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
    for (int t = 0; t < surface.triangleCount(); ++t) {
        const Vector3 half = 0.5 * thickness * triangleNormal(surface, t).cwiseAbs();
        for (int c = 0; c < 3; ++c) {
            lower = lower.cwiseMin(surface.positions.col(surface.triangles(c, t)) - half);
            upper = upper.cwiseMax(surface.positions.col(surface.triangles(c, t)) + half);
        }
    }
    const double longest = (upper - lower).maxCoeff();
    if (!(longest > 0.0)) throw Error("", "all points of the surface coincide", "give a surface with an extent");
    // A hair more than the surface, so that rounding leaves no vertex outside.
    const double hair = 1e-9 * longest + 8.0 * std::numeric_limits<double>::epsilon() *
                                             std::max(lower.cwiseAbs().maxCoeff(), upper.cwiseAbs().maxCoeff());
    const double side = (longest + 2.0 * hair) / resolution;
    for (int axis = 0; axis < 3; ++axis) {
        const double extent = upper[axis] - lower[axis];
        const double count = std::ceil((extent + hair) / side - 1e-6 / resolution);
        m_cells[static_cast<std::size_t>(axis)] = std::clamp(static_cast<int>(count), 1, resolution);
        m_size[axis] = side;
        if (shape == CellShape::Fitted) {
            m_size[axis] = std::max((extent + 2.0 * hair) / cells(axis), flattest * side);
            m_fill[axis] = std::min(1.0, (extent + 2.0 * hair) / (m_size[axis] * cells(axis)));
        }
        m_origin[axis] = 0.5 * (lower[axis] + upper[axis]) - 0.5 * m_size[axis] * cells(axis);
    }
    m_filled.assign(index(cells(0) - 1, cells(1) - 1, cells(2) - 1) + 1, 0);
}

int VoxelGrid::filledCount() const {
    return static_cast<int>(m_filled.size() -
                            static_cast<std::size_t>(std::count(m_filled.begin(), m_filled.end(), 0)));
}

Vector3 VoxelGrid::corner(int i, int j, int k) const {
    return m_origin + m_size.cwiseProduct(Vector3(i, j, k));
}

void VoxelGrid::fillShell(const SurfaceMesh& surface) {
    for (int t = 0; t < surface.triangleCount(); ++t) {
        std::array<Vector3, 3> x;
        for (int c = 0; c < 3; ++c)
            x[static_cast<std::size_t>(c)] = inCells(surface.positions.col(surface.triangles(c, t)));
        fillTriangle(x);
    }
}

void VoxelGrid::fillTriangle(const std::array<Vector3, 3>& x) {
    const Vector3 lower = x[0].cwiseMin(x[1]).cwiseMin(x[2]), upper = x[0].cwiseMax(x[1]).cwiseMax(x[2]);
    Cell first, last;
    for (int axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        first[a] = std::clamp(static_cast<int>(std::floor(lower[axis] - TriangleBoxTest::slack)), 0, m_cells[a] - 1);
        last[a] = std::clamp(static_cast<int>(std::floor(upper[axis] + TriangleBoxTest::slack)), 0, m_cells[a] - 1);
    }
    const TriangleBoxTest test(x);
    for (int i = first[0]; i <= last[0]; ++i)
        for (int j = first[1]; j <= last[1]; ++j)
            for (int k = first[2]; k <= last[2]; ++k) {
                std::uint8_t& cell = m_filled[index(i, j, k)];
                if (cell == 0 && test.touches(Vector3(i + 0.5, j + 0.5, k + 0.5))) cell = 1;
            }
}

void VoxelGrid::fillInside() {
    // Paint the outside with 2: start from every empty cell at the border of the grid.
    std::vector<Cell> open;
    const auto paint = [&](const Cell& c) {
        if (!inside(c[0], c[1], c[2])) return;
        std::uint8_t& cell = m_filled[index(c[0], c[1], c[2])];
        if (cell != 0) return;
        cell = 2;
        open.push_back(c);
    };
    for (int i = 0; i < cells(0); ++i)
        for (int j = 0; j < cells(1); ++j)
            for (int k = 0; k < cells(2); ++k)
                if (i == 0 || j == 0 || k == 0 || i == cells(0) - 1 || j == cells(1) - 1 || k == cells(2) - 1)
                    paint({i, j, k});
    while (!open.empty()) {
        const Cell c = open.back();
        open.pop_back();
        for (const Cell& step : faceSteps) paint(c + step);
    }
    for (std::uint8_t& cell : m_filled) cell = cell == 2 ? 0 : 1;
}

int VoxelGrid::filledNeighbours(const Cell& cell) const {
    int count = 0;
    for (const Cell& step : faceSteps) {
        const Cell c = cell + step;
        count += filled(c[0], c[1], c[2]) ? 1 : 0;
    }
    return count;
}

int VoxelGrid::repairHinges() {
    int added = 0, before = -1;
    while (added != before) {
        before = added;
        for (int i = 0; i <= cells(0); ++i)
            for (int j = 0; j <= cells(1); ++j)
                for (int k = 0; k <= cells(2); ++k) added += repairAround(i, j, k);
    }
    return added;
}

int VoxelGrid::repairAround(int i, int j, int k) {
    static const std::array<bool, 256> connected = connectedMasks();
    const auto cellAt = [&](unsigned b) {
        return Cell{i - 1 + static_cast<int>(b & 1U), j - 1 + static_cast<int>(b >> 1 & 1U),
                    k - 1 + static_cast<int>(b >> 2)};
    };
    unsigned mask = 0;
    for (unsigned b = 0; b < 8; ++b) {
        const Cell c = cellAt(b);
        mask |= filled(c[0], c[1], c[2]) ? 1U << b : 0U;
    }
    int added = 0;
    while (!connected[mask]) {
        std::array<int, 8> label{};
        groupsAround(mask, label);
        // The cell that joins most groups; of these the one with most filled neighbours; of these the first.
        unsigned best = 8;
        std::array<int, 2> bestRank{-1, -1};
        for (unsigned b = 0; b < 8; ++b) {
            const Cell c = cellAt(b);
            if ((mask >> b & 1U) || !inside(c[0], c[1], c[2])) continue;
            const std::array<int, 2> rank{groupsBeside(b, label), filledNeighbours(c)};
            if (rank > bestRank) {
                bestRank = rank;
                best = b;
            }
        }
        const Cell c = cellAt(best);
        m_filled[index(c[0], c[1], c[2])] = 1;
        mask |= 1U << best;
        ++added;
    }
    return added;
}

std::vector<int> VoxelGrid::partSizes() const {
    std::vector<std::uint8_t> left = m_filled;
    std::vector<int> sizes;
    std::vector<Cell> open;
    const auto take = [&](const Cell& c) {
        if (!inside(c[0], c[1], c[2])) return;
        std::uint8_t& cell = left[index(c[0], c[1], c[2])];
        if (cell == 0) return;
        cell = 0;
        ++sizes.back();
        open.push_back(c);
    };
    for (int i = 0; i < cells(0); ++i)
        for (int j = 0; j < cells(1); ++j)
            for (int k = 0; k < cells(2); ++k) {
                if (left[index(i, j, k)] == 0) continue;
                sizes.push_back(0);
                take({i, j, k});
                while (!open.empty()) {
                    const Cell c = open.back();
                    open.pop_back();
                    for (const Cell& step : faceSteps) take(c + step);
                }
            }
    std::sort(sizes.rbegin(), sizes.rend());
    return sizes;
}

}  // namespace pliant
