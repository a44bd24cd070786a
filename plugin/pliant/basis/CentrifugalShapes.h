// SPDX-License-Identifier: Zlib
// What a spinning body stretches into, to first order.
#pragma once

#include "pliant/basis/StaticCompliance.h"

namespace pliant {

/// Linear static answers to the six independent centrifugal loads, 3n x 6: a constant angular velocity W makes the load
/// rho (W'W 1 - W W') X, a symmetric linear field of X about the centre of mass, and six fields span those. Free bodies
/// answer with inertia relief, anchored ones from their anchors.
MatrixX centrifugalShapes(const StaticCompliance& compliance);

}  // namespace pliant
