// SPDX-License-Identifier: Zlib
/// @file
/// Systems of six unknowns, some of which nothing may hold.
#pragma once

#include "pliant/hand/ToolPose.h"

namespace pliant {

/// The step of least length that balances a wrench in the directions that are held, and the directions that are not.
struct ScaledStep {
    Vector6 step = Vector6::Zero();  ///< Translation (m) and rotation vector (rad); none along free directions.
    int freeCount = 0;               ///< Number of directions that nothing holds.
    /// Orthonormal basis of them in its first `freeCount` columns, rotations in units of rad x gyration radius.
    Matrix6 freeDirections = Matrix6::Zero();
};

/// Solves slope * step = -wrench. Rotations are multiplied by a length first, so that N/m is not compared with N m: a
/// direction is free where its singular value is below `freeBelow`. [B07, 4.10] compares with 1e-3 of the largest one,
/// in SI units, which drops what the coupling holds wherever contact is more than a thousand times as stiff.
/// Well-posed systems are solved by elimination, others by a singular value decomposition.
/// @param slope  derivative of the wrench by translation and rotation vector, finite
/// @param gyrationRadius that length, m, > 0
/// @param freeBelow least stiffness that counts as held, N/m, > 0; no less than 1e-9 of the largest is taken
PLIANT_API ScaledStep solveScaled(const Matrix6& slope, const Vector6& wrench, double gyrationRadius, double freeBelow);

/// Part of `gap` (m, rad) along the free directions: V_d V_d' gap in scaled units ([B07, (4.41)], for rotations too).
PLIANT_API Vector6 freePart(const ScaledStep& step, const Vector6& gap, double gyrationRadius);

}  // namespace pliant
