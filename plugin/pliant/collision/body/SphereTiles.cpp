// SPDX-License-Identifier: Zlib
#include "pliant/collision/body/SphereTiles.h"

#include <algorithm>

#include "pliant/collision/kernels/SphereKernels.h"

namespace pliant {

SphereTiles tilesOf(const ContactSkeleton& skeleton, const std::vector<int>& spheres) {
    SphereTiles result;
    const int n = static_cast<int>(spheres.size()), r = static_cast<int>(skeleton.basis.cols());
    result.tiles = (n + kSpheresPerTile - 1) / kSpheresPerTile;
    for (int tile = 0; tile < result.tiles; ++tile) {
        const auto sphereAt = [&](int i) {
            return spheres[static_cast<std::size_t>(std::min(tile * kSpheresPerTile + i, n - 1))];
        };
        const auto each = [&](auto value) {
            for (int i = 0; i < kSpheresPerTile; ++i) result.coefficients.push_back(value(sphereAt(i)));
        };
        for (int k = 0; k < 3; ++k) each([&](int sphere) { return skeleton.restCentres(k, sphere); });
        for (int j = 0; j < r; ++j)
            for (int k = 0; k < 3; ++k) each([&](int sphere) { return skeleton.basis(3 * sphere + k, j); });
        for (int i = 0; i < kSpheresPerTile; ++i) result.radii.push_back(skeleton.radii[sphereAt(i)]);
    }
    return result;
}

}  // namespace pliant
