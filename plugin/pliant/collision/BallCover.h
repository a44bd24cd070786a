// SPDX-License-Identifier: Zlib
// Few balls and segments that cover every sample of the surface. Internal to buildSkeleton.
#pragma once

#include <algorithm>
#include <vector>

#include "pliant/collision/InnerBalls.h"

namespace pliant {

struct BallCover {
    std::vector<InnerBall> balls;
    std::vector<std::pair<int, int>> segments;  ///< ascending; both equal for a lone ball
};

/// Greedy: the most worthy ball whose own sample is not yet covered comes next. Balls of the drawn vertices first, then
/// those of other samples that the swept segments leave uncovered, collapsed ones last.
/// @param element metres @param tolerance see coverAllowance
BallCover coverSurface(const SampledSurface& surface, InnerBalls& candidates, const PointTree& samples, double element,
                       double tolerance);

/// The segments among the pairs of neighbouring balls that the union needs (ascending pairs in, ascending out): those
/// that stand out of the surface are left out, and those that other segments imply; balls without any become lone.
std::vector<std::pair<int, int>> neededSegments(const std::vector<InnerBall>& balls,
                                                const std::vector<std::pair<int, int>>& neighbours,
                                                const SurfaceDistance& surface, double element, double tolerance);

/// Metres that something may stand out of a ball of this radius and still count as covered.
inline double coverAllowance(double radius, double element, double tolerance) {
    return tolerance * std::max(radius, std::min(element, 4.0 * radius));
}

}  // namespace pliant
