// SPDX-License-Identifier: Zlib
/// @file
/// Rows by which the joints of a ragdoll hold its limbs, and those by which they stop them at the end of their range.
///
/// With R = Rx(a) Ry(b) Rz(c) the turn of a limb from the middle of its range, in axes of the joint on the parent, and
/// w the angular velocity of the limb less that of its parent in the same axes,
///
///     w = G (a', b', c'),     G = [x, Rx y, Rx Ry z],     det G = cos b
///
/// so that the rate of an angle is a row of G^-1 times w; b stays below a right angle (JointRange).
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/runtime/ragdoll/RagdollMotion.h"

namespace pliant {

/// J' of the rows that hold without a limit, a column each: limbs meet at their joints (three, m/s), and angles whose
/// range has no width stand still (rad/s). @param system placed at `bones`  @param holds one a limb
PLIANT_INTERNAL_API MatrixX jointRows(const RagdollSystem& system, const std::vector<LimbHold>& holds,
                                      const std::vector<AffineMap>& bones);

/// The same, written: allocates nothing where J has its size.
PLIANT_INTERNAL_API void jointRows(const RagdollSystem& system, const std::vector<LimbHold>& holds,
                                   const std::vector<AffineMap>& bones, MatrixX& J);

/// An end of a joint's range, which pushes back.
struct JointLimit {
    int limb = 0, axis = 0;          ///< The limb and the axis of its range.
    bool isUpper = false;            ///< Whether it is the upper end of the range.
    double gap = 0.0;                ///< Angle to the end, rad; < 0: beyond it.
    Vector3 turn = Vector3::Zero();  ///< Rate of the gap per angular velocity of the limb, world.
};

/// Ends that a joint is closer to than `reach`. @param limits replaced
PLIANT_INTERNAL_API void jointLimits(const RagdollModel& model, const std::vector<LimbHold>& holds,
                                     const std::vector<AffineMap>& bones, double reach,
                                     std::vector<JointLimit>& limits);

/// The rate of a limit's gap, rad/s. @param V of the limbs, 6 each
PLIANT_INTERNAL_API double gapRate(const RagdollModel& model, const JointLimit& limit, const VectorX& V);

}  // namespace pliant
