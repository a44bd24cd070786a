// SPDX-License-Identifier: Zlib
/// @file
/// Where bodies are between two moments.
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/view/Poses.h"

namespace pliant {

/// Where bodies are between two moments: positions and reduced coordinates on straight lines, rotations on the shortest
/// arc at a constant rate.
/// @param from   at share 0, one Poses a model
/// @param to     at share 1; the same models and bodies, else it is taken as it is
/// @param share  0 to 1; others are cut off
/// @param poses  written; memory is used again
PLIANT_API void interpolatePoses(const std::vector<Poses>& from, const std::vector<Poses>& to, double share,
                                 std::vector<Poses>& poses);

}  // namespace pliant
