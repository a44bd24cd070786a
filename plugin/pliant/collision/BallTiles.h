// SPDX-License-Identifier: Zlib
// Balls of a skeleton side by side, as the kernels read them. Internal to collision/.
#pragma once

#include <vector>

#include "pliant/model/ReducedModel.h"

namespace pliant {

/// As moveBalls() reads them (BallKernels.h); the last tile is filled up with the last ball.
struct BallTiles {
    int tiles = 0;
    std::vector<float> coefficients;  ///< tiles x (1 + r) x 3 x 16
    std::vector<float> radii;         ///< tiles x 16
};

/// @param balls numbers of those that are wanted, in their order
BallTiles tilesOf(const ContactSkeleton& skeleton, const std::vector<int>& balls);

}  // namespace pliant
