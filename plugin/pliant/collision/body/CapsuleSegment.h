// SPDX-License-Identifier: Zlib
/// @file
/// A piece of a body's skeleton as collision sees it.
#pragma once

#include "pliant/math/Types.h"

namespace pliant {

/// A segment of a body's skeleton in the world: what a sphere fills whose radius goes linearly from end to end.
struct CapsuleSegment {
    int index = -1;                                       ///< Number of the segment.
    Vector3 end[2] = {Vector3::Zero(), Vector3::Zero()};  ///< Centres of both ends, world, m.
    double radius[2] = {0.0, 0.0};                        ///< Radii at both ends, m.
};

}  // namespace pliant
