// SPDX-License-Identifier: Zlib
// Few spheres and segments that cover every sample of the surface. Internal to buildSkeleton.
#pragma once

#include <algorithm>
#include <vector>

#include "pliant/skeleton/InscribedSpheres.h"

namespace pliant {

struct SphereCover {
    std::vector<InscribedSphere> spheres;
    std::vector<std::pair<int, int>> segments;  ///< Spheres of each segment, ascending; both equal for a lone sphere.
};

/// Greedy: the most worthy sphere whose own sample is not yet covered comes next. Spheres of the drawn vertices first,
/// then those of other samples that the swept segments leave uncovered, collapsed ones last.
/// @param element metres @param tolerance see coverAllowance
SphereCover coverSurface(const SampledSurface& surface, InscribedSpheres& candidates, const PointTree& samples,
                         double element, double tolerance);

/// The segments among the pairs of neighbouring spheres that the union needs (ascending pairs in, ascending out): those
/// that stand out of the surface are left out, and those that other segments imply; spheres without any become lone.
std::vector<std::pair<int, int>> neededSegments(const std::vector<InscribedSphere>& spheres,
                                                const std::vector<std::pair<int, int>>& neighbours,
                                                const SurfaceDistance& surface, double element, double tolerance);

/// The same with segments that are long for their radius cut into parts, which hold what they do: the ends of a segment
/// move on straight lines, and a body of few long triangles bends between them all the same.
/// @param mostSpheres parts are longer where there would be more
SphereCover cutLongSegments(const SphereCover& cover, int mostSpheres);

/// Metres that something may stand out of a sphere of this radius and still count as covered.
inline double coverAllowance(double radius, double element, double tolerance) {
    return tolerance * std::max(radius, std::min(element, 4.0 * radius));
}

}  // namespace pliant
