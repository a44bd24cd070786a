// SPDX-License-Identifier: Zlib
// The twelve numbers of a pair of bones that the forces on flesh are linear in.
#pragma once

#include "pliant/math/Api.h"
#include "pliant/rig/PoseMotion.h"

namespace pliant {

/// For each pair (b, c), entry (i, k) at 12 p + i + 3 k:
///
///     inertia [R_b' L''_c | R_b' (t''_c - g)],      pose [R_b' L_c - scale_b | R_b' (t_c - t_b)]
///
/// @param pairs 2 x P  @param bones T_b with derivatives, one a bone  @param gravity g, m/s^2
/// @param inertia, pose 12P numbers each, written
PLIANT_INTERNAL_API void pairColumns(const Matrix<int, 2, Eigen::Dynamic>& pairs, const MovingFrame* bones,
                                     const Vector3& gravity, double* inertia, double* pose);

}  // namespace pliant
