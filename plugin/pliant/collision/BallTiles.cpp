// SPDX-License-Identifier: Zlib
#include "pliant/collision/BallTiles.h"

#include <algorithm>

#include "pliant/collision/BallKernels.h"

namespace pliant {

BallTiles tilesOf(const ContactSkeleton& skeleton, const std::vector<int>& balls) {
    BallTiles result;
    const int n = static_cast<int>(balls.size()), r = static_cast<int>(skeleton.basis.cols());
    result.tiles = (n + kBallsPerTile - 1) / kBallsPerTile;
    for (int tile = 0; tile < result.tiles; ++tile) {
        const auto ballAt = [&](int i) {
            return balls[static_cast<std::size_t>(std::min(tile * kBallsPerTile + i, n - 1))];
        };
        const auto each = [&](auto value) {
            for (int i = 0; i < kBallsPerTile; ++i) result.coefficients.push_back(value(ballAt(i)));
        };
        for (int k = 0; k < 3; ++k) each([&](int ball) { return skeleton.restCentres(k, ball); });
        for (int j = 0; j < r; ++j)
            for (int k = 0; k < 3; ++k) each([&](int ball) { return skeleton.basis(3 * ball + k, j); });
        for (int i = 0; i < kBallsPerTile; ++i) result.radii.push_back(skeleton.radii[ballAt(i)]);
    }
    return result;
}

}  // namespace pliant
