// SPDX-License-Identifier: Zlib
// The Lipschitz number of an interpolated field. Internal to makeDistanceField.
#pragma once

#include "pliant/model/ContactSurface.h"

namespace pliant {

/// The largest length of the gradient anywhere, at least 1, which is what there is outside of the box. Inside a cell
/// each component is linear along the other two axes and constant along its own: its square is convex along every axis,
/// so the length is largest at a corner of the cell.
double steepestSlope(const DistanceField& field);

}  // namespace pliant
