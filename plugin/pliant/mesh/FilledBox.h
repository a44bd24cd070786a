// SPDX-License-Identifier: Zlib
/// @file
/// Where the material of a brick is that a surface cuts.
#pragma once

#include <cmath>

#include "pliant/math/Types.h"

namespace pliant {

/// A box that stands for the material in a brick: it has the material's centroid and, along each axis, its second
/// moment. Places are along the brick's own sides, (0, 0, 0) at its first and (1, 1, 1) at its seventh corner.
struct FilledBox {
    Vector3 lower = Vector3::Zero();  ///< Below 0 where material is spread unevenly.
    Vector3 upper = Vector3::Ones();  ///< Above 1 where material is spread unevenly.

    /// Whether it is all of the brick.
    bool isWhole() const { return (lower.array() == 0.0).all() && (upper.array() == 1.0).all(); }
    /// Mean of the places in the box.
    Vector3 middle() const { return 0.5 * (lower + upper); }
    /// Root mean square of the places' distance from middle(), along each axis.
    Vector3 deviation() const { return (upper - lower) / std::sqrt(12.0); }
    /// Mean over the box of the product of two functions that are linear along an axis: 1 - t for end 0, t for end 1.
    double meanProduct(int axis, int a, int b) const {
        if (isWhole()) return a == b ? 1.0 / 3.0 : 1.0 / 6.0;
        const double t = middle()[axis], square = t * t + deviation()[axis] * deviation()[axis];
        if (a != b) return t - square;
        return a == 1 ? square : 1.0 - 2.0 * t + square;
    }
};

/// Boxes of the m bricks of a mesh, 6 x m: rows 0..2 `lower`, rows 3..5 `upper`.
using FilledBoxes = Matrix<double, 6, Eigen::Dynamic>;

/// Whether boxes have a size, and reach no further beyond their bricks than material in them may make them.
inline bool possibleBoxes(const FilledBoxes& boxes) {
    const auto lower = boxes.topRows<3>().array(), upper = boxes.bottomRows<3>().array();
    return (lower > -2.0).all() && (upper < 3.0).all() && (upper - lower > 1e-3).all();
}

}  // namespace pliant
