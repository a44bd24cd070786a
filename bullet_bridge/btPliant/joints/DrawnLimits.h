// SPDX-License-Identifier: Zlib
// Internal: limits of Bullet's joints along some of their axes, as debug lines.
#pragma once

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>
#include <LinearMath/btIDebugDraw.h>

namespace btPliantInternal {

/// Whether a joint of six axes, or a slider, is free along or about one of them. Bullet then draws limits that are not
/// there: from the least of 1 to the most of -1, by which it knows that the axis is free.
bool hasFreeAxis(btTypedConstraint& constraint);

/// The limits of the other axes of such a joint: a line along each, an arc about each. What is locked has none.
void drawLimitsOfOtherAxes(btTypedConstraint& constraint, btIDebugDraw& drawer);

}  // namespace btPliantInternal
