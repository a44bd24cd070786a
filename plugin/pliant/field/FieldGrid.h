// SPDX-License-Identifier: Zlib
// The grid of a distance field: samples, and bricks of 8 x 8 x 8 cells. Internal to makeDistanceField.
#pragma once

#include <cmath>

#include "pliant/math/Types.h"

namespace pliant {

constexpr int kCellsOfBrick = 8;     ///< Cells along an edge of a brick.
constexpr int kSamplesOfEdge = 9;    ///< Samples along an edge of a brick, both ends among them.
constexpr int kSamplesStored = 729;  ///< Samples of a brick.

struct FieldGrid {
    Vector3 origin = Vector3::Zero();  ///< Place of the first sample, m.
    double spacing = 1.0;              ///< Spacing of the samples, m.
    Eigen::Vector3i bricks{0, 0, 0};

    int brickCount() const { return bricks.prod(); }
    int brickNumber(const Eigen::Vector3i& b) const { return b[0] + bricks[0] * (b[1] + bricks[1] * b[2]); }
    Eigen::Vector3i brick(int number) const {
        return {number % bricks[0], number / bricks[0] % bricks[1], number / (bricks[0] * bricks[1])};
    }
    bool hasBrick(const Eigen::Vector3i& b) const {
        return (b.array() >= 0).all() && (b.array() < bricks.array()).all();
    }
    int cornerCount() const { return (bricks.array() + 1).prod(); }
    int cornerNumber(const Eigen::Vector3i& c) const {
        return c[0] + (bricks[0] + 1) * (c[1] + (bricks[1] + 1) * c[2]);
    }
    Eigen::Vector3i corner(int number) const {
        const int nx = bricks[0] + 1, ny = bricks[1] + 1;
        return {number % nx, number / nx % ny, number / (nx * ny)};
    }
    /// Where a sample lies, m.
    Vector3 place(const Eigen::Vector3i& sample) const { return origin + spacing * sample.cast<double>(); }
    /// From the middle of a brick to its corners, m.
    double brickRadius() const { return 0.5 * std::sqrt(3.0) * kCellsOfBrick * spacing; }
    Vector3 brickMiddle(int number) const {
        return origin + kCellsOfBrick * spacing * (brick(number).cast<double>() + Vector3::Constant(0.5));
    }
    /// Bytes of what the field stores for each brick, whether it has fine samples or not.
    std::size_t tableBytes() const { return 4 * static_cast<std::size_t>(brickCount() + cornerCount()); }
};

/// The grid with the box in its middle and at least `padding` around it, m.
inline FieldGrid gridAround(const Vector3& lower, const Vector3& upper, double spacing, double padding) {
    FieldGrid grid;
    grid.spacing = spacing;
    const double width = kCellsOfBrick * spacing;
    // What is a whole number of bricks but for rounding is that number of bricks.
    for (int k = 0; k < 3; ++k)
        grid.bricks[k] = std::max(1, static_cast<int>(std::ceil((upper[k] - lower[k] + 2.0 * padding) / width - 1e-6)));
    grid.origin = 0.5 * (lower + upper) - 0.5 * width * grid.bricks.cast<double>();
    return grid;
}

}  // namespace pliant
