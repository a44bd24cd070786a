// SPDX-License-Identifier: Zlib
// Geometry of one element: volume, containment, weights of a point.
#pragma once

#include <array>

#include "pliant/math/Api.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

/// Corner c of a brick sits at the upper end of axis k when brickCornerBit[c][k] is 1 (Vega's order, see ElementKind).
inline constexpr std::array<std::array<int, 3>, 8> brickCornerBit{
    {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};

/// Positions of an element's corners, a column each (3 x 4 or 3 x 8); no heap memory.
using Corners = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor | Eigen::DontAlign, 3, 8>;
PLIANT_INTERNAL_API Corners elementCorners(const VolumeMesh& mesh, int element);

/// The axis-aligned cuboid that fits a brick's corners best: the mean of the four corners at each end of each axis.
/// For an inverted brick `upper` is below `lower`.
struct Cuboid {
    Vector3 lower, upper;
    double deviation;  ///< Largest distance of a corner from where the cuboid has it, per axis, m.
};
Cuboid fitCuboid(const Corners& corners);

/// The cuboid that fits a brick's corners best, in any orientation.
struct BrickShape {
    Vector3 lower;     ///< Where its first corner is, m.
    Vector3 sides;     ///< Along the brick's own axes, m; one is negative where the brick is inverted.
    Matrix3 axes;      ///< A rotation; its columns are the directions of the sides. Exactly 1 unless `turned`.
    bool turned;       ///< Whether the corners stand on no axis-aligned cuboid.
    double deviation;  ///< Largest distance of a corner from where the cuboid has it, per axis, m.
};
/// The axis-aligned cuboid where the corners stand on one within brickTolerance(), otherwise the one along the means of
/// the four edges of each axis.
PLIANT_INTERNAL_API BrickShape fitBrick(const Corners& corners);

/// How far a brick's corners may be from a cuboid with these sides, m: files carry rounded coordinates.
double brickTolerance(const Vector3& sides);

/// Where x is along the sides of the brick, (0, 0, 0) at its first and (1, 1, 1) at its seventh corner.
PLIANT_INTERNAL_API Vector3 placeInBrick(const BrickShape& shape, const Vector3& x);

/// Means of the four edges along each of its axes, a column an axis, m.
Matrix3 brickEdges(const Corners& corners);

/// Gradients of the shape functions of a brick, a row a corner, 1/m.
/// @param lower 1 - t at the place t of placeInBrick() @param upper t
Eigen::Matrix<double, 8, 3> brickGradients(const BrickShape& shape, const Vector3& lower, const Vector3& upper);

/// Volume (b - a) . ((c - a) x (d - a)) / 6, m^3.
PLIANT_INTERNAL_API double tetrahedronVolume(const Corners& corners);

/// Barycentric coordinates of x, sum 1; negative outside.
std::array<double, 4> tetrahedronWeights(const Corners& corners, const Vector3& x);

/// Trilinear weights of x, sum 1, from the actual corners: sum_c weight_c corner_c = x also for a brick whose
/// coordinates were rounded. Outside the brick they extrapolate.
std::array<double, 8> brickWeights(const Corners& corners, const Vector3& x);

/// Distance of x from the element, 0 inside (metres).
double distanceToTetrahedron(const Corners& corners, const Vector3& x);
double distanceToBrick(const Corners& corners, const Vector3& x);

}  // namespace pliant
