// SPDX-License-Identifier: Zlib
// Internal: velocities of the points of an element, by those of its bodies.
#pragma once

#include "btPliant/touch/TouchConstraint.h"

namespace btPliantInternal {

/// Fills J D of a point: along its normal, frames and modes each along their own, and, where three are asked for, along
/// both tangents, positive where the body of the shell moves along them.
/// @param count of rows, 1 or 3 @param rows of dimension(), written
void makeTouchRows(TouchConstraint& touch, const TouchPoint& point, int count, double* rows);
/// Velocity of a body that the solver does not move, at a place of the world, m/s.
pliant::Vector3 givenVelocity(const TouchSide& side, const pliant::Vector3& place);

}  // namespace btPliantInternal
