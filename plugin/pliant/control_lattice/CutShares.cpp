// SPDX-License-Identifier: Zlib
#include "pliant/control_lattice/CutShares.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/skeleton/SurfaceDistance.h"

namespace pliant {
namespace {

/// Whether ways into three directions that no edge of a mesh is likely to have cross the surface an odd number of
/// times: the opinion of most, since a way may meet an edge.
bool isInside(const SurfaceDistance& surface, const Vector3& x, double reach) {
    static const std::array<Vector3, 3> directions{Vector3(0.5377, 0.7211, 0.4369), Vector3(-0.7723, 0.3391, 0.5373),
                                                   Vector3(0.2917, -0.4831, 0.8255)};
    int votes = 0;
    std::vector<SurfaceDistance::Crossing> crossings;
    for (const Vector3& d : directions) {
        crossings.clear();
        surface.crossings(x, x + reach * d, crossings);
        votes += static_cast<int>(crossings.size() % 2);
    }
    return votes >= 2;
}

}  // namespace

double shareBelowZero(const std::array<double, 4>& values) {
    std::array<double, 4> v = values;
    std::sort(v.begin(), v.end());
    const auto way = [&](std::size_t i, std::size_t j) { return v[i] / (v[i] - v[j]); };  // from i to where it is zero
    const auto below = std::count_if(v.begin(), v.end(), [](double value) { return value < 0.0; });
    if (below == 0) return 0.0;
    if (below == 4) return 1.0;
    if (below == 1) return way(0, 1) * way(0, 2) * way(0, 3);
    if (below == 3) return 1.0 - way(3, 0) * way(3, 1) * way(3, 2);
    // A prism between the two corners below zero and the four edges that leave them, as three tetrahedra.
    const double s = way(0, 2), t = way(0, 3), u = way(1, 2), w = way(1, 3);
    return s * t + s * (1.0 - t) * w + (1.0 - s) * u * w;
}

VectorX signedDistances(const SurfaceMesh& surface, const Points& points) {
    const SurfaceDistance distance(surface.positions, surface.triangles);
    const Vector3 lower = surface.positions.rowwise().minCoeff(), upper = surface.positions.rowwise().maxCoeff();
    VectorX result(points.cols());
    for (Eigen::Index v = 0; v < points.cols(); ++v) {
        const Vector3 x = points.col(v);
        const double way = std::sqrt(distance.squaredDistance(x, std::numeric_limits<double>::max()));
        const bool inBox = (x.array() >= lower.array()).all() && (x.array() <= upper.array()).all();
        result[v] = inBox && isInside(distance, x, 2.0 * (upper - lower).norm()) ? -way : way;
    }
    return result;
}

}  // namespace pliant
