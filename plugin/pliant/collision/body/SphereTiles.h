// SPDX-License-Identifier: Zlib
// Spheres of a skeleton side by side, as the kernels read them. Internal to collision/.
#pragma once

#include <vector>

#include "pliant/model/ReducedModel.h"

namespace pliant {

/// As moveSpheres() reads them (SphereKernels.h); the last tile is filled up with the last sphere.
struct SphereTiles {
    int tiles = 0;
    std::vector<float> coefficients;  ///< Rest places and coefficients of the centres, tiles x (1 + r) x 3 x 16.
    std::vector<float> radii;         ///< Radii, tiles x 16.
};

/// @param spheres numbers of those that are wanted, in their order
SphereTiles tilesOf(const ContactSkeleton& skeleton, const std::vector<int>& spheres);

}  // namespace pliant
